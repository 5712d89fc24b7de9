#include "poly/domain.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "poly/poly_vectors.h"
#include "support/random.h"
#include "support/stopping.h"
#include "support/vectors.h"

namespace cuzk {
namespace {

using Values = std::vector<Fr>;
using Operation = void (Domain::*)(std::span<Fr>, ThreadPool&) const;

struct NamedOperation {
  const char* name;
  Operation operation;
};
constexpr NamedOperation kOperations[] = {{"fft", &Domain::forward},
                                          {"ifft", &Domain::inverse},
                                          {"coset_fft", &Domain::coset_forward},
                                          {"icoset_fft", &Domain::coset_inverse}};

Values apply(const Domain& domain, Operation operation, Values values, ThreadPool& pool = ThreadPool::shared()) {
  (domain.*operation)(values, pool);
  return values;
}

/// sum of x_i (shift root^k)^i for each k, by the definition.
Values evaluate_naively(const Values& coefficients, const Fr& root, const Fr& shift) {
  Values result;
  Fr point = shift;
  for (std::size_t k = 0; k < coefficients.size(); ++k, point *= root) {
    Fr sum = Fr::zero();
    for (std::size_t i = coefficients.size(); i-- > 0;) sum = sum * point + coefficients[i];
    result.push_back(sum);
  }
  return result;
}

class EveryKernel : public testing::TestWithParam<Kernels> {
 protected:
  void SetUp() override {
    if (!is_supported(GetParam())) GTEST_SKIP() << "this processor does not have these kernels";
  }
  Domain domain(unsigned k) const { return Domain(k, GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Domain, EveryKernel, testing::Values(Kernels::portable, Kernels::ifma),
                         [](const auto& info) { return info.param == Kernels::portable ? "Portable" : "Ifma"; });

TEST_P(EveryKernel, SmallVectorsAgree) {
  for (const auto& entry : test::vector_json("primitives/domain.json").at("small")) {
    const Domain domain = this->domain(entry.at("log_n").get<unsigned>());
    EXPECT_EQ(test::hex_of(domain.root()), entry.at("omega"));
    const Values input = test::fr_list(entry.at("input"));
    for (const auto& [name, operation] : kOperations) {
      EXPECT_EQ(apply(domain, operation, input), test::fr_list(entry.at(name))) << name << " of " << input.size();
    }
    EXPECT_EQ(test::hex_of(domain.vanishing_at(test::fr_from_hex(entry.at("tau")))), entry.at("z_tau"));
  }
}

TEST_P(EveryKernel, BigVectorsAgree) {
  for (const auto& entry : test::vector_json("primitives/domain.json").at("big")) {
    const Domain domain = this->domain(entry.at("log_n").get<unsigned>());
    const Values input = test::fr_chain(test::fr_from_hex(entry.at("x0")), domain.size());
    EXPECT_EQ(test::sha256_of(input), entry.at("input").at("sha256"));
    for (const auto& [name, operation] : kOperations) {
      const Values result = apply(domain, operation, input);
      EXPECT_EQ(test::hex_of(result[1]), entry.at(name).at("second")) << name;
      EXPECT_EQ(test::sha256_of(result), entry.at(name).at("sha256")) << name;
    }
    EXPECT_EQ(test::hex_of(domain.vanishing_at(test::fr_from_hex(entry.at("tau")))), entry.at("z_tau"));
  }
}

TEST_P(EveryKernel, EqualsTheDefinitionAtEverySmallSize) {
  test::Random random(1);
  for (unsigned k = 0; k <= 10; ++k) {
    const Domain domain = this->domain(k);
    const auto input = test::random_fields<Fr>(domain.size(), random);
    EXPECT_EQ(apply(domain, &Domain::forward, input), evaluate_naively(input, domain.root(), Fr::one())) << k;
    EXPECT_EQ(apply(domain, &Domain::coset_forward, input),
              evaluate_naively(input, domain.root(), Fr::from_u64(kFrGenerator)))
        << k;
  }
}

TEST_P(EveryKernel, InversesUndo) {
  test::Random random(2);
  for (unsigned k = 0; k <= 15; ++k) {
    const Domain domain = this->domain(k);
    const auto input = test::random_fields<Fr>(domain.size(), random);
    EXPECT_EQ(apply(domain, &Domain::inverse, apply(domain, &Domain::forward, input)), input) << k;
    EXPECT_EQ(apply(domain, &Domain::coset_inverse, apply(domain, &Domain::coset_forward, input)), input) << k;
  }
}

TEST_P(EveryKernel, ExtremeValuesAgreeWithTheDefinition) {
  const Domain domain = this->domain(9);
  const Values input(domain.size(), -Fr::one());
  EXPECT_EQ(apply(domain, &Domain::forward, input), evaluate_naively(input, domain.root(), Fr::one()));
  EXPECT_EQ(apply(domain, &Domain::inverse, apply(domain, &Domain::forward, input)), input);
}

TEST_P(EveryKernel, IsLinear) {
  test::Random random(3);
  const Domain domain = this->domain(11);
  const auto x = test::random_fields<Fr>(domain.size(), random), y = test::random_fields<Fr>(domain.size(), random);
  const Fr factor = test::random_field<Fr>(random);
  for (const auto& [name, operation] : kOperations) {
    Values combined(domain.size());
    for (std::size_t i = 0; i < combined.size(); ++i) combined[i] = factor * x[i] + y[i];
    const Values of_x = apply(domain, operation, x), of_y = apply(domain, operation, y);
    const Values of_combined = apply(domain, operation, combined);
    for (std::size_t i = 0; i < combined.size(); ++i) ASSERT_EQ(of_combined[i], factor * of_x[i] + of_y[i]) << name;
  }
}

TEST_P(EveryKernel, DoesNotDependOnThreads) {
  test::Random random(4);
  const Domain domain = this->domain(13);
  const auto input = test::random_fields<Fr>(domain.size(), random);
  ThreadPool one(1), three(3);
  for (const auto& [name, operation] : kOperations) {
    EXPECT_EQ(apply(domain, operation, input, one), apply(domain, operation, input, three)) << name;
  }
}

TEST(Domain, KernelsAgree) {
  if (!is_supported(Kernels::ifma)) GTEST_SKIP() << "this processor does not have IFMA";
  test::Random random(5);
  for (const unsigned k : {16u, 17u}) {
    const auto input = test::random_fields<Fr>(std::size_t{1} << k, random);
    for (const auto& [name, operation] : kOperations) {
      EXPECT_EQ(apply(Domain(k, Kernels::ifma), operation, input),
                apply(Domain(k, Kernels::portable), operation, input))
          << name;
    }
  }
}

TEST(Domain, LagrangeCoefficientsEvaluateThePolynomial) {
  test::Random random(6);
  for (const unsigned k : {0u, 1u, 5u, 13u}) {
    const Domain domain(k);
    const auto coefficients = test::random_fields<Fr>(domain.size(), random);
    const auto values = apply(domain, &Domain::forward, coefficients);
    const Fr x = test::random_field<Fr>(random);
    const Buffer<Fr> lagrange = domain.lagrange_at(x, ThreadPool::shared());
    Fr sum = Fr::zero(), expected = Fr::zero();
    for (std::size_t i = domain.size(); i-- > 0;) {
      sum += lagrange[i] * values[i];
      expected = expected * x + coefficients[i];
    }
    EXPECT_EQ(sum, expected) << k;
  }
}

TEST(Domain, LagrangeCoefficientsInsideTheDomainPickOneValue) {
  const Domain domain(7);
  const Buffer<Fr> lagrange = domain.lagrange_at(domain.root().pow(u64{93}), ThreadPool::shared());
  for (std::size_t i = 0; i < domain.size(); ++i) EXPECT_EQ(lagrange[i], i == 93 ? Fr::one() : Fr::zero());
}

TEST(Domain, VanishesOnItselfAndIsConstantOnTheCoset) {
  const Domain domain(12);
  const Fr point = domain.root().pow(u64{77});
  EXPECT_TRUE(domain.vanishing_at(point).is_zero());
  EXPECT_EQ(domain.vanishing_at(point * Fr::from_u64(kFrGenerator)), domain.vanishing_on_coset());
}

TEST(Domain, RefusesSizesThatItDoesNotHave) {
  EXPECT_THROW(Domain(29), Error);
  Values values(7, Fr::zero());
  EXPECT_THROW(Domain(3).forward(values, ThreadPool::shared()), Error);
}

TEST(Domain, EndsWhereItsPoolIsStopped) {
  const Domain domain(14);
  Values values(domain.size(), Fr::one());
  for (const auto& [name, operation] : kOperations) {
    test::expect_stops([&, operation = operation](ThreadPool& pool) { (domain.*operation)(values, pool); });
  }
}

}  // namespace
}  // namespace cuzk
