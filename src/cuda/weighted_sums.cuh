/// Of a window's buckets: the sum of (i + 1) times bucket i.
///
/// With i = columns * row + column, the sum of i times bucket i is columns times the weighted sum of the rows' sums plus
/// the weighted sum of the columns' sums. Rows and columns are added in pairs; the few sums that are left are weighed in
/// projective coordinates. Cost: two additions a bucket.
#pragma once

#include <vector>

#include "cuda/pair_adder.cuh"
#include "cuda/pair_lists.cuh"
#include "cuda/projective_sums.h"
#include "cuda/tuning.h"
#include "curve/point.h"

namespace cuzk::cuda {

template <class Curve>
class WeightedSums {
 public:
  using Affine = AffinePoint<Curve>;
  using Jacobian = Point<Curve>;

  /// For tables of up to `points` points in all.
  WeightedSums(const Queue& queue, std::size_t points) : queue_(queue), adder_(queue, points / 2 + 1) {}

  /// `points` are tables of 2^log2_size points each; one sum for each table. Waits for the device.
  std::vector<Jacobian> of(std::span<const Affine> points, unsigned log2_size) {
    const std::vector<Sums> sums = weigh(points, log2_size);
    std::vector<Jacobian> results;
    for (const Sums& of_table : sums) results.push_back(of_table.weighted + of_table.plain);
    return results;
  }

 private:
  using Sums = TableSums<Curve>;

  std::vector<Sums> weigh(std::span<const Affine> points, unsigned log2_size) {
    if (points.size() <= tuning_for(queue_.device).few_weighed_points) return weigh_few<Curve>(queue_, points, log2_size);
    const unsigned log2_columns = log2_size / 2;
    const DeviceBuffer<Affine> columns = add_columns(points, log2_size - log2_columns, log2_columns);
    const DeviceBuffer<Affine> rows = add_rows(points, log2_columns);
    std::vector<Sums> sums = weigh(rows.span(), log2_size - log2_columns);
    const std::vector<Sums> of_columns = weigh(columns.span(), log2_columns);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      for (unsigned k = 0; k < log2_columns; ++k) sums[i].weighted = sums[i].weighted.doubled();
      sums[i].weighted += of_columns[i].weighted;
    }
    return sums;
  }

  DeviceBuffer<Affine> add_rows(std::span<const Affine> points, unsigned log2_columns) {
    DeviceBuffer<Affine> sums = add<NeighbourPairs>(points, {static_cast<u32>(points.size())});
    for (unsigned k = 1; k < log2_columns; ++k)
      sums = add<NeighbourPairs>(sums.span(), {static_cast<u32>(sums.size())});
    return sums;
  }

  DeviceBuffer<Affine> add_columns(std::span<const Affine> points, unsigned log2_rows, unsigned log2_columns) {
    const auto halves = [&](std::size_t size, unsigned k) {
      return HalvesPairs{static_cast<u32>(size), log2_columns + log2_rows - 1 - k};
    };
    DeviceBuffer<Affine> sums = add(points, halves(points.size(), 0));
    for (unsigned k = 1; k < log2_rows; ++k) sums = add(sums.span(), halves(sums.size(), k));
    return sums;
  }

  template <class Pairs>
  DeviceBuffer<Affine> add(std::span<const Affine> points, const Pairs& pairs) {
    DeviceBuffer<Affine> sums(queue_.memory, pairs.size());
    adder_.add(points.data(), pairs, pairs.size(), sums.data());
    return sums;
  }

  const Queue& queue_;
  PairAdder<Curve> adder_;
};

}  // namespace cuzk::cuda
