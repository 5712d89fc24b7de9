#include "cuda/evaluation.h"

#include <gtest/gtest.h>

#include "r1cs/evaluator.h"
#include "r1cs/mixed_circuit.h"
#include "r1cs/toy_circuit.h"
#include "support/gpu_queue.h"

namespace cuzk::cuda {
namespace {

class DeviceEvaluation : public testing::Test {
 protected:
  void check(const r1cs::Circuit& circuit, const r1cs::Witness& witness) {
    const std::size_t size = std::size_t{1} << circuit.log2_domain();
    std::vector<Fr> a(size, Fr::zero()), b(size, Fr::zero()), c(size, Fr::zero());
    circuit.evaluate(witness, a, b, c, ThreadPool::shared());
    const DeviceCircuit on_device(gpu_.queue(), circuit);
    const DeviceEvaluations values = evaluate(gpu_.queue(), on_device, DeviceWitness(gpu_.queue(), staging_, witness));
    EXPECT_EQ(values.a.to_host(gpu_.queue().stream), a);
    EXPECT_EQ(values.b.to_host(gpu_.queue().stream), b);
    EXPECT_EQ(values.c.to_host(gpu_.queue().stream), c);
  }

  test::GpuQueue gpu_{std::size_t{1} << 30};
  Staging staging_{gpu_.queue().stream, ThreadPool::shared()};
};

TEST_F(DeviceEvaluation, EqualsTheHostsForBitsAndElements) {
  const r1cs::Circuit circuit = r1cs::compile_mixed();
  for (u64 seed = 1; seed <= 20; ++seed) check(circuit, r1cs::mixed_witness(circuit, seed));
}

TEST_F(DeviceEvaluation, OfBitsOnly) {
  const r1cs::Circuit circuit = r1cs::compile_mixed();
  test::Random random(4);
  r1cs::Witness witness;
  for (u32 i = 1; i < circuit.inputs(); ++i) witness.add_input(Fr::one());
  for (u32 i = 0; i < circuit.aux(); ++i) witness.add_bits(random(), 1);
  check(circuit, witness);
}

TEST_F(DeviceEvaluation, OfTheToyCircuit) { check(r1cs::compile_toy(), r1cs::toy_witness(Fr::from_u64(7))); }

TEST_F(DeviceEvaluation, OfTheCircuitOfNoGadget) { check(r1cs::Circuit(), r1cs::Witness()); }

}  // namespace
}  // namespace cuzk::cuda
