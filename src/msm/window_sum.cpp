#include "msm/window_sum.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/ablation.h"
#include "base/buffer.h"

namespace cuzk::msm {
namespace {

/// Points that a thread adds together: 1.5 MiB of G1.
constexpr std::size_t kGroup = std::size_t{1} << 14;

/// How many entries before its use a point is asked for: sorted entries lie all over memory.
constexpr std::size_t kAhead = 12;

template <class Affine>
void prefetch(const Affine& point) {
  const auto* bytes = reinterpret_cast<const char*>(&point);
  for (std::size_t line = 0; line < sizeof(Affine); line += 64) __builtin_prefetch(bytes + line);
  __builtin_prefetch(bytes + sizeof(Affine) - 1);
}

/// The digits of a window that are not 0, by bucket: bucket b (for digits b + 1 and -(b + 1)) has the entries
/// [begin[b], begin[b + 1]). An entry is twice the index, plus 1 for a negative digit.
struct SortedDigits {
  std::vector<u32> begin;
  Buffer<u32> entries;
};

SortedDigits sort_by_bucket(std::span<const std::int16_t> digits, std::size_t buckets) {
  SortedDigits sorted;
  std::vector<u32>& begin = sorted.begin;
  begin.assign(buckets + 2, 0);
  // Counted one place further on, so that placing the entries leaves every bucket's begin where it belongs.
  for (const int digit : digits) begin[static_cast<std::size_t>(std::abs(digit)) + 1] += digit != 0 ? 1 : 0;
  for (std::size_t b = 1; b < begin.size(); ++b) begin[b] += begin[b - 1];
  sorted.entries = Buffer<u32>(begin.back());
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const int digit = digits[i];
    if (digit == 0) continue;
    sorted.entries[begin[static_cast<std::size_t>(std::abs(digit))]++] = static_cast<u32>(2 * i + (digit < 0 ? 1 : 0));
  }
  begin.pop_back();
  return sorted;
}

/// The part of a bucket that one group of entries holds.
template <class Curve>
struct Partial {
  std::size_t bucket;
  AffinePoint<Curve> sum;
};

/// Sums the entries [first, last), bucket by bucket.
template <class Curve>
std::vector<Partial<Curve>> sum_group(const Bases<Curve>& bases, const SortedDigits& sorted, std::size_t first,
                                      std::size_t last, RunSums<Curve>& sums) {
  std::vector<Partial<Curve>> partials;
  sums.clear();
  const auto after = std::upper_bound(sorted.begin.begin(), sorted.begin.end(), first);
  auto bucket = static_cast<std::size_t>(after - sorted.begin.begin()) - 1;
  const std::size_t fetched = is_left_out(Optimization::prefetch) ? 0 : last;
  for (std::size_t i = first; i < last; ++bucket) {
    const std::size_t end = std::min<std::size_t>(last, sorted.begin[bucket + 1]);
    if (i == end) continue;
    for (; i < end; ++i) {
      if (i + kAhead < fetched) prefetch(bases[sorted.entries[i + kAhead] / 2]);
      const auto& point = bases[sorted.entries[i] / 2];
      sums.push(sorted.entries[i] % 2 != 0 ? -point : point);
    }
    sums.end_run();
    partials.push_back({bucket, AffinePoint<Curve>::infinity()});
  }
  const auto results = sums.sum();
  for (std::size_t i = 0; i < results.size(); ++i) partials[i].sum = results[i];
  return partials;
}

/// The buckets' sums. A bucket that several groups share gets a run of their parts.
template <class Curve>
std::vector<AffinePoint<Curve>> join(const std::vector<std::vector<Partial<Curve>>>& groups, std::size_t buckets) {
  std::vector<AffinePoint<Curve>> sums(buckets, AffinePoint<Curve>::infinity());
  RunSums<Curve> shared;
  std::vector<std::size_t> shared_buckets;
  const auto end_run = [&] {
    if (!shared_buckets.empty()) shared.end_run();
  };
  for (const auto& group : groups) {
    for (const auto& [bucket, sum] : group) {
      // Only neighbours can share, so that parts of one bucket follow each other.
      const bool is_edge = bucket == group.front().bucket || bucket == group.back().bucket;
      if (!is_edge) {
        sums[bucket] = sum;
        continue;
      }
      if (shared_buckets.empty() || shared_buckets.back() != bucket) {
        end_run();
        shared_buckets.push_back(bucket);
      }
      shared.push(sum);
    }
  }
  end_run();
  const auto results = shared.sum();
  for (std::size_t i = 0; i < results.size(); ++i) sums[shared_buckets[i]] = results[i];
  return sums;
}

template <class Curve>
std::vector<AffinePoint<Curve>> fill_buckets(const Bases<Curve>& bases, const SortedDigits& sorted, std::size_t buckets,
                                             WindowScratch<Curve>& scratch, ThreadPool& pool) {
  const std::size_t entries = sorted.entries.size();
  std::vector<std::vector<Partial<Curve>>> groups((entries + kGroup - 1) / kGroup);
  pool.parallel_for(0, groups.size(), 1, [&](std::size_t begin, std::size_t end) {
    RunSums<Curve>& sums = scratch.runs.own();
    for (std::size_t g = begin; g < end; ++g) {
      pool.check_stop();
      groups[g] = sum_group(bases, sorted, g * kGroup, std::min(entries, (g + 1) * kGroup), sums);
    }
  });
  return join(groups, buckets);
}

/// The sum of (b + 1) * buckets[b]. Halving: the sum of b E_b is the sum of E_(2b+1) plus twice that of b (E_2b +
/// E_(2b+1)); so 2 additions for each bucket, all of them in pairs.
template <class Curve>
Point<Curve> weighted_sum(std::vector<AffinePoint<Curve>> buckets, RunSums<Curve>& odds, RunSums<Curve>& halves) {
  odds.clear();
  while (buckets.size() > 1) {
    halves.clear();
    for (std::size_t b = 0; b < buckets.size(); b += 2) {
      odds.push(buckets[b + 1]);
      halves.push(buckets[b]);
      halves.push(buckets[b + 1]);
      halves.end_run();
    }
    odds.end_run();
    const auto sums = halves.sum();
    buckets.assign(sums.begin(), sums.end());
  }
  Point<Curve> result = Point<Curve>::infinity();
  const auto odd_sums = odds.sum();
  for (std::size_t level = odd_sums.size(); level-- > 0;) result = result.doubled() + odd_sums[level];
  return result + buckets.front();
}

}  // namespace

template <class Curve>
Point<Curve> window_sum(const Bases<Curve>& bases, std::span<const std::int16_t> digits, std::size_t buckets,
                        WindowScratch<Curve>& scratch, ThreadPool& pool) {
  const SortedDigits sorted = sort_by_bucket(digits, buckets);
  if (sorted.entries.empty()) return Point<Curve>::infinity();
  auto filled = fill_buckets(bases, sorted, buckets, scratch, pool);
  return weighted_sum<Curve>(std::move(filled), scratch.odds.own(), scratch.halves.own());
}

template G1 window_sum(const Bases<G1Curve>&, std::span<const std::int16_t>, std::size_t, WindowScratch<G1Curve>&,
                       ThreadPool&);
template G2 window_sum(const Bases<G2Curve>&, std::span<const std::int16_t>, std::size_t, WindowScratch<G2Curve>&,
                       ThreadPool&);

}  // namespace cuzk::msm
