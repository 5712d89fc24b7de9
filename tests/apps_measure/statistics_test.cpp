#include "measure/statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace cuzk::measure {
namespace {

using testing::HasSubstr;

TEST(Quantile, LiesBetweenNeighbours) {
  const std::vector<double> values{4, 1, 3, 2};
  EXPECT_DOUBLE_EQ(quantile(values, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(values, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile(values, 0.9), 3.7);
  EXPECT_DOUBLE_EQ(quantile(values, 1), 4);
  EXPECT_DOUBLE_EQ(quantile(std::vector<double>{7}, 0.99), 7);
  EXPECT_DOUBLE_EQ(quantile({}, 0.5), 0);
}

TEST(Summary, OfKnownSamples) {
  const Summary s = summary_of(std::vector<double>{10, 20, 30, 40, 50});
  EXPECT_EQ(s.count, 5u);
  EXPECT_DOUBLE_EQ(s.median, 30);
  EXPECT_DOUBLE_EQ(s.p90, 46);
  EXPECT_DOUBLE_EQ(s.p99, 49.6);
  EXPECT_DOUBLE_EQ(s.least, 10);
  EXPECT_DOUBLE_EQ(s.most, 50);
  EXPECT_DOUBLE_EQ(s.spread, 20.0 / 30);
}

/// Tables of the distributions: the fewest observations with which a two-sided test at 5% can say anything.
TEST(SamplesNeeded, AreThoseOfTheTables) {
  EXPECT_EQ(pairs_needed(1), 6u);
  EXPECT_EQ(samples_needed(1), 4u);
  EXPECT_EQ(pairs_needed(10), 9u) << "2 / 2^9 is the first below 0.05 / 10";
}

/// Hollander, Wolfe, Chicken, table of the signed-rank statistic: with ten pairs the interval at 95% leaves out the eight
/// smallest and the eight largest of the 55 means.
TEST(ComparePairs, HasTheIntervalOfTheTable) {
  std::vector<double> samples, old(10, 1.0);
  for (int i = 1; i <= 10; ++i) samples.push_back(std::exp(i));
  std::vector<double> means;
  for (int i = 1; i <= 10; ++i)
    for (int j = i; j <= 10; ++j) means.push_back((i + j) / 2.0);
  std::sort(means.begin(), means.end());
  const Comparison comparison = compare_pairs(samples, old);
  EXPECT_NEAR(std::log(comparison.low), means[8], 1e-9);
  EXPECT_NEAR(std::log(comparison.high), means[means.size() - 9], 1e-9);
  EXPECT_NEAR(std::log(comparison.ratio), 5.5, 1e-9);
  EXPECT_EQ(comparison.verdict, Verdict::more);
}

std::vector<double> noisy(double median, double width, std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::lognormal_distribution<double> distribution(std::log(median), width);
  std::vector<double> samples(count);
  for (double& sample : samples) sample = distribution(random);
  return samples;
}

TEST(Compare, FewSamplesSaySoAndHowManyAreNeeded) {
  const std::vector<double> fast{1, 1, 1}, slow{9, 9, 9};
  EXPECT_EQ(compare(slow, fast).verdict, Verdict::too_few);
  EXPECT_EQ(compare_pairs(slow, fast).verdict, Verdict::too_few);
  EXPECT_THAT(text_of(compare_pairs(slow, fast)), HasSubstr("too few samples: 3, at least 6 are needed"));
  EXPECT_EQ(compare_pairs({}, {}).verdict, Verdict::too_few);
}

/// The story: two rounds of a toy proof had a spread of 0.1%, and a difference of 2% was believed.
TEST(Compare, TwoSamplesThatAgreeByChanceProveNothing) {
  EXPECT_EQ(compare_pairs(std::vector<double>{1.02, 1.0201}, std::vector<double>{1.0, 1.0001}).verdict,
            Verdict::too_few);
}

/// At a risk of 5% fifty of a thousand would be an expected number of errors; the 1% that is not told apart makes it fewer.
TEST(Compare, EqualDistributionsDifferSeldom) {
  int pairs = 0, sets = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const auto a = noisy(10, 0.1, 12, 2 * seed), b = noisy(10, 0.1, 12, 2 * seed + 1);
    pairs += compare_pairs(a, b).verdict != Verdict::no_difference;
    sets += compare(a, b).verdict != Verdict::no_difference;
  }
  EXPECT_LE(pairs, 60);
  EXPECT_LE(sets, 60);
}

TEST(Compare, DifferencesThatAreThereAreFound) {
  const auto a = noisy(12, 0.05, 20, 1), b = noisy(10, 0.05, 20, 2);
  for (const Comparison& comparison : {compare(a, b), compare_pairs(a, b)}) {
    EXPECT_EQ(comparison.verdict, Verdict::more);
    EXPECT_NEAR(comparison.ratio, 1.2, 0.06);
    EXPECT_LE(comparison.low, comparison.ratio);
    EXPECT_GE(comparison.high, comparison.ratio);
  }
  EXPECT_EQ(compare(b, a).verdict, Verdict::less);
}

/// What changes slowly with time, such as a neighbour's work, falls out of pairs and not of sets.
TEST(Compare, PairsSeeThroughADrift) {
  std::vector<double> a, b;
  for (int i = 0; i < 12; ++i) {
    const double drift = 1 + 0.5 * i;
    b.push_back(10 * drift * (i % 2 == 0 ? 1.001 : 0.999));
    a.push_back(10.5 * drift);
  }
  EXPECT_EQ(compare_pairs(a, b).verdict, Verdict::more);
  EXPECT_EQ(compare(a, b).verdict, Verdict::no_difference);
}

TEST(Compare, LessThanAPercentIsNoDifference) {
  std::vector<double> a, b;
  for (int i = 0; i < 50; ++i) {
    b.push_back(10 + 0.001 * i);
    a.push_back(1.005 * b.back());
  }
  EXPECT_EQ(compare_pairs(a, b).verdict, Verdict::no_difference);
  EXPECT_THAT(text_of(compare_pairs(a, b)), HasSubstr("no difference within noise"));
}

TEST(Compare, ManySamplesTakeNoLongTime) {
  const auto a = noisy(10, 0.3, 20'000, 1), b = noisy(11, 0.3, 20'000, 2);
  EXPECT_EQ(compare(b, a).verdict, Verdict::more);
  EXPECT_EQ(compare_pairs(b, a).verdict, Verdict::more);
}

}  // namespace
}  // namespace cuzk::measure
