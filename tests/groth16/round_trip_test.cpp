// Proofs and keys of random points go through their bytes and files unchanged.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "groth16/parameter_writer.h"
#include "groth16/parameters.h"
#include "groth16/proof.h"
#include "groth16/scratch_folder.h"
#include "support/random_points.h"

namespace cuzk::groth16 {
namespace {

using test::Random, test::random_point, test::random_points;

std::vector<Proof> random_proofs(std::size_t count, Random& random) {
  std::vector<Proof> proofs(count);
  for (Proof& proof : proofs)
    proof = {random_point<G1Affine>(random), random_point<G2Affine>(random), random_point<G1Affine>(random)};
  return proofs;
}

VerifyingKey random_verifying_key(std::size_t inputs, Random& random) {
  return {random_point<G1Affine>(random),         random_point<G1Affine>(random), random_point<G2Affine>(random),
          random_point<G2Affine>(random),         random_point<G1Affine>(random), random_point<G2Affine>(random),
          random_points<G1Affine>(inputs, random)};
}

template <class Affine>
Buffer<Affine> random_vector(std::size_t count, Random& random) {
  const auto points = random_points<Affine>(count, random);
  Buffer<Affine> vector(count);
  std::ranges::copy(points, vector.begin());
  return vector;
}

/// Of up to twenty points in each vector.
Parameters random_parameters(Random& random) {
  const auto length = [&] { return 1 + random() % 20; };
  return {random_verifying_key(length(), random),    random_vector<G1Affine>(length(), random),
          random_vector<G1Affine>(length(), random), random_vector<G1Affine>(length(), random),
          random_vector<G1Affine>(length(), random), random_vector<G2Affine>(length(), random)};
}

FileDigest write(const std::filesystem::path& path, const Parameters& key) {
  const Control control;
  ParameterWriter writer(path, key.verifying_key, key.lengths(), ThreadPool::shared(), control);
  for (const auto* const points : {&key.h, &key.l, &key.a, &key.b_g1}) writer.append(points->span());
  writer.append(key.b_g2.span());
  return writer.finish();
}

bool equal(const Parameters& x, const Parameters& y) {
  return x.verifying_key == y.verifying_key && std::ranges::equal(x.h, y.h) && std::ranges::equal(x.l, y.l) &&
         std::ranges::equal(x.a, y.a) && std::ranges::equal(x.b_g1, y.b_g1) && std::ranges::equal(x.b_g2, y.b_g2);
}

RC_GTEST_PROP(RoundTrip, ProofsThroughBytes, (u64 seed)) {
  Random random(seed);
  const auto proofs = random_proofs(1 + seed % 3, random);
  const auto bytes = proofs_to_bytes(proofs);
  RC_ASSERT(bytes.size() == proofs.size() * Proof::kBytes);
  RC_ASSERT(proofs_from_bytes(bytes) == proofs);
  RC_ASSERT(Proof::from_bytes(proofs[0].to_bytes()) == proofs[0]);
}

RC_GTEST_PROP(RoundTrip, VerifyingKeyThroughBytes, (u64 seed)) {
  Random random(seed);
  const VerifyingKey key = random_verifying_key(1 + seed % 30, random);
  RC_ASSERT(VerifyingKey::from_bytes(key.to_bytes(), "random") == key);
}

RC_GTEST_PROP(RoundTrip, ParametersThroughAFile, (u64 seed)) {
  Random random(seed);
  const test::ScratchFolder folder;
  const Parameters key = random_parameters(random);
  write(folder / "random.params", key);
  RC_ASSERT(std::filesystem::file_size(folder / "random.params") == key.lengths().file_bytes());
  RC_ASSERT(read_key_lengths(InputFile(folder / "random.params")) == key.lengths());
  RC_ASSERT(equal(read_parameters(folder / "random.params", KeyCheck::subgroups, ThreadPool::shared(), {}), key));
}

}  // namespace
}  // namespace cuzk::groth16
