/// What may be said of measured samples: order statistics, and whether two sets of them differ.
///
/// Times of a shared machine have long tails and no distribution that anyone knows, so everything here goes by ranks: the
/// quantiles of one set, and for two the ratio of the new to the old with an interval that holds whatever the distributions
/// are. The verdict is that interval's: a difference is believed only where the interval leaves out every ratio within
/// kIndistinct of 1.
/// Sources: Hodges and Lehmann, "Estimates of location based on rank tests" (1963); Hollander, Wolfe, Chicken,
/// "Nonparametric Statistical Methods", 3.2 and 4.2 (the intervals by the signed-rank and the rank-sum distribution).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace cuzk::measure {

/// Where the sizes of things are in memory and how code falls into cache lines makes differences of this order by itself.
inline constexpr double kIndistinct = 0.01;

/// How often, at most, a difference may be claimed where there is none; shared out among the comparisons of one table.
inline constexpr double kRisk = 0.05;

/// The value below which a part in [0, 1] of the samples lies, between neighbours by their distance (the median of two is
/// their mean); 0 where there are none.
double quantile(std::span<const double> samples, double part);

struct Summary {
  std::size_t count = 0;
  double median = 0, p90 = 0, p99 = 0, least = 0, most = 0;
  double spread = 0;  ///< the middle half's width as a share of the median
};
Summary summary_of(std::span<const double> samples);

enum class Verdict {
  less,           ///< the new values are smaller
  more,           ///< they are larger
  no_difference,  ///< none that these samples show
  too_few,        ///< no number of ranks could show one
};

/// The new samples against the old.
struct Comparison {
  double ratio = 1;          ///< new / old, as Hodges and Lehmann estimate it
  double low = 0, high = 0;  ///< its interval; both 0 where there are too few samples
  Verdict verdict = Verdict::too_few;
  std::size_t have = 0, needed = 0;  ///< samples of each set, or pairs
};

/// Of two sets that were taken one after the other. Samples above 0. `comparisons`: how many share the risk.
Comparison compare(std::span<const double> samples, std::span<const double> old, std::size_t comparisons = 1);

/// Of two sets that were taken in turn, sample by sample: each is compared with its neighbour, so that what changes slowly
/// with time falls out. As many of one as of the other.
Comparison compare_pairs(std::span<const double> samples, std::span<const double> old, std::size_t comparisons = 1);

/// The fewest pairs, or samples of each set, with which a difference can be shown at all.
std::size_t pairs_needed(std::size_t comparisons);
std::size_t samples_needed(std::size_t comparisons);

/// For people: "1.23 times as much (1.20 to 1.26)", "no difference within noise (-2.1% to +1.3%)", "too few samples: 3, at
/// least 6 are needed".
std::string text_of(const Comparison& comparison);

/// "less", "more", "no difference within noise", "too few samples": the words of JSON and CSV.
const char* name_of(Verdict verdict);

}  // namespace cuzk::measure
