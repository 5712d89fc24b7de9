#include "msm/fixed_base.h"

#include <algorithm>
#include <cstdlib>

#include "curve/normalize.h"
#include "msm/signed_digits.h"

namespace cuzk::msm {
namespace {

/// Scalars whose sums share their inversions; their points stay in the second cache.
constexpr std::size_t kBlock = 128;
/// Points that are asked for ahead: a large table lies in memory.
constexpr std::size_t kAhead = 64;

constexpr std::size_t digits_of_one_sign(unsigned bits) { return std::size_t{1} << (bits - 1); }
constexpr std::size_t table_size(unsigned bits) { return DigitReader::digits(bits) * digits_of_one_sign(bits); }

/// The width that takes the fewest additions.
unsigned best_bits(std::size_t scalars, std::size_t largest_table) {
  const auto additions = [&](unsigned bits) { return table_size(bits) + scalars * (DigitReader::digits(bits) - 1); };
  unsigned best = SignedDigits::kMinBits + 1;  // with 3 the digits do not reach every scalar
  for (unsigned bits = best + 1; bits <= SignedDigits::kMaxBits; ++bits) {
    if (table_size(bits) <= largest_table && additions(bits) < additions(best)) best = bits;
  }
  return best;
}

/// 2^(bits w) * base for every window w.
template <class Curve>
std::vector<AffinePoint<Curve>> window_bases(const Point<Curve>& base, unsigned bits) {
  std::vector<Point<Curve>> bases{base};
  while (bases.size() < DigitReader::digits(bits)) {
    Point<Curve> next = bases.back();
    for (unsigned i = 0; i < bits; ++i) next = next.doubled();
    bases.push_back(next);
  }
  return normalize(bases);
}

/// Writes 1, 2, 3, ... times the first point behind it: each round all that is there once more, plus the last of it.
template <class Curve>
void fill_with_multiples(std::span<AffinePoint<Curve>> multiples, PairScratch& scratch) {
  std::vector<AffinePoint<Curve>> operands;
  std::vector<PairSum<Curve>> pairs;
  for (std::size_t count = 1; count < multiples.size(); count *= 2) {
    operands.clear();
    for (const auto& multiple : multiples.first(count))
      operands.insert(operands.end(), {multiple, multiples[count - 1]});
    pairs.clear();
    for (std::size_t i = 0; i < count; ++i) pairs.push_back({&operands[2 * i], &multiples[count + i]});
    add_pairs<Curve>(pairs, scratch);
  }
}

template <class Affine>
void ask_for(const Affine& point) {
  for (std::size_t byte = 0; byte < sizeof point; byte += 64) {
    __builtin_prefetch(reinterpret_cast<const char*>(&point) + byte);
  }
}

}  // namespace

template <class Curve>
FixedBase<Curve>::FixedBase(const Point<Curve>& base, std::size_t scalars)
    : bits_(best_bits(scalars, kLargestTable / sizeof(Affine))),
      windows_(DigitReader::digits(bits_)),
      digits_(digits_of_one_sign(bits_)),
      table_(windows_ * digits_) {
  const std::vector<Affine> bases = window_bases(base, bits_);
  PairScratch scratch;
  for (std::size_t w = 0; w < windows_; ++w) {
    table_[w * digits_] = bases[w];
    fill_with_multiples<Curve>(std::span(table_).subspan(w * digits_, digits_), scratch);
  }
}

/// For each scalar and window the place in the table, counted from 1 and with the digit's sign; 0 where there is nothing to
/// add.
template <class Curve>
std::vector<i32> FixedBase<Curve>::places(std::span<const Fr> scalars) const {
  std::vector<i32> places;
  places.reserve(scalars.size() * windows_);
  for (const Fr& scalar : scalars) {
    DigitReader reader(scalar, bits_);
    for (std::size_t w = 0; w < windows_; ++w) {
      const i32 digit = reader.next(), before = static_cast<i32>(w * digits_);
      places.push_back(digit == 0 ? 0 : digit < 0 ? digit - before : digit + before);
    }
  }
  return places;
}

/// Pushes the multiples that make up scalar * base, a run for each scalar.
template <class Curve>
void FixedBase<Curve>::push_runs(std::span<const i32> places, RunSums<Curve>& sums) const {
  const auto multiple = [&](i32 place) -> const Affine& {
    return table_[static_cast<std::size_t>(std::abs(place)) - 1];
  };
  for (std::size_t i = 0; i < places.size(); i += windows_) {
    for (std::size_t j = i; j < i + windows_; ++j) {
      if (j + kAhead < places.size() && places[j + kAhead] != 0) ask_for(multiple(places[j + kAhead]));
      if (places[j] != 0) sums.push(places[j] < 0 ? -multiple(places[j]) : multiple(places[j]));
    }
    sums.end_run();
  }
}

template <class Curve>
std::vector<AffinePoint<Curve>> FixedBase<Curve>::multiply(std::span<const Fr> scalars, ThreadPool& pool) const {
  std::vector<Affine> results(scalars.size());
  const std::size_t blocks = (scalars.size() + kBlock - 1) / kBlock;
  pool.parallel_for(0, blocks, 1, [&](std::size_t begin, std::size_t end) {
    RunSums<Curve> sums;
    for (std::size_t block = begin; block < end; ++block) {
      const std::size_t first = block * kBlock;
      pool.check_stop();
      sums.clear();
      push_runs(places(scalars.subspan(first, std::min(kBlock, scalars.size() - first))), sums);
      std::ranges::copy(sums.sum(), results.begin() + static_cast<std::ptrdiff_t>(first));
    }
  });
  return results;
}

template class FixedBase<G1Curve>;
template class FixedBase<G2Curve>;

}  // namespace cuzk::msm
