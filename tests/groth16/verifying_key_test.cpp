#include "groth16/verifying_key.h"

#include <gtest/gtest.h>

#include "expect_error.h"
#include "golden.h"
#include "scratch_folder.h"

namespace cuzk::groth16 {
namespace {

using test::expect_error;

std::vector<u8> toy_key() { return test::bytes_of(test::vector_json("setup/toy.json")["vk"]["bytes"]); }

TEST(VerifyingKey, ReadsAndWritesEveryGoldenKeyByteForByte) {
  for (const std::string name : {"toy", "winning-2k", "window-2k", "porep-2k", "snap-2k"}) {
    SCOPED_TRACE(name);
    const auto golden = test::vector_json("setup/" + name + ".json")["vk"];
    const auto bytes = test::bytes_of(golden["bytes"]);
    const auto key = VerifyingKey::from_bytes(bytes, name);
    EXPECT_EQ(key.ic.size(), golden["ic_length"]);
    EXPECT_EQ(key.to_bytes(), bytes);
  }
}

TEST(VerifyingKey, GoesThroughAFile) {
  const test::ScratchFolder folder;
  const auto key = VerifyingKey::from_bytes(toy_key(), "toy");
  key.write(folder / "toy.vk");
  EXPECT_EQ(VerifyingKey::read(folder / "toy.vk"), key);
  EXPECT_FALSE(std::filesystem::exists(folder / "toy.vk.partial"));
}

TEST(VerifyingKey, NamesAMissingFile) {
  expect_error(Code::not_found, "/nowhere/toy.vk", [] { VerifyingKey::read("/nowhere/toy.vk"); });
}

TEST(VerifyingKey, RefusesEveryLengthButItsOwn) {
  const auto bytes = toy_key();
  for (const std::size_t length : {0u, 863u, 867u, 868u, 1059u}) {
    const std::vector<u8> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
    expect_error(Code::invalid_input, "toy: " + std::to_string(length) + " bytes",
                 [&] { VerifyingKey::from_bytes(cut, "toy"); });
  }
  auto longer = bytes;
  longer.push_back(0);
  expect_error(Code::invalid_input, "1061 bytes", [&] { VerifyingKey::from_bytes(longer, "toy"); });
}

TEST(VerifyingKey, TakesNoMemoryForACountThatIsNotThere) {
  auto bytes = toy_key();
  bytes[864] = 0xff;
  expect_error(Code::invalid_input, "ic is said to have", [&] { VerifyingKey::from_bytes(bytes, "toy"); });
}

TEST(VerifyingKey, RefusesAnEmptyIc) {
  auto bytes = toy_key();
  bytes.resize(868);
  bytes[867] = 0;
  expect_error(Code::invalid_input, "ic has no point", [&] { VerifyingKey::from_bytes(bytes, "toy"); });
}

TEST(VerifyingKey, NamesThePointThatIsOffTheCurveOrInfinity) {
  auto bytes = toy_key();
  bytes[96 + 95] ^= 1;
  expect_error(Code::invalid_input, "toy: beta_g1: the point is not on the curve",
               [&] { VerifyingKey::from_bytes(bytes, "toy"); });
  bytes = toy_key();
  std::fill_n(bytes.begin() + 868 + 96, 96, u8{0});
  bytes[868 + 96] = 0x40;
  expect_error(Code::invalid_input, "toy: ic[1]: the point is infinity",
               [&] { VerifyingKey::from_bytes(bytes, "toy"); });
}

}  // namespace
}  // namespace cuzk::groth16
