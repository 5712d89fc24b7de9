#include "r1cs/circuit.h"

#include <gtest/gtest.h>

#include "r1cs/toy_circuit.h"
#include "support/random.h"

namespace cuzk::r1cs {
namespace {

/// y = x * x where x is a number or, in another shape, twice the same variable.
struct Product {
  static std::string key() { return "product"; }
  static std::vector<Signal> record(Recorder& recorder, std::span<const Signal> inputs) {
    const Signal product = recorder.alloc();
    recorder.enforce(inputs[0], inputs[1], product);
    return {product};
  }
};

/// 0 = x - x + 3 y - 3 y + z.
struct Cancelling {
  static std::string key() { return "cancelling"; }
  static std::vector<Signal> record(Recorder& recorder, std::span<const Signal> inputs) {
    LinearCombination sum = LinearCombination(inputs[0]) - inputs[0];
    sum.add(inputs[1], Fr::from_u64(3)).add(inputs[1], -Fr::from_u64(3)).add(inputs[2], Fr::one());
    recorder.enforce({}, {}, sum);
    return {};
  }
};

std::vector<std::vector<u32>> shapes_of(const Circuit& circuit) {
  std::vector<std::vector<u32>> shapes;
  circuit.for_each_constraint([&](const Constraint& constraint) {
    shapes.push_back({static_cast<u32>(constraint.a.size()), static_cast<u32>(constraint.b.size()),
                      static_cast<u32>(constraint.c.size())});
  });
  return shapes;
}

TEST(Circuit, ToyHasTheConstraintsInOrder) {
  const Circuit toy = compile_toy();
  EXPECT_EQ(toy.inputs(), 2u);
  EXPECT_EQ(toy.aux(), 3u);
  EXPECT_EQ(toy.constraints(), 5u);
  EXPECT_EQ(toy.log2_domain(), 3u);
  EXPECT_EQ(shapes_of(toy), (std::vector<std::vector<u32>>{{1, 1, 1}, {1, 1, 1}, {3, 1, 1}, {1, 0, 0}, {1, 0, 0}}));
  EXPECT_EQ(toy.nonzeros(), (std::array<u64, 3>{7, 3, 3}));
}

TEST(Circuit, ToyIsSatisfiedByItsWitness) {
  const Circuit toy = compile_toy();
  std::vector<Fr> a(5), b(5), c(5);
  toy.evaluate(toy_witness(Fr::from_u64(3)), a, b, c, ThreadPool::shared());
  for (std::size_t j = 0; j < 5; ++j) EXPECT_EQ(a[j] * b[j], c[j]) << toy.path(j);
  EXPECT_EQ(c[2], Fr::from_u64(35));
}

TEST(Circuit, DensitiesListWhatOccurs) {
  const Densities densities = compile_toy().densities();
  EXPECT_EQ(densities.a_aux.words(), std::vector<u64>{0b111});
  EXPECT_EQ(densities.b_aux.words(), std::vector<u64>{0b001});
  EXPECT_EQ(densities.b_inputs.words(), std::vector<u64>{0b01});
}

TEST(Circuit, EqualVariablesAreAShapeOfTheirOwn) {
  Compiler compiler;
  const Signal x = compiler.alloc_number(), y = compiler.alloc_number();
  compiler.place(Product{}, std::array{x, y});
  compiler.place(Product{}, std::array{y, y});
  compiler.place(Product{}, std::array{y, x});
  const Signal z = compiler.alloc_number();
  compiler.place(Product{}, std::array{x, z});
  EXPECT_EQ(std::move(compiler).finish().templates().size(), 3u);
}

TEST(Circuit, TermsThatCancelAreNotThere) {
  Compiler compiler;
  const Signal x = compiler.alloc_number(), y = compiler.alloc_number(), z = compiler.alloc_number();
  compiler.place(Cancelling{}, std::array{x, y, z});
  compiler.place(Cancelling{}, std::array{x, y, y});
  const Circuit circuit = std::move(compiler).finish();
  circuit.for_each_constraint([&, row = 0](const Constraint& constraint) mutable {
    if (row < 2) {
      ASSERT_EQ(constraint.c.size(), 1u);
      EXPECT_EQ(constraint.c[0].variable, row == 0 ? z.variable() : y.variable());
    }
    ++row;
  });
}

TEST(Circuit, ColumnSumsAreTheTransposedWalk) {
  const Circuit toy = compile_toy();
  test::Random random(1);
  const std::vector<Fr> weights = test::random_fields<Fr>(5, random);
  const ColumnSums sums = toy.column_sums(weights, ThreadPool::shared());
  const Fr zero = Fr::zero();
  EXPECT_EQ(sums.a, (std::vector<Fr>{weights[2] * Fr::from_u64(5) + weights[3], weights[4], weights[0] + weights[2],
                                     weights[1], weights[2]}));
  EXPECT_EQ(sums.b, (std::vector<Fr>{weights[2], zero, weights[0] + weights[1], zero, zero}));
  EXPECT_EQ(sums.c, (std::vector<Fr>{zero, weights[2], zero, weights[0], weights[1]}));
}

TEST(Circuit, LastCheckpointIsTheDigest) {
  const Circuit toy = compile_toy();
  const std::vector<Checkpoint> rows = checkpoints(toy, 1);
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[4].digest, toy.digest());
  EXPECT_EQ(rows[0].aux, 2u);
  EXPECT_EQ(rows[1].aux, 3u);
  EXPECT_EQ(rows[0].path, "toy/0");
}

TEST(Circuit, PathNamesScopes) {
  Compiler compiler;
  const auto outer = compiler.scope("outer");
  const Signal x = compiler.alloc_number();
  {
    const auto inner = compiler.scope("inner");
    compiler.place(Product{}, std::array{x, x});
  }
  compiler.place(Product{}, std::array{x, x});
  const Circuit circuit = std::move(compiler).finish();
  EXPECT_EQ(circuit.path(0), "outer/inner/product/0");
  EXPECT_EQ(circuit.path(1), "outer/product/0");
}

TEST(Circuit, RefusesAWitnessOfAnotherShape) {
  const Circuit toy = compile_toy();
  std::vector<Fr> values(5);
  EXPECT_THROW(toy.evaluate(Witness(), values, values, values, ThreadPool::shared()), std::runtime_error);
}

}  // namespace
}  // namespace cuzk::r1cs
