#include "groth16/parameters.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "expect_error.h"
#include "groth16/parameter_writer.h"
#include "toy_key.h"

namespace cuzk::groth16 {
namespace {

using test::expect_error;

/// h[0] of the toy key: behind the key's 1060 bytes and a count.
constexpr std::size_t kFirstH = 1064;

std::vector<u8> toy_bytes() { return test::bytes_of(test::vector_json("setup/toy.json")["params"]["bytes"]); }

Parameters read(const std::filesystem::path& path, KeyCheck check = KeyCheck::points) {
  return read_parameters(path, check, ThreadPool::shared(), {});
}

/// What is thrown for these bytes under the name broken.params.
void expect_refused(const std::vector<u8>& bytes, const std::string& part, KeyCheck check = KeyCheck::points) {
  const test::ScratchFolder folder;
  test::write_file(folder / "broken.params", bytes);
  expect_error(Code::invalid_input, "broken.params: " + part, [&] { read(folder / "broken.params", check); });
}

TEST(Parameters, AreThePointsOfTheFile) {
  const test::ToyKey files;
  const Parameters key = read(files.params(), KeyCheck::subgroups);
  EXPECT_EQ(key.lengths(), (KeyLengths{.ic = 2, .h = 7, .l = 3, .a = 5, .b_g1 = 2, .b_g2 = 2}));
  EXPECT_EQ(key.lengths().file_bytes(), toy_bytes().size());
  EXPECT_EQ(key.verifying_key, VerifyingKey::read(files.vk()));
  const auto& golden = test::vector_json("setup/toy.json");
  EXPECT_EQ(to_hex(to_uncompressed(key.h[0])), golden["h"]["first"][0]);
  EXPECT_EQ(to_hex(to_uncompressed(key.a[4])), golden["a"]["last"][3]);
  EXPECT_EQ(to_hex(to_uncompressed(key.b_g2[1])), golden["b_g2"]["last"][1]);
}

TEST(Parameters, HaveTheLengthsOfTheCircuit) {
  const test::ToyKey files;
  EXPECT_EQ(read_key_lengths(InputFile(files.params())), key_lengths(r1cs::compile_toy()));
}

TEST(Parameters, GoBackIntoTheSameFile) {
  const test::ToyKey files;
  const test::ScratchFolder folder;
  const Parameters key = read(files.params());
  const Control control;
  ParameterWriter writer(folder / "again.params", key.verifying_key, key.lengths(), ThreadPool::shared(), control);
  for (const auto* const points : {&key.h, &key.l, &key.a, &key.b_g1}) writer.append(points->span());
  writer.append(key.b_g2.span());
  EXPECT_EQ(to_hex(writer.finish().sha256), test::vector_json("setup/toy.json")["params"]["sha256"]);
  EXPECT_EQ(test::read_file(folder / "again.params"), toy_bytes());
}

TEST(Parameters, OfAnInterruptedWriterLeaveNoFile) {
  const test::ToyKey files;
  const test::ScratchFolder folder;
  const Parameters key = read(files.params());
  const Control control;
  {
    ParameterWriter writer(folder / "cut.params", key.verifying_key, key.lengths(), ThreadPool::shared(), control);
    writer.append(key.h.span());
    expect_error(Code::internal, "3 points of l are missing", [&] { writer.finish(); });
    expect_error(Code::internal, "7 points where 3", [&] { writer.append(key.h.span()); });
    expect_error(Code::internal, "other kind", [&] { writer.append(key.b_g2.span()); });
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "cut.params"));
  EXPECT_FALSE(std::filesystem::exists(folder / "cut.params.partial"));
}

TEST(Parameters, OfEveryOtherLengthAreRefused) {
  const auto bytes = toy_bytes();
  for (const std::size_t length : {0, 863, 866, 868, 1000, 1061, 1064, 2000, 3095}) {
    SCOPED_TRACE(length);
    expect_refused({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)}, "");
  }
  auto longer = bytes;
  longer.push_back(0);
  expect_refused(longer, "b_g2 ends at byte 3096, but the file has 3097 bytes");
}

