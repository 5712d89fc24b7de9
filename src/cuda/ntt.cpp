#include "cuda/ntt.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cuda/ntt_dispatch.h"

namespace cuzk::cuda {
namespace {

Fr root_of_order(unsigned log2_order) {
  Fr root = fr_root_of_unity();
  for (unsigned k = kFrTwoAdicity; k > log2_order; --k) root = root.squared();
  return root;
}

/// first, first * element, first * element^2 ...
DeviceBuffer<ConstantFactor> powers(const Queue& queue, const Fr& element, std::size_t count, Fr first = Fr::one()) {
  std::vector<ConstantFactor> host(count);
  for (ConstantFactor& power : host) {
    power = constant_factor(first);
    first *= element;
  }
  DeviceBuffer<ConstantFactor> table = upload<ConstantFactor>(queue.memory, host, queue.stream);
  queue.stream.synchronize();  // the host's copy ends here
  return table;
}

std::size_t high_entries(unsigned k) {
  return std::size_t{1} << (k > PowerTable::kLog2Low ? k - PowerTable::kLog2Low : 0);
}

}  // namespace

NttDomain::NttDomain(const Queue& queue, unsigned k) : queue_(queue), k_(k) {
  if (k > kMaxLog2) throw invalid_input("domain: 2^{} points, at most 2^{}", k, kMaxLog2);
  const Fr root = root_of_order(k), block_root = root_of_order(NttRoots::kLog2Block);
  const Fr generator = Fr::from_u64(kFrGenerator);
  forward_ = make_direction(root, block_root, generator, Fr::one());
  inverse_ = make_direction(root.inverse(), block_root.inverse(), generator.inverse(), Fr::from_u64(size()).inverse());
  constexpr u64 kLow = u64{1} << PowerTable::kLog2Low;
  scaled_coset_high_ = powers(queue_, generator.pow(kLow), high_entries(k_), Fr::from_u64(size()).inverse());
}

NttDomain::Direction NttDomain::make_direction(const Fr& root, const Fr& block_root, const Fr& coset,
                                               const Fr& scale) const {
  const unsigned log2_near = std::min(k_, NttRoots::kLog2Near);
  const auto order = [&](unsigned log2_order) { return root.pow(u64{1} << (k_ - log2_order)); };
  constexpr u64 kLow = u64{1} << PowerTable::kLog2Low;
  return {.block = powers(queue_, block_root, std::size_t{1} << NttRoots::kLog2Block),
          .near = powers(queue_, order(log2_near), std::size_t{1} << log2_near),
          .low = powers(queue_, root, kLow),
          .high = powers(queue_, root.pow(kLow), high_entries(k_)),
          .coset_low = powers(queue_, coset, kLow),
          .coset_high = powers(queue_, coset.pow(kLow), high_entries(k_), scale),
          .eighth = block_root.pow(u64{1} << (NttRoots::kLog2Block - 3))};
}

NttRoots NttDomain::Direction::roots() const {
  return {.block = block.data(),
          .near = near.data(),
          .all = {low.data(), high.data()},
          .eighth = {constant_factor(eighth), constant_factor(eighth.squared()),
                     constant_factor(eighth.squared() * eighth)}};
}

void NttDomain::check_size(const DeviceBuffer<Fr>& values) const {
  if (values.size() != size()) throw invalid_input("transform: {} values, expected {}", values.size(), size());
}

void NttDomain::run(const Direction& direction, const NttScaling& before, const NttScaling& after,
                    DeviceBuffer<Fr>& values) {
  check_size(values);
  DeviceBuffer<Fr> spare(queue_.memory, size());
  const Fr* const result = transform(queue_, k_, direction.roots(), before, after, values.data(), spare.data());
  if (result == spare.data()) std::swap(values, spare);
}

void NttDomain::forward(DeviceBuffer<Fr>& values) { run(forward_, {}, {}, values); }
void NttDomain::inverse(DeviceBuffer<Fr>& values) { run(inverse_, {}, {.constant = inverse_.scale()}, values); }
void NttDomain::coset_forward(DeviceBuffer<Fr>& values) { run(forward_, {.powers = forward_.coset()}, {}, values); }
void NttDomain::coset_inverse(DeviceBuffer<Fr>& values) { run(inverse_, {}, {.powers = inverse_.coset()}, values); }
void NttDomain::shift_to_coset(DeviceBuffer<Fr>& values) {
  run(inverse_, {}, {}, values);
  run(forward_, {.powers = {forward_.coset_low.data(), scaled_coset_high_.data()}}, {}, values);
}

}  // namespace cuzk::cuda
