// A compiled circuit that comes from its file is the circuit: of each kind the same constraints, and the values of a, b and
// c over a real witness that Filecoin's own prover has.
#include <gtest/gtest.h>

#include "engine/statements/kind_decoder.h"
#include "groth16/scratch_folder.h"
#include "groth16_kinds/golden_input.h"
#include "hash/element_hasher.h"
#include "r1cs/evaluator.h"
#include "r1cs/witness_digest.h"

namespace cuzk::engine {
namespace {

using test::post_input;
using test::update_input;

/// SHA-256 of a, b and c.
std::array<std::string, 3> evaluation_digests(const r1cs::Circuit& circuit, const r1cs::Witness& witness) {
  std::array<ElementHasher, 3> hashers;
  r1cs::Evaluator(circuit).for_each_slice(witness, ThreadPool::shared(), [&](const r1cs::Evaluator::Slice& slice) {
    hashers[0].add(slice.a), hashers[1].add(slice.b), hashers[2].add(slice.c);
  });
  return {to_hex(hashers[0].finish()), to_hex(hashers[1].finish()), to_hex(hashers[2].finish())};
}

void expect_same(const r1cs::Circuit& found, const r1cs::Circuit& expected) {
  EXPECT_EQ(found.constraints(), expected.constraints());
  EXPECT_EQ(found.nonzeros(), expected.nonzeros());
  EXPECT_EQ(found.densities().a_aux.words(), expected.densities().a_aux.words());
  EXPECT_EQ(found.densities().b_aux.words(), expected.densities().b_aux.words());
  EXPECT_EQ(found.digest(), expected.digest());
  for (const u64 j : {u64{0}, expected.constraints() / 2, expected.constraints() - 1})
    EXPECT_EQ(found.path(j), expected.path(j));
}

void check_kind(const std::string& id, const std::string& proofs, const ProofInput& input) {
  const test::ScratchFolder folder;
  const CircuitCache cache(folder / "circuits");
  const auto compiled = CircuitCatalog(cache).get(id);
  const auto read = cache.load(id);
  ASSERT_TRUE(read.has_value()) << id;
  expect_same(read->circuit, *compiled);

  CircuitCatalog from_files(cache);
  const auto statement = KindDecoder(from_files).decode(input);
  ASSERT_EQ(statement->circuit_id(), id);
  const auto witness = statement->witness(0);
  const auto& golden = test::vector_json("proofs/" + proofs + ".json")["partitions"][0]["sha256"];
  EXPECT_EQ(to_hex(r1cs::digest(witness)), golden["witness"]);
  const auto [a, b, c] = evaluation_digests(*statement->circuit(), witness);
  EXPECT_EQ(a, golden["a"]);
  EXPECT_EQ(b, golden["b"]);
  EXPECT_EQ(c, golden["c"]);
}

void check_stop(const ProofInput& input) {
  CircuitCatalog circuits;
  const auto statement = KindDecoder(circuits).decode(input);
  std::stop_source stop;
  stop.request_stop();
  try {
    statement->witness(0, stop.get_token());
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::cancelled);
  }
}

TEST(Witness, IsStoppedBetweenSectorsAndChallenges) {
  check_stop(post_input(Kind::window_post, "post/2KiB/window-v1_2-3"));
  check_stop(post_input(Kind::winning_post, "post/2KiB/winning-1"));
  check_stop(update_input("update/2KiB/from-data"));
}

TEST(CompiledFile, OfAWindowIsTheCircuit) {
  check_kind("wpost-2k", "window-2k.window-v1_2-3", post_input(Kind::window_post, "post/2KiB/window-v1_2-3"));
}

TEST(CompiledFile, OfAWinningIsTheCircuit) {
  check_kind("winning-2k", "winning-2k.winning-1", post_input(Kind::winning_post, "post/2KiB/winning-1"));
}

TEST(CompiledFile, OfAnUpdateIsTheCircuit) {
  check_kind("snap-2k", "snap-2k.from-data", update_input("update/2KiB/from-data"));
}

}  // namespace
}  // namespace cuzk::engine