TEST(Parameters, TakeNoMemoryForACountThatIsNotThere) {
  auto bytes = toy_bytes();
  bytes[kFirstH - 4] = 0xff;
  expect_refused(bytes, "h is said to have 4278190087 points");
}

TEST(Parameters, NameThePointThatIsWrong) {
  auto bytes = toy_bytes();
  bytes[kFirstH + 3 * 96 + 95] ^= 1;
  expect_refused(bytes, "h[3]: the point is not on the curve");

  bytes = toy_bytes();
  std::fill_n(bytes.begin() + kFirstH + 96, 96, u8{0});
  bytes[kFirstH + 96] = 0x40;
  expect_refused(bytes, "h[1]: the point is infinity");

  bytes = toy_bytes();
  std::fill_n(bytes.begin() + kFirstH + 96, 96, u8{0x1f});
  expect_refused(bytes, "h[1]: the point has a coordinate that is not below");

  bytes = toy_bytes();
  bytes[kFirstH] |= 0x80;
  expect_refused(bytes, "h[0]: the point has the flag of a compressed point");
}

TEST(Parameters, ThatWereCheckedBeforeAreTheSame) {
  const test::ToyKey files;
  const Parameters checked = read(files.params()), known = read(files.params(), KeyCheck::known);
  EXPECT_TRUE(std::ranges::equal(known.h.span(), checked.h.span()));
  EXPECT_TRUE(std::ranges::equal(known.l.span(), checked.l.span()));
  EXPECT_TRUE(std::ranges::equal(known.a.span(), checked.a.span()));
  EXPECT_TRUE(std::ranges::equal(known.b_g1.span(), checked.b_g1.span()));
  EXPECT_TRUE(std::ranges::equal(known.b_g2.span(), checked.b_g2.span()));

  auto bytes = toy_bytes();
  bytes[kFirstH + 3 * 96 + 95] ^= 1;
  const test::ScratchFolder folder;
  test::write_file(folder / "odd.params", bytes);
  EXPECT_NO_THROW(read(folder / "odd.params", KeyCheck::known)) << "the curve is not looked at again";
  bytes[kFirstH] |= 0x80;
  expect_refused(bytes, "h[0]: the point has a coordinate that is not below", KeyCheck::known);
}

TEST(Parameters, OutsideTheSubgroupAreSeenByTheDeepCheckOnly) {
  // (0, 2) is on y^2 = x^3 + 4 and has order 3.
  auto bytes = toy_bytes();
  std::fill_n(bytes.begin() + kFirstH, 96, u8{0});
  bytes[kFirstH + 95] = 2;
  expect_refused(bytes, "h[0]: the point is on the curve but not in the subgroup", KeyCheck::subgroups);
  const test::ScratchFolder folder;
  test::write_file(folder / "odd.params", bytes);
  EXPECT_NO_THROW(read(folder / "odd.params"));
}

TEST(Parameters, ReportTheirProgressToTheLastByte) {
  const test::ToyKey files;
  u64 done = 0, total = 0;
  const Control control{.on_progress = [&](const ProgressUpdate& update) {
    done = update.done;
    total = update.total;
  }};
  read_parameters(files.params(), KeyCheck::points, ThreadPool::shared(), control);
  EXPECT_EQ(done, 3096u);
  EXPECT_EQ(total, 3096u);
}

TEST(Parameters, StopWhenTheirCallerGivesUp) {
  const test::ToyKey files;
  std::stop_source source;
  source.request_stop();
  expect_error(Code::cancelled, "key", [&] {
    read_parameters(files.params(), KeyCheck::points, ThreadPool::shared(), {.stop = source.get_token()});
  });
}

}  // namespace
}  // namespace cuzk::groth16
