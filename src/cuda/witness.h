/// A witness in a device's memory, where the value of any variable is found in a few steps.
///
/// What crosses the bus is the packed form of r1cs/witness.h, hashes as their inputs. As secret as the witness.
#pragma once

#include "cuda/device_buffer.h"
#include "cuda/queue.h"
#include "cuda/staging.h"
#include "r1cs/witness.h"

namespace cuzk::cuda {

/// What kernels read: addresses of the device.
struct WitnessView {
  const u64* ones;             ///< a bit for each auxiliary variable: its value is a bit that is 1
  const u64* is_element;       ///< a bit for each auxiliary variable: its value is a field element
  const u32* elements_before;  ///< by word: how many of is_element are set before it
  const Fr* elements;          ///< the inputs, then the field elements in the order of their variables
  u32 inputs;
};

class DeviceWitness {
 public:
  /// The staging serves the queue's stream. The host's memory has been read when it returns. Throws Error{resource_exhausted}. Memory: 1 byte for 2.7 variables and
  /// 32 for each field element, those of hashes too.
  DeviceWitness(const Queue& queue, Staging& staging, const r1cs::Witness& witness);

  WitnessView view() const {
    return {ones_.data(), is_element_.data(), elements_before_.data(), elements_.data(), inputs_};
  }
  std::span<const u64> ones() const { return used(ones_); }              ///< a word for 64 auxiliary variables
  std::span<const u64> is_element() const { return used(is_element_); }  ///< the same
  std::size_t elements() const { return elements_.size() - inputs_; }    ///< field elements
  std::span<const Fr> inputs() const { return elements_.span().first(inputs_); }

 private:
  /// Without the word at the end that lets a kernel read two words at any place.
  static std::span<const u64> used(const DeviceBuffer<u64>& words) { return words.span().first(words.size() - 1); }

  u32 inputs_;
  DeviceBuffer<u64> ones_, is_element_;
  DeviceBuffer<u32> elements_before_;
  DeviceBuffer<Fr> elements_;
};

}  // namespace cuzk::cuda
