/// How many bits of packed words are set before each word: with it the k-th set bit, or the number of a bit among the set
/// ones, is a step away.
#pragma once

#include <span>

#include "cuda/device_buffer.h"
#include "cuda/queue.h"

namespace cuzk::cuda {

/// Set bits before word i of the device's words; one more entry tells them all. Fewer than 2^32 of them. Enqueues only.
DeviceBuffer<u32> bits_before(const Queue& queue, std::span<const u64> words);

/// The same of the bits that are set in both; both have the same size, which is not checked.
DeviceBuffer<u32> common_bits_before(const Queue& queue, std::span<const u64> words, std::span<const u64> others);

/// The last entry. Waits for the device.
u32 total_of(const Queue& queue, const DeviceBuffer<u32>& before);

}  // namespace cuzk::cuda
