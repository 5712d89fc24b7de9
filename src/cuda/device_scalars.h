/// Scalars in a device's memory, in one of two forms.
#pragma once

#include <span>

#include "field/fr.h"

namespace cuzk::cuda {

/// Field elements as everything else has them, or their canonical values: what a product with a number that is not in
/// Montgomery form leaves, so that whoever makes the scalars saves the conversion in each window.
class DeviceScalars {
 public:
  DeviceScalars(std::span<const Fr> elements) : elements_(elements.data()), size_(elements.size()) {}
  DeviceScalars(std::span<const Fr::Integer> integers) : integers_(integers.data()), size_(integers.size()) {}

  /// The scalars [first, first + count).
  DeviceScalars part(std::size_t first, std::size_t count) const {
    if (integers_ != nullptr) return std::span(integers_ + first, count);
    return std::span(elements_ + first, count);
  }

  CUZK_HD std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // One of the two is null.
  CUZK_HD const Fr* elements() const { return elements_; }
  CUZK_HD const Fr::Integer* integers() const { return integers_; }

 private:
  const Fr* elements_ = nullptr;
  const Fr::Integer* integers_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace cuzk::cuda
