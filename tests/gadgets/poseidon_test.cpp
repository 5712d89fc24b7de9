#include "gadgets/poseidon.h"

#include "gadgets/vector_cases.h"
#include "hash/poseidon.h"
#include "support/random.h"

namespace cuzk::gadgets {
namespace {

constexpr const char* kPoseidonFile = "gadgets/poseidon.json.xz";

template <class Builder>
auto poseidon_of(Builder& builder, std::span<const Fr> values, PoseidonTag tag) {
  std::vector<typename Builder::Number> inputs;
  for (const Fr& value : values) inputs.push_back(builder.alloc_number(value));
  return poseidon(builder, inputs, tag);
}

void expect_hash(const std::string& name, std::size_t arity, PoseidonTag tag) {
  expect_vector(kPoseidonFile, name,
                [&](auto& builder, std::span<const Fr> values) { poseidon_of(builder, values.first(arity), tag); });
}

TEST(PoseidonGadget, HashesEqualTheVectors) {
  for (const std::size_t arity : {2, 4, 8, 11})
    expect_hash("poseidon_" + std::to_string(arity), arity, PoseidonTag::merkle);
}

TEST(PoseidonGadget, RandomnessEqualsTheVector) {
  expect_hash("poseidon_2_gen_randomness", 2, PoseidonTag::randomness);
}

TEST(PoseidonGadget, ColumnsEqualTheVectors) {
  expect_hash("hash_single_column_2", 2, PoseidonTag::merkle);
  expect_hash("hash_single_column_11", 11, PoseidonTag::merkle);
}

TEST(PoseidonGadget, ValuesSatisfyTheConstraints) {
  test::Random random(7);
  for (const std::size_t arity : {1, 2, 4, 8, 11})
    for (const PoseidonTag tag : {PoseidonTag::merkle, PoseidonTag::randomness}) {
      const std::vector<Fr> values = test::random_fields<Fr>(arity, random);
      expect_satisfied([&](auto& builder) { poseidon_of(builder, values, tag); });
    }
}

TEST(PoseidonGadget, ValueIsTheHash) {
  test::Random random(8);
  for (const std::size_t arity : {2, 4, 8, 11}) {
    const std::vector<Fr> values = test::random_fields<Fr>(arity, random);
    WitnessBuilder builder;
    EXPECT_EQ(poseidon(builder, values), cuzk::poseidon(values));
  }
  const std::vector<Fr> pair = test::random_fields<Fr>(2, random);
  WitnessBuilder builder;
  EXPECT_EQ(poseidon(builder, pair, PoseidonTag::randomness), poseidon_gen_randomness(pair[0], pair[1]));
}

TEST(PoseidonGadget, IsOneTemplateWhereverItStands) {
  Compiler compiler;
  std::vector<Signal> inputs;
  for (int i = 0; i < 8; ++i) inputs.push_back(compiler.alloc_number());
  for (int i = 0; i < 5; ++i) inputs[0] = poseidon(compiler, inputs);
  const r1cs::Circuit circuit = std::move(compiler).finish();
  EXPECT_EQ(circuit.instances().size(), 5u);
  EXPECT_LE(circuit.templates().size(), 2u);  // the hash's place among the inputs: first or last
}

}  // namespace
}  // namespace cuzk::gadgets
