#include "cuda/fresh_key.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cuda/fixed_base.h"
#include "curve/point.h"
#include "groth16/key_scalars.h"

namespace cuzk::cuda {
namespace {

/// Scalars whose points are made at a time: 7 GB of G1, 14 GB of G2.
template <class Curve>
constexpr std::size_t kPiece = (std::size_t{1} << 22) * sizeof(Fp) / sizeof(typename Curve::Field);

struct Work {
  const Queue& queue;
  const groth16::Control& control;
};

/// scalars_of(first, count) gives the scalars of a piece.
template <class Curve, class Scalars>
DeviceBuffer<AffinePoint<Curve>> make_points(const FixedBase<Curve>& table, std::size_t count, const Work& work,
                                             const Scalars& scalars_of) {
  DeviceBuffer<AffinePoint<Curve>> points(work.queue.memory, count);
  for (std::size_t first = 0; first < count; first += kPiece<Curve>) {
    work.control.check("setup");
    const std::size_t piece = std::min(kPiece<Curve>, count - first);
    const auto host = scalars_of(first, piece);
    const DeviceBuffer<Fr> scalars = upload<Fr>(work.queue.memory, host, work.queue.stream);
    table.multiply(scalars.span(), points.span().subspan(first, piece));
  }
  work.queue.stream.synchronize();
  return points;
}

template <class Curve>
DeviceBuffer<AffinePoint<Curve>> make_query(const FixedBase<Curve>& table, const std::vector<Fr>& scalars,
                                            const Work& work) {
  return make_points(table, scalars.size(), work, [&](std::size_t first, std::size_t piece) {
    return std::span<const Fr>(scalars).subspan(first, piece);
  });
}

}  // namespace

std::shared_ptr<const CudaKey> make_key(const Queue& queue, const r1cs::Circuit& circuit,
                                        const groth16::ToxicWaste& waste, ThreadPool& pool,
                                        const groth16::Control& control) {
  const Work work{queue, control};
  groth16::KeyScalars scalars(circuit, waste, pool, control);
  const groth16::KeyLengths lengths = groth16::key_lengths(circuit);
  CudaKey::Points points;
  groth16::VerifyingKey verifying_key = scalars.verifying_key();
  const FixedBase<G1Curve> table(queue, G1::generator());
  points.h = make_points(table, lengths.h, work, [&](auto first, auto piece) { return scalars.h(first, piece); });
  points.l = make_points(table, lengths.l, work, [&](auto first, auto piece) { return scalars.l(first, piece); });
  points.a = make_query(table, scalars.take_a(), work);
  const std::vector<Fr> b = scalars.take_b();
  points.b_g1 = make_query(table, b, work);
  points.b_g2 = make_query(FixedBase<G2Curve>(queue, G2::generator()), b, work);
  return std::make_shared<CudaKey>(std::move(verifying_key), std::move(points));
}

}  // namespace cuzk::cuda
