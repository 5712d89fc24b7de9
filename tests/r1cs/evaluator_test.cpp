#include "r1cs/evaluator.h"

#include <gtest/gtest.h>

#include "r1cs/mixed_circuit.h"
#include "r1cs/simple_evaluation.h"
#include "r1cs/wide_sum.h"

namespace cuzk::r1cs {
namespace {

TEST(Evaluator, EqualsTheDefinitionForBitsAndElements) {
  const Circuit circuit = compile_mixed();
  const Evaluator evaluator(circuit);
  for (u64 seed = 1; seed <= 20; ++seed) {
    const Witness witness = mixed_witness(circuit, seed);
    const SimpleEvaluation expected(circuit, witness);
    std::vector<Fr> a(circuit.constraints()), b(a.size()), c(a.size());
    evaluator.evaluate(witness, a, b, c, ThreadPool::shared());
    for (std::size_t j = 0; j < a.size(); ++j) {
      ASSERT_EQ(a[j], expected.a[j]) << circuit.path(j);
      ASSERT_EQ(b[j], expected.b[j]) << circuit.path(j);
      ASSERT_EQ(c[j], expected.c[j]) << circuit.path(j);
    }
  }
}

TEST(Evaluator, SlicesAreTheWhole) {
  const Circuit circuit = compile_mixed();
  const Witness witness = mixed_witness(circuit, 3);
  const SimpleEvaluation expected(circuit, witness);
  u64 next = 0;
  Evaluator(circuit).for_each_slice(witness, ThreadPool::shared(), [&](const Evaluator::Slice& slice) {
    EXPECT_EQ(slice.first, next);
    for (std::size_t j = 0; j < slice.a.size(); ++j, ++next) {
      ASSERT_EQ(slice.a[j], expected.a[next]);
      ASSERT_EQ(slice.b[j], expected.b[next]);
      ASSERT_EQ(slice.c[j], expected.c[next]);
    }
  });
  EXPECT_EQ(next, circuit.constraints());
}

TEST(Evaluator, TheCircuitOfNoGadgetHasItsInputs) {
  const Circuit circuit;
  std::vector<Fr> a(1), b(1), c(1);
  Evaluator(circuit).evaluate(Witness(), a, b, c, ThreadPool::shared());
  EXPECT_EQ(a[0], Fr::one());
  EXPECT_EQ(b[0], Fr::zero());
}

TEST(Evaluator, LeavesOutSidesWithoutRoom) {
  const Circuit circuit = compile_mixed();
  const Witness witness = mixed_witness(circuit, 1);
  const std::size_t count = circuit.constraints();
  std::vector<Fr> a(count), b(count), c(count), alone(count);
  const Evaluator evaluator(circuit);
  ThreadPool& pool = ThreadPool::shared();
  evaluator.evaluate(witness, a, b, c, pool);
  evaluator.evaluate(witness, alone, {}, {}, pool);
  EXPECT_EQ(alone, a);
  evaluator.evaluate(witness, {}, alone, {}, pool);
  EXPECT_EQ(alone, b);
  evaluator.evaluate(witness, {}, {}, alone, pool);
  EXPECT_EQ(alone, c);
  EXPECT_THROW(evaluator.evaluate(witness, {}, {}, std::span(alone).first(1), pool), std::runtime_error);
}

TEST(EvaluationProgram, JoinsRunsAndKeepsARepeatedRowOnce) {
  const Circuit circuit = compile_mixed();
  const EvaluationProgram program = make_evaluation_program(circuit.templates()[0]);
  EXPECT_EQ(program.a.wide.size(), 8u);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(program.a.wide[i].wide, program.b.wide[i].wide);
  u32 longest = 0;
  for (const auto& run : program.runs) longest = std::max(longest, run.length);
  EXPECT_EQ(longest, 64u);
}

TEST(WideSum, IsTheSumOfProducts) {
  test::Random random(9);
  for (int repeat = 0; repeat < 100; ++repeat) {
    WideSum sum;
    Fr expected = Fr::zero();
    for (u64 i = random() % 50; i > 0; --i) {
      const Fr x = test::random_field<Fr>(random), y = test::random_field<Fr>(random);
      const u64 factor = random();
      sum.add(x, y);
      sum.add(factor, y);
      sum.add(x);
      expected += x * y + Fr::from_u64(factor) * y + x;
    }
    EXPECT_EQ(sum.reduce(), expected);
  }
}

TEST(WideSum, HoldsTheLargestValues) {
  WideSum sum;
  const Fr largest = Fr::from_montgomery_unchecked([] {
    Fr::Integer value = Fr::kModulus;
    sub_in_place(value, Fr::Integer{{1}});
    return value;
  }());
  Fr expected = Fr::zero();
  for (int i = 0; i < 3000; ++i) {
    sum.add(~u64{0}, largest);
    sum.add(largest, largest);
    expected += Fr::from_u64(~u64{0}) * largest + largest * largest;
  }
  EXPECT_EQ(sum.reduce(), expected);
}

}  // namespace
}  // namespace cuzk::r1cs
