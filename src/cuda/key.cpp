#include "cuda/key.h"

namespace cuzk::cuda {
namespace {

template <class Affine>
DeviceBuffer<Affine> upload(std::span<const Affine> points, MemoryResource& memory, const Stream& stream) {
  DeviceBuffer<Affine> buffer(memory, points.size());
  buffer.copy_from(points, stream);
  return buffer;
}

u32 length(std::size_t size) { return static_cast<u32>(size); }

}  // namespace

groth16::KeyLengths CudaKey::lengths() const {
  return {.ic = length(verifying_key_.ic.size()),
          .h = length(h().size()),
          .l = length(l().size()),
          .a = length(a().size()),
          .b_g1 = length(b_g1().size()),
          .b_g2 = length(b_g2().size())};
}

CudaKey::Points upload_points(const groth16::Parameters& parameters, MemoryResource& memory, const Stream& stream) {
  CudaKey::Points points{.h = upload(parameters.h.span(), memory, stream),
                         .l = upload(parameters.l.span(), memory, stream),
                         .a = upload(parameters.a.span(), memory, stream),
                         .b_g1 = upload(parameters.b_g1.span(), memory, stream),
                         .b_g2 = upload(parameters.b_g2.span(), memory, stream)};
  stream.synchronize();
  return points;
}

}  // namespace cuzk::cuda
