#include "cuda/query_sums.h"

#include <gtest/gtest.h>

#include "cuda/point_progression.h"
#include "groth16/query_values.h"
#include "r1cs/mixed_circuit.h"
#include "support/gpu_queue.h"
#include "support/random.h"

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

class DeviceQuerySums : public testing::TestWithParam<u32> {};

/// Digits of some windows at a time, and the points of a tile: the sum is the same as with all of them at once.
TEST_P(DeviceQuerySums, FitIntoLittleMemory) {
  const u32 points = GetParam();
  test::GpuQueue gpu(std::size_t{64} << 20);
  const Queue& queue = gpu.queue();
  test::Random random(7);
  const G1Affine generator = G1Affine::generator();
  const KeyPoints<G1Curve> key(point_progression<G1Curve>(queue, generator, generator, points));
  std::vector<u32> ones, indices;
  std::vector<Fr::Integer> scalars;
  Fr expected = Fr::zero();
  for (u32 i = 0; i < points; ++i) {
    if (i % 3 == 0) continue;
    (i % 3 == 1 ? ones : indices).push_back(i);
    const Fr scalar = i % 3 == 1 ? Fr::one() : test::random_field<Fr>(random);
    if (i % 3 == 2) scalars.push_back(scalar.to_integer());
    expected += scalar * Fr::from_u64(i + 1);
  }
  const QueryValues values{gpu.upload(ones), gpu.upload(indices), gpu.upload(scalars)};
  const G1 sum = G1::generator() * expected;
  EXPECT_EQ(sum_query(queue, key, values, {points, points}), sum);
  for (const u32 tile : {points / 65, points / 2}) EXPECT_EQ(sum_query(queue, key, values, {tile, tile}), sum);
}

/// The smaller is for NVIDIA's racecheck, which comes to an end there.
INSTANTIATE_TEST_SUITE_P(Points, DeviceQuerySums, testing::Values(u32{256}, u32{1} << 16));

}  // namespace
}  // namespace cuzk::cuda
