#include "cuda/msm.h"

#include <algorithm>
#include <bit>

#include "base/ablation.h"
#include "base/error.h"
#include "cuda/msm_dispatch.h"
#include "cuda/tuning.h"
#include "cuda/windows.h"

namespace cuzk::cuda {
namespace {

constexpr std::size_t kMostScalars = (std::size_t{1} << 30) - 1;

void check_size(std::size_t points, std::size_t scalars, unsigned multiples = 1) {
  if (std::max(points, scalars) > kMostScalars)
    throw invalid_input("multi-scalar multiplication: {} scalars, at most {}", std::max(points, scalars), kMostScalars);
  if (points != scalars * multiples)
    throw invalid_input("multi-scalar multiplication: {} points, {} scalars", points, scalars);
}

void check_tuning(std::size_t scalars, const MsmTuning& tuning) {
  if (tuning.window_bits < 3 || tuning.window_bits > 26)
    throw invalid_input("multi-scalar multiplication: windows of {} bits, expected 3 to 26", tuning.window_bits);
  const unsigned most = Windows::in_scalar(tuning.window_bits);
  if (tuning.multiples == 0 || tuning.multiples > most)
    throw invalid_input("multi-scalar multiplication: {} multiples, expected 1 to {}", tuning.multiples, most);
  const Windows all = Windows::uniform(tuning.window_bits, tuning.multiples);
  const Windows some = all.part(0, std::min(tuning.windows_at_once, all.sets()));
  const std::size_t items = std::max<std::size_t>(scalars * some.digits(), some.buckets());
  if (some.count == 0 || items >> 30 != 0)
    throw invalid_input("multi-scalar multiplication: {} windows of {} bits at once for {} scalars",
                        tuning.windows_at_once, tuning.window_bits, scalars);
}

}  // namespace

MsmTuning msm_tuning(const DeviceProperties& device, std::size_t scalars, std::size_t digits) {
  const std::size_t log2_size = std::bit_width(scalars | 1) - 1U;
  constexpr unsigned kSameForAll = 16;
  const auto& table = tuning_for(device).window_bits;
  const unsigned bits =
      is_left_out(Optimization::chosen_windows) ? kSameForAll : table[std::min(log2_size, table.size() - 1)];
  const std::size_t at_once = std::max<std::size_t>(digits / std::max<std::size_t>(scalars, 1), 1);
  return {bits, static_cast<unsigned>(std::min<std::size_t>(at_once, Windows::in_scalar(bits)))};
}

MsmTuning multiples_tuning(const DeviceProperties& device, std::size_t scalars, unsigned multiples) {
  const MsmTuning plain = msm_tuning(device, scalars);
  if (multiples <= 1) return plain;
  const auto additions = [&](unsigned bits) {
    const Windows windows = Windows::uniform(bits, multiples);
    return scalars * windows.all + 2 * std::size_t{windows.sets()} * windows.buckets_of(0);
  };
  unsigned best = plain.window_bits;
  for (unsigned bits = 3; bits <= 26; ++bits)
    if (additions(bits) < additions(best)) best = bits;
  multiples = std::min(multiples, Windows::in_scalar(best));
  const std::size_t of_set = scalars * multiples;
  const std::size_t at_once = std::max<std::size_t>(kMsmDigits / std::max<std::size_t>(of_set, 1), 1);
  const unsigned sets = Windows::uniform(best, multiples).sets();
  return {best, static_cast<unsigned>(std::min<std::size_t>(at_once, sets)), multiples};
}

template <class Curve>
Point<Curve> multi_scalar_mul_tuned(const Queue& queue, std::span<const AffinePoint<Curve>> points,
                                    const DeviceScalars& scalars, const MsmTuning& tuning) {
  check_tuning(scalars.size(), tuning);
  check_size(points.size(), scalars.size(), tuning.multiples);
  return sum_windows(queue, points, {}, scalars, tuning);
}

template <class Curve>
Point<Curve> multi_scalar_mul(const Queue& queue, std::span<const AffinePoint<Curve>> points,
                              const DeviceScalars& scalars) {
  return multi_scalar_mul_tuned(queue, points, scalars, msm_tuning(queue.device, scalars.size()));
}

template <class Curve>
Point<Curve> multi_scalar_mul_indexed(const Queue& queue, std::span<const AffinePoint<Curve>> points,
                                      std::span<const u32> indices, const DeviceScalars& scalars,
                                      const MsmTuning& tuning) {
  check_size(indices.size(), scalars.size());
  check_tuning(scalars.size(), tuning);
  return sum_windows(queue, points, indices, scalars, tuning);
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type in parentheses is none
#define CUZK_MSM(Curve)                                                                                            \
  template Point<Curve> multi_scalar_mul(const Queue&, std::span<const AffinePoint<Curve>>, const DeviceScalars&); \
  template Point<Curve> multi_scalar_mul_indexed(const Queue&, std::span<const AffinePoint<Curve>>,                \
                                                 std::span<const u32>, const DeviceScalars&, const MsmTuning&);    \
  template Point<Curve> multi_scalar_mul_tuned(const Queue&, std::span<const AffinePoint<Curve>>,                  \
                                               const DeviceScalars&, const MsmTuning&);
CUZK_MSM(G1Curve)
CUZK_MSM(G2Curve)
#undef CUZK_MSM
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace cuzk::cuda
