#include "cuda/device_multiples.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "cuda/arena.h"
#include "cuda/device.h"
#include "cuda/fixed_base.h"
#include "curve/point.h"

namespace cuzk::cuda {
namespace {

class DeviceMultiples final : public groth16::GeneratorMultiples {
 public:
  DeviceMultiples(const DeviceProperties& device, std::size_t memory)
      : device_(device), guard_(device.ordinal), malloc_(device.ordinal), arena_(malloc_, memory) {}

  std::size_t at_once() const override { return at_once_; }
  void multiply(std::span<const Fr> scalars, std::span<G1Affine> points) override { by(g1_, scalars, points); }
  void multiply(std::span<const Fr> scalars, std::span<G2Affine> points) override { by(g2_, scalars, points); }

 private:
  template <class Curve>
  void by(const FixedBase<Curve>& table, std::span<const Fr> scalars, std::span<AffinePoint<Curve>> points) {
    using Affine = AffinePoint<Curve>;
    const DeviceGuard guard(device_.ordinal);
    const DeviceBuffer<Fr> on_device = upload<Fr>(arena_, scalars, stream_);
    DeviceBuffer<Affine> made(arena_, points.size());
    table.multiply(on_device.span(), made.span());
    const auto arrived = std::span(reinterpret_cast<Affine*>(pinned_.data()), points.size());
    cuda::copy(arrived, std::span<const Affine>(made.span()), stream_);
    stream_.synchronize();
    std::ranges::copy(arrived, points.begin());
  }

  static constexpr std::size_t kBytesOfScalar = 4096;  // of a table's work in G2, with the point

  const DeviceProperties device_;
  const DeviceGuard guard_;
  CudaMalloc malloc_;
  Arena arena_;
  const Stream stream_;
  const Queue queue_{device_, stream_, arena_};
  const FixedBase<G1Curve> g1_{queue_, G1::generator()};
  const FixedBase<G2Curve> g2_{queue_, G2::generator()};
  const std::size_t at_once_ = std::bit_floor(arena_.usage().largest_free / kBytesOfScalar);
  PinnedMemory memory_;
  DeviceBuffer<std::byte> pinned_{memory_, at_once_ * sizeof(G2Affine)};
};

}  // namespace

std::unique_ptr<groth16::GeneratorMultiples> device_multiples(int device, std::size_t memory) {
  const std::vector<DeviceProperties> all = devices();
  const auto found = std::ranges::find(all, device, &DeviceProperties::ordinal);
  if (found == all.end()) throw Error(Code::not_found, fmt::format("cuda: no device {}; {} found", device, all.size()));
  return std::make_unique<DeviceMultiples>(*found, std::min(memory, free_memory(device) / 10 * 9));
}

}  // namespace cuzk::cuda
