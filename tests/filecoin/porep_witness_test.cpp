// The witness of sealed sectors is the one that the network's own prover computes, value for value.
#include <gtest/gtest.h>

#include "base/thread_pool.h"
#include "filecoin/c1_decoder.h"
#include "filecoin/circuits/porep.h"
#include "filecoin/sector_vectors.h"
#include "filecoin/witness_digest.h"

namespace cuzk::filecoin {
namespace {

std::string sha256_of(std::span<const Fr> values) {
  Sha256 hash;
  for (const Fr& value : values) hash.update(value.to_bytes());
  return to_hex(hash.finish());
}

TEST(PorepWitness, OfSealedSectorsIsTheNetworks) {
  for (const std::string folder :
       {"2KiB/s1-v1", "2KiB/s2-v1_1", "2KiB/s5-zero", "4KiB/s1-v1_1", "16KiB/s1-v1_1", "32KiB/s1-v1_1"}) {
    const VanillaPorep porep = decode_c1(c1_of(folder));
    const auto golden = test::vector_json("sectors/" + folder + "/witness.json")["partitions"];
    ASSERT_EQ(porep.partitions.size(), golden.size()) << folder;
    for (std::size_t i = 0; i < golden.size(); ++i) {
      const r1cs::Witness witness = porep_witness(porep.partitions[i]);
      EXPECT_EQ(witness.inputs().size(), golden[i]["inputs"]) << folder;
      EXPECT_EQ(witness.aux_count(), golden[i]["aux"]) << folder;
      EXPECT_EQ(inputs_sha256(witness), golden[i]["inputs_sha256"]) << folder;
      EXPECT_EQ(aux_sha256(witness), golden[i]["aux_sha256"]) << folder;
    }
  }
}

TEST(PorepWitness, SatisfiesTheCircuitWithTheNetworksEvaluations) {
  const auto golden = test::vector_json("proofs/porep-2k.s2-v1_1.json")["partitions"][0];
  const r1cs::Circuit circuit = compile_porep(sector_shape("2k"));
  const r1cs::Witness witness = porep_witness(decode_c1(c1_of("2KiB/s2-v1_1")).partitions[0]);
  std::vector<Fr> a(circuit.constraints()), b(a.size()), c(a.size());
  circuit.evaluate(witness, a, b, c, ThreadPool::shared());
  for (std::size_t j = 0; j < a.size(); ++j) ASSERT_EQ(a[j] * b[j], c[j]) << circuit.path(j);
  EXPECT_EQ(sha256_of(a), golden["sha256"]["a"]);
  EXPECT_EQ(sha256_of(b), golden["sha256"]["b"]);
  EXPECT_EQ(sha256_of(c), golden["sha256"]["c"]);
}

TEST(PorepWitness, AWrongValueIsFoundByItsConstraint) {
  PorepInput input = decode_c1(c1_of("2KiB/s2-v1_1")).partitions[0];
  input.challenges[1].expander_parents[3].rows[0] += Fr::one();
  const r1cs::Circuit circuit = compile_porep(sector_shape("2k"));
  std::vector<Fr> a(circuit.constraints()), b(a.size()), c(a.size());
  circuit.evaluate(porep_witness(input), a, b, c, ThreadPool::shared());
  u64 first = 0;
  while (first < a.size() && a[first] * b[first] == c[first]) ++first;
  ASSERT_LT(first, a.size());
  EXPECT_TRUE(circuit.path(first).starts_with("challenge 1/expander parent 3/")) << circuit.path(first);
}

}  // namespace
}  // namespace cuzk::filecoin
