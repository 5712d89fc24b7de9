#include "cuda/query_sums.h"

#include <gtest/gtest.h>

#include "groth16/query_values.h"
#include "r1cs/mixed_circuit.h"
#include "support/gpu_queue.h"

namespace cuzk::cuda {
namespace {

/// What the host chooses, in the device's form: points of inputs come first.
struct Expected {
  explicit Expected(const groth16::QueryValues& values) {
    const u32 inputs = static_cast<u32>(values.inputs.size());
    for (u32 i = 0; i < values.aux.ones.size(); ++i) {
      if (values.aux.ones[i]) ones.push_back(inputs + i);
    }
    for (u32 i = 0; i < inputs; ++i) indices.push_back(i);
    for (const u32 index : values.aux.indices) indices.push_back(inputs + index);
    for (const Fr& scalar : values.inputs) scalars.push_back(scalar.to_integer());
    for (const Fr& scalar : values.aux.scalars) scalars.push_back(scalar.to_integer());
  }

  std::vector<u32> ones, indices;
  std::vector<Fr::Integer> scalars;
};

class DeviceQueryValues : public testing::Test {
 protected:
  void expect_equal(const QueryValues& values, const groth16::QueryValues& host) {
    const Expected expected(host);
    const Stream& stream = gpu_.queue().stream;
    EXPECT_EQ(values.ones.to_host(stream), expected.ones);
    EXPECT_EQ(values.indices.to_host(stream), expected.indices);
    EXPECT_EQ(values.scalars.to_host(stream), expected.scalars);
  }

  test::GpuQueue gpu_{std::size_t{1} << 28};
  Staging staging_{gpu_.queue().stream, ThreadPool::shared()};
};

TEST_F(DeviceQueryValues, AreTheHosts) {
  const r1cs::Circuit circuit = r1cs::compile_mixed();
  const DeviceCircuit on_device(gpu_.queue(), circuit);
  for (u64 seed = 1; seed <= 10; ++seed) {
    const r1cs::Witness host = r1cs::mixed_witness(circuit, seed);
    const DeviceWitness witness(gpu_.queue(), staging_, host);
    expect_equal(l_values(gpu_.queue(), witness), groth16::l_values(host));
    expect_equal(a_values(gpu_.queue(), on_device, witness), groth16::a_values(circuit, host));
    expect_equal(b_values(gpu_.queue(), on_device, witness), groth16::b_values(circuit, host));
  }
}

TEST_F(DeviceQueryValues, OfAWitnessOfInputsOnly) {
  const r1cs::Circuit circuit;
  const DeviceCircuit on_device(gpu_.queue(), circuit);
  const DeviceWitness witness(gpu_.queue(), staging_, r1cs::Witness());
  expect_equal(l_values(gpu_.queue(), witness), groth16::l_values(r1cs::Witness()));
  expect_equal(a_values(gpu_.queue(), on_device, witness), groth16::a_values(circuit, r1cs::Witness()));
}

}  // namespace
}  // namespace cuzk::cuda
