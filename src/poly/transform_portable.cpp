#include "poly/four_step.h"
#include "poly/transform.h"

namespace cuzk {
namespace {

/// Eight elements, always below the modulus.
struct PortableLanes {
  static constexpr std::size_t kLanes = 8;

  struct Factor {
    Fr value;
    static Factor from(const Fr& w) { return {w}; }
  };

  Fr element[kLanes];

  static PortableLanes load(const Fr* first, std::size_t stride) {
    PortableLanes result;
    for (std::size_t lane = 0; lane < kLanes; ++lane) result.element[lane] = first[lane * stride];
    return result;
  }
  static PortableLanes factors(const Fr (&w)[kLanes]) { return load(w, 1); }
  void store(Fr* first, std::size_t stride) const {
    for (std::size_t lane = 0; lane < kLanes; ++lane) first[lane * stride] = element[lane];
  }

  const PortableLanes& carried() const { return *this; }
  const PortableLanes& canonical() const { return *this; }

  friend PortableLanes operator+(PortableLanes x, const PortableLanes& y) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) x.element[lane] += y.element[lane];
    return x;
  }
  template <u64 kMultiple>
  PortableLanes minus(const PortableLanes& y) const {
    PortableLanes result = *this;
    for (std::size_t lane = 0; lane < kLanes; ++lane) result.element[lane] -= y.element[lane];
    return result;
  }
  friend PortableLanes operator*(PortableLanes x, const Factor& y) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) x.element[lane] *= y.value;
    return x;
  }
  friend PortableLanes operator*(PortableLanes x, const PortableLanes& y) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) x.element[lane] *= y.element[lane];
    return x;
  }
};

}  // namespace

void transform_portable(std::span<Fr> values, const Transform& transform, ThreadPool& pool) {
  FourStep<PortableLanes>(values, transform, pool).run();
}

}  // namespace cuzk
