#include "cuda/query_sums.h"

#include <numeric>
#include <utility>
#include <vector>

#include "cuda/conditional_sum.h"
#include "cuda/msm.h"
#include "cuda/query_lists.h"
#include "cuda/query_tiles.h"

namespace cuzk::cuda {

QueryValues l_values(const Queue& queue, const DeviceWitness& witness) {
  return list_values(queue, witness, nullptr, {});
}

QueryValues a_values(const Queue& queue, const DeviceCircuit& circuit, const DeviceWitness& witness) {
  std::vector<u32> inputs(circuit.inputs());
  std::iota(inputs.begin(), inputs.end(), 0U);
  return list_values(queue, witness, &circuit.a_aux(), inputs);
}

QueryValues b_values(const Queue& queue, const DeviceCircuit& circuit, const DeviceWitness& witness) {
  return list_values(queue, witness, &circuit.b_aux(), circuit.b_inputs());
}

namespace {

/// The part of a query's values that meets each tile of its points.
class QueryTiles {
 public:
  QueryTiles(const Queue& queue, const QueryValues& values, std::size_t tile_points, std::size_t points)
      : queue_(queue),
        values_(values),
        tile_points_(tile_points),
        ones_(tile_starts(queue, values.ones.span(), tile_points, points)),
        elements_(tile_starts(queue, values.indices.span(), tile_points, points)) {}

  template <class Curve>
  Point<Curve> sum(std::size_t first, std::span<const AffinePoint<Curve>> tile) const {
    const auto [ones_begin, ones] = range(ones_, first);
    const auto [begin, count] = range(elements_, first);
    const auto bits = within_tile(queue_, values_.ones.span().subspan(ones_begin, ones), first);
    const auto indices = within_tile(queue_, values_.indices.span().subspan(begin, count), first);
    return listed_sum<Curve>(queue_, tile, bits.span()) +
           multi_scalar_mul_indexed<Curve>(queue_, tile, indices.span(), values_.scalars.span().subspan(begin, count),
                                           msm_tuning(count, tile.size()));
  }

 private:
  std::pair<std::size_t, std::size_t> range(const std::vector<u32>& starts, std::size_t first) const {
    const std::size_t tile = first / tile_points_;
    return {starts[tile], starts[tile + 1] - starts[tile]};
  }

  const Queue& queue_;
  const QueryValues& values_;
  std::size_t tile_points_;
  std::vector<u32> ones_, elements_;
};

}  // namespace

template <class Curve>
Point<Curve> sum_query(const Queue& queue, const KeyPoints<Curve>& points, const QueryValues& values,
                       std::size_t tile_points) {
  if (points.is_resident() && tile_points >= points.size()) {
    return listed_sum<Curve>(queue, points.on_device(), values.ones.span()) +
           multi_scalar_mul_indexed<Curve>(queue, points.on_device(), values.indices.span(), values.scalars.span(),
                                           msm_tuning(values.scalars.size()));
  }
  const QueryTiles tiles(queue, values, tile_points, points.size());
  Point<Curve> sum = Point<Curve>::infinity();
  for_each_tile(queue, points, tile_points, [&](std::size_t first, std::span<const AffinePoint<Curve>> tile) {
    sum += tiles.sum<Curve>(first, tile);
  });
  return sum;
}

template G1 sum_query(const Queue&, const KeyPoints<G1Curve>&, const QueryValues&, std::size_t);
template G2 sum_query(const Queue&, const KeyPoints<G2Curve>&, const QueryValues&, std::size_t);

}  // namespace cuzk::cuda
