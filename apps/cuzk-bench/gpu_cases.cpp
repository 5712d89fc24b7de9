#include "gpu_cases.h"

#include "base/error.h"
#ifdef CUZK_CUDA
#include <bit>
#include <memory>

#include "cuda/arena.h"
#include "cuda/conditional_sum.h"
#include "cuda/msm.h"
#include "cuda/ntt.h"
#include "cuda/point_progression.h"
#include "point_inputs.h"
#endif

namespace cuzk::apps {

using measure::Case;

#ifdef CUZK_CUDA
namespace {

/// The first GPU with nine tenths of what is free of its memory, current in this thread.
class Gpu {
 public:
  Gpu()
      : device_(first_device()),
        guard_(device_.ordinal),
        arena_(memory_, cuda::free_memory(device_.ordinal) / 10 * 9) {}

  const cuda::Queue& queue() const { return queue_; }
  cuda::MemoryResource& memory() { return arena_; }
  const cuda::Stream& stream() const { return stream_; }

 private:
  static cuda::DeviceProperties first_device() {
    const auto devices = cuda::devices();
    if (devices.empty()) throw Error(Code::unavailable, "--device cuda: no GPU is found");
    return devices.front();
  }

  cuda::DeviceProperties device_;
  cuda::DeviceGuard guard_;
  cuda::CudaMalloc memory_{device_.ordinal};
  cuda::Arena arena_;
  cuda::Stream stream_;
  cuda::Queue queue_{device_, stream_, arena_};
};

struct Transform {
  Gpu gpu;
  cuda::NttDomain domain;
  cuda::DeviceBuffer<Fr> values;

  explicit Transform(std::size_t size)
      : domain(gpu.queue(), static_cast<unsigned>(std::countr_zero(size))),
        values(cuda::upload<Fr>(gpu.memory(), scalars(size), gpu.stream())) {}
};

using GpuDirection = void (cuda::NttDomain::*)(cuda::DeviceBuffer<Fr>&);

Case gpu_transform(const std::string& name, std::size_t size, GpuDirection direction) {
  return {name,
          [=] {
            auto all = std::make_shared<Transform>(size);
            return measure::timed([=] {
              (all->domain.*direction)(all->values);
              all->gpu.stream().synchronize();
            });
          },
          static_cast<double>(size), "points"};
}

template <class Curve>
struct Points {
  Gpu gpu;
  cuda::DeviceBuffer<AffinePoint<Curve>> points;

  explicit Points(std::size_t size)
      : points(cuda::point_progression<Curve>(gpu.queue(), AffinePoint<Curve>::generator(),
                                              point_step<AffinePoint<Curve>>(), size)) {}
};

template <class Curve>
measure::Sample gpu_product(std::size_t size) {
  auto all = std::make_shared<Points<Curve>>(size);
  auto factors =
      std::make_shared<cuda::DeviceBuffer<Fr>>(cuda::upload<Fr>(all->gpu.memory(), scalars(size), all->gpu.stream()));
  return measure::timed([=] {
    cuda::multi_scalar_mul<Curve>(all->gpu.queue(), all->points.span().first(size), std::as_const(*factors).span());
  });
}

/// Every other bit of a sequence without a pattern.
template <class Curve>
measure::Sample gpu_sum_of_bits(std::size_t size) {
  auto all = std::make_shared<Points<Curve>>(size);
  std::vector<u64> words;
  for (const Fr& each : scalars((size + 63) / 64)) words.push_back(each.montgomery_form()[0]);
  auto bits = std::make_shared<cuda::DeviceBuffer<u64>>(cuda::upload<u64>(all->gpu.memory(), words, all->gpu.stream()));
  return measure::timed(
      [=] { cuda::conditional_sum<Curve>(all->gpu.queue(), all->points.span().first(size), bits->span()); });
}

template <class Curve>
measure::Sample gpu_sample_of(const std::string& kind, std::size_t size) {
  return kind == "bits" ? gpu_sum_of_bits<Curve>(size) : gpu_product<Curve>(size);
}

}  // namespace

std::vector<Case> gpu_ntt_cases(std::size_t size) {
  return {gpu_transform("ntt.forward", size, &cuda::NttDomain::forward),
          gpu_transform("ntt.coset_inverse", size, &cuda::NttDomain::coset_inverse)};
}

Case gpu_msm_case(const std::string& group, const std::string& kind, std::size_t size) {
  if (kind == "fixed") throw invalid_input("--kind fixed: measured on the processor alone");
  const std::string name = (kind == "product" ? "msm." : kind + ".") + group;
  return {name, [=] { return group == "g1" ? gpu_sample_of<G1Curve>(kind, size) : gpu_sample_of<G2Curve>(kind, size); },
          static_cast<double>(size), "points"};
}

#else

namespace {

[[noreturn]] void no_cuda() { throw Error(Code::unavailable, "--device cuda: this build has no CUDA; use cpu"); }

}  // namespace

std::vector<Case> gpu_ntt_cases(std::size_t) { no_cuda(); }
Case gpu_msm_case(const std::string&, const std::string&, std::size_t) { no_cuda(); }

#endif

}  // namespace cuzk::apps
