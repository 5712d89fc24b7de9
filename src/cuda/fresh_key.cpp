#include "cuda/fresh_key.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cuda/fixed_base.h"
#include "curve/point.h"
#include "groth16/key_scalars.h"

namespace cuzk::cuda {
namespace {

struct Work {
  const Queue& queue;
  const groth16::Control& control;
  KeyPlace place;
  std::size_t piece_bytes;

  /// Scalars whose points are made at a time: fixed_base.h says what each takes, and there is its point.
  template <class Curve>
  std::size_t piece() const {
    return std::max<std::size_t>(piece_bytes / (20 * sizeof(AffinePoint<Curve>)), 1024);
  }
};

/// Calls make(first, points on the device) for one piece after another.
template <class Curve, class Make>
KeyPoints<Curve> collect(std::size_t count, const Work& work, Make&& make) {
  using Affine = AffinePoint<Curve>;
  const bool on_device = work.place == KeyPlace::device;
  const std::size_t most = std::min(work.piece<Curve>(), count);
  DeviceBuffer<Affine> device(work.queue.memory, on_device ? count : most);
  Buffer<Affine> host(on_device ? 0 : count);
  for (std::size_t first = 0; first < count; first += most) {
    work.control.check("setup");
    const std::size_t piece = std::min(most, count - first);
    const auto points = device.span().subspan(on_device ? first : 0, piece);
    make(first, points);
    if (on_device) continue;
    cuda::copy(host.span().subspan(first, piece), std::span<const Affine>(points), work.queue.stream);
    work.queue.stream.synchronize();
  }
  work.queue.stream.synchronize();
  return on_device ? KeyPoints<Curve>(std::move(device)) : KeyPoints<Curve>(std::move(host));
}

/// scalars_of(first, count) gives the scalars of a piece.
template <class Curve, class Scalars>
KeyPoints<Curve> make_points(const FixedBase<Curve>& table, std::size_t count, const Work& work,
                             const Scalars& scalars_of) {
  return collect<Curve>(count, work, [&](std::size_t first, std::span<AffinePoint<Curve>> points) {
    const auto host = scalars_of(first, points.size());
    const DeviceBuffer<Fr> scalars = upload<Fr>(work.queue.memory, host, work.queue.stream);
    table.multiply(scalars.span(), points);
  });
}

template <class Curve>
KeyPoints<Curve> make_query(const FixedBase<Curve>& table, const std::vector<Fr>& scalars, const Work& work) {
  return make_points(table, scalars.size(), work, [&](std::size_t first, std::size_t piece) {
    return std::span<const Fr>(scalars).subspan(first, piece);
  });
}

}  // namespace

std::shared_ptr<const CudaKey> make_key(const Queue& queue, const r1cs::Circuit& circuit,
                                        const groth16::ToxicWaste& waste, KeyPlace place, std::size_t piece_bytes,
                                        ThreadPool& pool, const groth16::Control& control) {
  const Work work{queue, control, place, piece_bytes};
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
