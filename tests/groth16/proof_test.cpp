#include "groth16/proof.h"

#include <gtest/gtest.h>

#include "expect_error.h"
#include "golden.h"

namespace cuzk::groth16 {
namespace {

using test::bytes_of;
using test::expect_error;

/// What our message says where the crates' reader gives an error: ours tells more kinds of fault apart.
std::string expected_part(const std::string& name) {
  if (name.ends_with("is infinity")) return "the point is infinity";
  if (name.ends_with("outside the subgroup")) return "subgroup";
  if (name.starts_with("bit ")) return "proof: ";
  if (name == "A without the compression flag" || name == "all zero bytes") return "flag";
  if (name.ends_with(" bytes")) return "expected 192";
  return "no such case";
}

void check_reading(const std::string& file) {
  const auto vectors = test::vector_json(file);
  for (const auto& wrong : vectors["cases"]) {
    const auto name = wrong["case"].get<std::string>();
    SCOPED_TRACE(name);
    const auto bytes = bytes_of(wrong["proof"]);
    if (wrong["read"] == "ok") {
      const auto again = Proof::from_bytes(bytes).to_bytes();
      EXPECT_EQ(std::vector<u8>(again.begin(), again.end()), bytes);
    } else {
      expect_error(Code::invalid_input, expected_part(name), [&] { Proof::from_bytes(bytes); });
    }
  }
}

TEST(Proof, RefusesWhatTheVectorsRefuseAndWritesWhatItRead) {
  check_reading("proofs/wrong-toy.json");
  check_reading("proofs/wrong-window-2k.window-v1_2-3.json");
}

TEST(Proof, NamesTheElementThatIsWrong) {
  auto bytes = bytes_of(test::vector_json("proofs/toy.json")["partitions"][0]["proofs"][0]["proof"]);
  bytes[48] &= 0x7f;
  expect_error(Code::invalid_input, "proof: B: the point lacks the flag", [&] { Proof::from_bytes(bytes); });
}

TEST(Proof, SplitsAndJoinsPartitions) {
  const auto bytes = bytes_of(test::vector_json("proofs/toy.json")["proof"]);
  const auto proofs = proofs_from_bytes(bytes);
  EXPECT_EQ(proofs.size(), 5u);
  EXPECT_EQ(proofs_to_bytes(proofs), bytes);
}

TEST(Proof, RefusesAConcatenationWithARestAndNamesAWrongPartition) {
  auto bytes = bytes_of(test::vector_json("proofs/toy.json")["proof"]);
  bytes[3 * Proof::kBytes] &= 0x7f;
  expect_error(Code::invalid_input, "proof of partition 3: A", [&] { proofs_from_bytes(bytes); });
  bytes.pop_back();
  expect_error(Code::invalid_input, "959 bytes", [&] { proofs_from_bytes(bytes); });
  expect_error(Code::invalid_input, "0 bytes", [&] { proofs_from_bytes({}); });
}

}  // namespace
}  // namespace cuzk::groth16
