#include "poly/quotient.h"

#include <gtest/gtest.h>

#include <bit>

#include "poly/poly_vectors.h"
#include "support/random.h"
#include "support/vectors.h"

namespace cuzk {
namespace {

using Form = Buffer<Fr> (*)(const Domain&, Buffer<Fr>, Buffer<Fr>, Buffer<Fr>, ThreadPool&);

class EveryForm : public testing::TestWithParam<Form> {
 protected:
  std::vector<Fr> h(const std::vector<Fr>& a, const std::vector<Fr>& b, const std::vector<Fr>& c) const {
    const Domain domain(static_cast<unsigned>(std::bit_width(a.size() - 1)));
    const std::size_t m = domain.size();
    const Buffer<Fr> h = GetParam()(domain, test::padded(a, m), test::padded(b, m), test::padded(c, m), pool_);
    return {h.begin(), h.end()};
  }

 private:
  ThreadPool& pool_ = ThreadPool::shared();
};
INSTANTIATE_TEST_SUITE_P(Quotient, EveryForm, testing::Values(&quotient, &quotient_on_coset),
                         [](const auto& info) { return info.index == 0 ? "SixTransforms" : "SevenTransforms"; });

TEST_P(EveryForm, SmallVectorsAgree) {
  for (const auto& entry : test::vector_json("primitives/domain.json").at("quotients")) {
    const auto values = [&](const char* name) { return test::fr_list(entry.at(name)); };
    auto expected = values("h_all_m_coefficients");
    auto found = h(values("a"), values("b"), values("c"));
    ASSERT_EQ(found.size(), entry.at("m"));
    if (entry.at("satisfied")) {
      EXPECT_TRUE(found.back().is_zero());
    }
    found.resize(entry.at("h_used"));
    expected.resize(entry.at("h_used"));
    EXPECT_EQ(found, expected) << "n = " << entry.at("n");
  }
}

TEST_P(EveryForm, BigVectorsAgree) {
  for (const auto& entry : test::vector_json("primitives/domain.json").at("quotients_big")) {
    const auto n = entry.at("n").get<std::size_t>();
    const auto a = test::fr_chain(test::fr_from_hex(entry.at("a0")), n);
    const auto b = test::fr_chain(test::fr_from_hex(entry.at("b0")), n);
    std::vector<Fr> c(n);
    for (std::size_t i = 0; i < n; ++i) c[i] = a[i] * b[i];
    const auto found = h(a, b, c);
    EXPECT_EQ(test::hex_of(found[0]), entry.at("h0"));
    EXPECT_EQ(test::hex_of(found[1]), entry.at("h1"));
    EXPECT_EQ(test::hex_of(found[found.size() - 2]), entry.at("h_m_minus_2"));
    EXPECT_EQ(test::sha256_of(std::span(found).first(found.size() - 1)), entry.at("h_first_m_minus_1_sha256"));
  }
}

TEST(Quotient, OfSidesTakesOneAtATimeAndWhatIsNotGivenAsZeros) {
  constexpr std::size_t kCount = 150;
  test::Random random(2);
  const Domain domain(8);
  ThreadPool& pool = ThreadPool::shared();
  const auto a = test::random_fields<Fr>(kCount, random), b = test::random_fields<Fr>(kCount, random),
             c = test::random_fields<Fr>(kCount, random);
  const auto full = quotient(domain, test::padded(a, 256), test::padded(b, 256), test::padded(c, 256), pool);
  std::vector<QuotientSide> asked;
  const auto values_of = [&](QuotientSide side, std::span<Fr> values) {
    asked.push_back(side);
    std::ranges::fill(values, Fr::from_u64(77));
    std::ranges::copy(side == QuotientSide::a ? a : side == QuotientSide::b ? b : c, values.begin());
  };
  const auto first = quotient_of_sides(domain, kCount, values_of, pool);
  EXPECT_EQ(asked, (std::vector{QuotientSide::a, QuotientSide::b, QuotientSide::c}));
  EXPECT_TRUE(std::equal(full.begin(), full.end(), first.begin()));
}

TEST(Quotient, FormsAgreeOnSatisfiedValuesAndDifferOnlyInTheLastOtherwise) {
  test::Random random(1);
  const Domain domain(8);
  const auto a = test::random_fields<Fr>(256, random), b = test::random_fields<Fr>(256, random);
  const auto c = test::random_fields<Fr>(256, random);
  ThreadPool& pool = ThreadPool::shared();
  const auto six = quotient(domain, test::padded(a, 256), test::padded(b, 256), test::padded(c, 256), pool);
  const auto seven = quotient_on_coset(domain, test::padded(a, 256), test::padded(b, 256), test::padded(c, 256), pool);
  for (std::size_t i = 0; i + 1 < 256; ++i) EXPECT_EQ(six[i], seven[i]) << i;
}

}  // namespace
}  // namespace cuzk
