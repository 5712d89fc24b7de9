#include "cuda/query_sums.h"

#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "cuda/conditional_sum.h"
#include "cuda/msm.h"
#include "cuda/proof_part.h"
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
  QueryTiles(const Queue& queue, const QueryValues& values, const Tiling& tiling, std::size_t points)
      : queue_(queue),
        values_(values),
        tiling_(tiling),
        ones_(tile_starts(queue, values.ones.span(), tiling.points, points)),
        elements_(tile_starts(queue, values.indices.span(), tiling.points, points)) {}

  template <class Curve>
  Point<Curve> sum(std::size_t first, std::span<const AffinePoint<Curve>> tile) const {
    const auto [ones_begin, ones] = range(ones_, first);
    const auto [begin, count] = range(elements_, first);
    const auto bits = within_tile(queue_, values_.ones.span().subspan(ones_begin, ones), first);
    const auto indices = within_tile(queue_, values_.indices.span().subspan(begin, count), first);
    return listed_sum<Curve>(queue_, tile, bits.span()) +
           multi_scalar_mul_indexed<Curve>(queue_, tile, indices.span(), values_.scalars.span().subspan(begin, count),
                                           msm_tuning(queue_.device, count, tiling_.digits));
  }

 private:
  std::pair<std::size_t, std::size_t> range(const std::vector<u32>& starts, std::size_t first) const {
    const std::size_t tile = first / tiling_.points;
    return {starts[tile], starts[tile + 1] - starts[tile]};
  }

  const Queue& queue_;
  const QueryValues& values_;
  Tiling tiling_;
  std::vector<u32> ones_, elements_;
};

}  // namespace

template <class Curve>
Point<Curve> sum_query(const Queue& queue, const KeyPoints<Curve>& points, const QueryValues& values,
                       const Tiling& tiling) {
  if (points.is_resident() && tiling.points >= points.size()) {
    return listed_sum<Curve>(queue, points.on_device(), values.ones.span()) +
           multi_scalar_mul_indexed<Curve>(queue, points.on_device(), values.indices.span(), values.scalars.span(),
                                           msm_tuning(queue.device, values.scalars.size(), tiling.digits));
  }
  const QueryTiles tiles(queue, values, tiling, points.size());
  Point<Curve> sum = Point<Curve>::infinity();
  for_each_tile(queue, points, tiling.points, [&](std::size_t first, std::span<const AffinePoint<Curve>> tile) {
    sum += tiles.sum<Curve>(first, tile);
  });
  return sum;
}

template <class Curve>
void sum_queries(const Queue& queue, const KeyPoints<Curve>& points, std::span<ProofPart> parts,
                 std::span<const QueryValues> values, std::span<Point<Curve>> sums, const Tiling& tiling) {
  std::vector<std::optional<QueryTiles>> tiles(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i)
    parts[i].attempt([&] { tiles[i].emplace(queue, values[i], tiling, points.size()); });
  for_each_tile(queue, points, tiling.points, [&](std::size_t first, std::span<const AffinePoint<Curve>> tile) {
    for (std::size_t i = 0; i < parts.size(); ++i)
      parts[i].attempt([&] { sums[i] += tiles[i]->template sum<Curve>(first, tile); });
  });
}

template void sum_queries(const Queue&, const KeyPoints<G1Curve>&, std::span<ProofPart>, std::span<const QueryValues>,
                          std::span<G1>, const Tiling&);
template void sum_queries(const Queue&, const KeyPoints<G2Curve>&, std::span<ProofPart>, std::span<const QueryValues>,
                          std::span<G2>, const Tiling&);
template G1 sum_query(const Queue&, const KeyPoints<G1Curve>&, const QueryValues&, const Tiling&);
template G2 sum_query(const Queue&, const KeyPoints<G2Curve>&, const QueryValues&, const Tiling&);

}  // namespace cuzk::cuda
