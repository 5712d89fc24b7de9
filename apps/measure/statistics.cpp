#include "measure/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cuzk::measure {
namespace {

constexpr std::size_t kMostExact = 50;     // ranks up to here by their exact distribution, beyond by the normal one
constexpr std::size_t kMostSamples = 400;  // more are taken together in blocks: all pairs of them are looked at

/// The k for which P(statistic < k) does not exceed `risk` / 2, of a distribution that counts[i] ways of `all` give i; 0
/// where even the smallest value is too likely.
std::size_t critical(const std::vector<double>& counts, double risk) {
  const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
  double below = 0;
  std::size_t k = 0;
  while (k < counts.size() && (below + counts[k]) / all <= risk / 2) below += counts[k++];
  return k;
}

/// The same where the statistic is normal.
std::size_t critical_normal(double mean, double variance, double risk) {
  double low = 0, high = 10;
  for (int i = 0; i < 60; ++i) {  // the quantile of the normal distribution, by halves
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::sqrt(2.0)) > risk ? low : high) = middle;
  }
  return static_cast<std::size_t>(std::max(0.0, mean - low * std::sqrt(variance)));
}

/// Of the sum of the ranks of the positive ones among n signed values.
std::size_t critical_signed_rank(std::size_t n, double risk) {
  const double size = static_cast<double>(n);
  if (n > kMostExact) return critical_normal(size * (size + 1) / 4, size * (size + 1) * (2 * size + 1) / 24, risk);
  std::vector<double> counts(n * (n + 1) / 2 + 1);
  counts[0] = 1;
  for (std::size_t rank = 1; rank <= n; ++rank)
    for (std::size_t sum = counts.size(); sum-- > rank;) counts[sum] += counts[sum - rank];
  return critical(counts, risk);
}

/// Of the number of pairs in which one of n values is above one of m.
std::size_t critical_rank_sum(std::size_t n, std::size_t m, double risk) {
  const double a = static_cast<double>(n), b = static_cast<double>(m);
  if (n > kMostExact || m > kMostExact) return critical_normal(a * b / 2, a * b * (a + b + 1) / 12, risk);
  // ways[j][u]: j of the values so far are of the first set and have u pairs.
  std::vector<std::vector<double>> ways(n + 1, std::vector<double>(n * m + 1));
  ways[0][0] = 1;
  for (std::size_t seen = 1; seen <= n + m; ++seen)
    for (std::size_t j = std::min(n, seen); j >= 1; --j) {
      const std::size_t others = seen - j;  // of the second set, below this value of the first
      if (others > m) break;
      for (std::size_t u = ways[j].size(); u-- > others;) ways[j][u] += ways[j - 1][u - others];
    }
  return critical(ways[n], risk);
}

std::vector<double> sorted(std::span<const double> samples) {
  std::vector<double> values(samples.begin(), samples.end());
  std::ranges::sort(values);
  return values;
}

std::vector<double> logarithms(std::span<const double> samples) {
  std::vector<double> values;
  constexpr double kLeast = 1e-12;  // a clock that saw nothing pass
  for (const double sample : samples) values.push_back(std::log(std::max(sample, kLeast)));
  return values;
}

/// At most kMostSamples: medians of neighbours.
std::vector<double> in_blocks(const std::vector<double>& values) {
  if (values.size() <= kMostSamples) return values;
  std::vector<double> medians;
  for (std::size_t block = 0; block < kMostSamples; ++block) {
    const std::size_t begin = block * values.size() / kMostSamples, end = (block + 1) * values.size() / kMostSamples;
    medians.push_back(quantile(std::span(values).subspan(begin, end - begin), 0.5));
  }
  return medians;
}

Verdict verdict_of(double low, double high) {
  if (high < 1 - kIndistinct) return Verdict::less;
  return low > 1 + kIndistinct ? Verdict::more : Verdict::no_difference;
}

