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

/// Writes the buckets' sums. A bucket that several groups share gets a run of their parts.
template <class Curve>
void join(const std::vector<std::vector<Partial<Curve>>>& groups, std::span<AffinePoint<Curve>> sums) {
  std::ranges::fill(sums, AffinePoint<Curve>::infinity());
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
}

/// Fills the buckets from points that lie near each other.
template <class Curve>
void fill_buckets(const Bases<Curve>& bases, std::span<const std::int16_t> digits, std::span<AffinePoint<Curve>> sums,
                  WindowScratch<Curve>& scratch, ThreadPool& pool) {
  const SortedDigits sorted = sort_by_bucket(digits, sums.size());
  const std::size_t entries = sorted.entries.size();
  std::vector<std::vector<Partial<Curve>>> groups((entries + kGroup - 1) / kGroup);
  pool.parallel_for(0, groups.size(), 1, [&](std::size_t begin, std::size_t end) {
    RunSums<Curve>& runs = scratch.runs.own();
    for (std::size_t g = begin; g < end; ++g) {
      pool.check_stop();
      groups[g] = sum_group(bases, sorted, g * kGroup, std::min(entries, (g + 1) * kGroup), runs);
    }
  });
  join(groups, sums);
}

/// Adds all parts of the buckets [begin, end) into the first; part p has its buckets at p * buckets.
template <class Curve>
void add_parts(std::span<AffinePoint<Curve>> parts, std::size_t buckets, std::size_t begin, std::size_t end,
               RunSums<Curve>& runs) {
  runs.clear();
  for (std::size_t bucket = begin; bucket < end; ++bucket) {
    for (std::size_t i = bucket; i < parts.size(); i += buckets) {
      if (!parts[i].is_infinity()) runs.push(parts[i]);
    }
    runs.end_run();
  }
  std::ranges::copy(runs.sum(), parts.begin() + static_cast<std::ptrdiff_t>(begin));
}

template <class Curve>
void add_parts(std::span<AffinePoint<Curve>> parts, std::size_t buckets, WindowScratch<Curve>& scratch,
               ThreadPool& pool) {
  const std::size_t each = std::max<std::size_t>(1, kGroup / (parts.size() / buckets));
  pool.parallel_for(0, (buckets + each - 1) / each, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      pool.check_stop();
      add_parts(parts, buckets, i * each, std::min(buckets, (i + 1) * each), scratch.runs.own());
    }
  });
}

/// The sum of (b + 1) * buckets[b]. Halving: the sum of b E_b is the sum of E_(2b+1) plus twice that of b (E_2b +
/// E_(2b+1)); so 2 additions for each bucket, all of them in pairs.
template <class Curve>
Point<Curve> weighted_sum(std::span<const AffinePoint<Curve>> buckets, RunSums<Curve>& odds, RunSums<Curve>& halves) {
  std::vector<AffinePoint<Curve>> sums;
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
    sums.assign(halves.sum().begin(), halves.sum().end());
    buckets = sums;
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
  if (std::ranges::all_of(digits, [](int digit) { return digit == 0; })) return Point<Curve>::infinity();
  const std::size_t count = (digits.size() + kNearPoints - 1) / kNearPoints;
  auto lease = scratch.parts.take(count * buckets);
  const std::span<AffinePoint<Curve>> parts = lease.span().first(count * buckets);
  pool.parallel_for(0, count, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      const std::size_t first = p * kNearPoints, size = std::min(kNearPoints, digits.size() - first);
      fill_buckets(bases.from(first), digits.subspan(first, size), parts.subspan(p * buckets, buckets), scratch, pool);
    }
  });
  if (count > 1) add_parts(parts, buckets, scratch, pool);
  return weighted_sum<Curve>(parts.first(buckets), scratch.odds.own(), scratch.halves.own());
}

template G1 window_sum(const Bases<G1Curve>&, std::span<const std::int16_t>, std::size_t, WindowScratch<G1Curve>&,
                       ThreadPool&);
template G2 window_sum(const Bases<G2Curve>&, std::span<const std::int16_t>, std::size_t, WindowScratch<G2Curve>&,
                       ThreadPool&);

}  // namespace cuzk::msm
