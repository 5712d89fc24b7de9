#include "poly/domain.h"

#include <vector>

#include "base/error.h"
#include "field/batch_inverse.h"
#include "poly/transform.h"
#include "poly/transpose.h"

namespace cuzk {
namespace {

constexpr std::size_t kGrain = std::size_t{1} << 12;

constexpr Fr kShift = Fr::from_u64(kFrGenerator);

unsigned checked_log2(unsigned k) {
  if (k > Domain::kMaxLog2) throw invalid_input("domain: size 2^{}, expected at most 2^{}", k, Domain::kMaxLog2);
  return k;
}

/// By definition: for sizes that have no room for eight lanes.
void transform_directly(std::span<Fr> values, const Transform& transform) {
  std::vector<Fr> scaled(values.begin(), values.end());
  Fr factor = transform.scale;
  for (Fr& value : scaled) {
    value *= factor;
    factor *= transform.pre;
  }
  Fr point = Fr::one(), post = Fr::one();
  for (Fr& value : values) {
    Fr sum = Fr::zero();
    for (std::size_t i = scaled.size(); i-- > 0;) sum = sum * point + scaled[i];
    value = sum * post;
    point *= transform.root;
    post *= transform.post;
  }
}

void run(std::span<Fr> values, const Transform& transform, Kernels kernels, ThreadPool& pool) {
  if (transform.log2_size < kMinLog2ForKernels) return transform_directly(values, transform);
  const auto kernel = kernels == Kernels::ifma ? transform_ifma : transform_portable;
  kernel(values, transform, pool);
  transpose(values, std::size_t{1} << (transform.log2_size - transform.log2_size / 2), pool);
}

Fr inverse_of_size(unsigned k) { return Fr::from_u64(u64{1} << k).inverse(); }

/// 1 at the power of root that x is, 0 elsewhere.
void fill_indicator(std::span<Fr> values, const Fr& root, const Fr& x) {
  Fr power = Fr::one();
  for (Fr& value : values) {
    value = power == x ? Fr::one() : Fr::zero();
    power *= root;
  }
}

/// factor p / (x - p) for the points p = first, first * root, ..., none of which is x.
void fill_lagrange(std::span<Fr> values, const Fr& first, const Fr& root, const Fr& x, const Fr& factor) {
  Fr point = first;
  for (Fr& value : values) {
    value = x - point;
    point *= root;
  }
  batch_invert(values);
  Fr scaled_point = first * factor;
  for (Fr& value : values) {
    value *= scaled_point;
    scaled_point *= root;
  }
}

}  // namespace

Domain::Domain(unsigned k, Kernels kernels)
    : Domain(k, fr_root_of_unity().pow(u64{1} << (kFrTwoAdicity - checked_log2(k))), kShift, kernels) {}

Domain::Domain(unsigned k, const Fr& root, const Fr& shift, Kernels kernels)
    : k_(checked_log2(k)), kernels_(kernels), root_(root), shift_(shift) {}

void Domain::check_size(std::span<const Fr> values) const {
  if (values.size() != size()) throw invalid_input("domain: {} values, expected {}", values.size(), size());
}

void Domain::forward(std::span<Fr> values, ThreadPool& pool) const {
  check_size(values);
  run(values, {.log2_size = k_, .root = root_}, kernels_, pool);
}

void Domain::inverse(std::span<Fr> values, ThreadPool& pool) const {
  check_size(values);
  run(values, {.log2_size = k_, .root = root_.inverse(), .scale = inverse_of_size(k_)}, kernels_, pool);
}

void Domain::coset_forward(std::span<Fr> values, ThreadPool& pool) const {
  check_size(values);
  run(values, {.log2_size = k_, .root = root_, .pre = shift_}, kernels_, pool);
}

void Domain::coset_inverse(std::span<Fr> values, ThreadPool& pool) const {
  check_size(values);
  const Transform transform{
      .log2_size = k_, .root = root_.inverse(), .scale = inverse_of_size(k_), .post = shift_.inverse()};
  run(values, transform, kernels_, pool);
}

Fr Domain::vanishing_at(const Fr& x) const { return x.pow(u64{size()}) - Fr::one(); }

Fr Domain::vanishing_on_coset() const { return vanishing_at(shift_); }

Buffer<Fr> Domain::lagrange_at(const Fr& x, ThreadPool& pool) const {
  Buffer<Fr> values(size());
  const Fr vanishing = vanishing_at(x);
  if (vanishing.is_zero()) {
    fill_indicator(values.span(), root_, x);
    return values;
  }
  const Fr factor = vanishing * inverse_of_size(k_);
  pool.parallel_for(0, size(), kGrain, [&](std::size_t begin, std::size_t end) {
    const Fr first = root_.pow(u64{begin});
    fill_lagrange(values.span().subspan(begin, end - begin), first, root_, x, factor);
  });
  return values;
}

}  // namespace cuzk