/// From the logarithms of all ratios and the number of them that the interval leaves out on each side.
Comparison from_ratios(std::vector<double> ratios, std::size_t left_out, std::size_t have, std::size_t needed) {
  std::ranges::sort(ratios);
  Comparison result{.ratio = std::exp(quantile(ratios, 0.5)), .have = have, .needed = needed};
  if (left_out == 0 || have < needed) return result;
  left_out = std::min(left_out, (ratios.size() + 1) / 2);
  result.low = std::exp(ratios[left_out - 1]);
  result.high = std::exp(ratios[ratios.size() - left_out]);
  result.verdict = verdict_of(result.low, result.high);
  return result;
}

template <class Critical>
std::size_t fewest(Critical&& critical_of) {
  std::size_t count = 1;
  while (critical_of(count) == 0) ++count;
  return count;
}

double risk_of(std::size_t comparisons) { return kRisk / static_cast<double>(std::max<std::size_t>(comparisons, 1)); }

}  // namespace

double quantile(std::span<const double> samples, double part) {
  if (samples.empty()) return 0;
  const std::vector<double> values = sorted(samples);
  const double place = std::clamp(part, 0.0, 1.0) * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], place - static_cast<double>(below));
}

Summary summary_of(std::span<const double> samples) {
  if (samples.empty()) return {};
  const std::vector<double> values = sorted(samples);
  Summary summary{.count = values.size(),
                  .median = quantile(values, 0.5),
                  .p90 = quantile(values, 0.9),
                  .p99 = quantile(values, 0.99),
                  .least = values.front(),
                  .most = values.back()};
  if (summary.median != 0) summary.spread = (quantile(values, 0.75) - quantile(values, 0.25)) / summary.median;
  return summary;
}

std::size_t pairs_needed(std::size_t comparisons) {
  return fewest([&](std::size_t n) { return critical_signed_rank(n, risk_of(comparisons)); });
}

std::size_t samples_needed(std::size_t comparisons) {
  return fewest([&](std::size_t n) { return critical_rank_sum(n, n, risk_of(comparisons)); });
}

Comparison compare(std::span<const double> samples, std::span<const double> old, std::size_t comparisons) {
  const std::vector<double> a = in_blocks(logarithms(samples)), b = in_blocks(logarithms(old));
  std::vector<double> ratios;
  ratios.reserve(a.size() * b.size());
  for (const double x : a)
    for (const double y : b) ratios.push_back(x - y);
  return from_ratios(std::move(ratios), critical_rank_sum(a.size(), b.size(), risk_of(comparisons)),
                     std::min(samples.size(), old.size()), samples_needed(comparisons));
}

Comparison compare_pairs(std::span<const double> samples, std::span<const double> old, std::size_t comparisons) {
  std::vector<double> differences = logarithms(samples);
  const std::vector<double> b = logarithms(old);
  differences.resize(std::min(differences.size(), b.size()));
  for (std::size_t i = 0; i < differences.size(); ++i) differences[i] -= b[i];
  const std::vector<double> blocks = in_blocks(differences);
  std::vector<double> ratios;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (std::size_t j = i; j < blocks.size(); ++j) ratios.push_back((blocks[i] + blocks[j]) / 2);
  return from_ratios(std::move(ratios), critical_signed_rank(blocks.size(), risk_of(comparisons)), differences.size(),
                     pairs_needed(comparisons));
}

std::string text_of(const Comparison& comparison) {
  switch (comparison.verdict) {
    case Verdict::too_few:
      return fmt::format("too few samples: {}, at least {} are needed", comparison.have, comparison.needed);
    case Verdict::no_difference:
      return fmt::format("no difference within noise ({:+.1f}% to {:+.1f}%)", 100 * (comparison.low - 1),
                         100 * (comparison.high - 1));
    default:
      return fmt::format("{:.3f} times as much ({:.3f} to {:.3f})", comparison.ratio, comparison.low, comparison.high);
  }
}

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::less: return "less";
    case Verdict::more: return "more";
    case Verdict::no_difference: return "no difference within noise";
    default: return "too few samples";
  }
}

}  // namespace cuzk::measure
