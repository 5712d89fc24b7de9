#include "cuda/buckets.cuh"

namespace cuzk::cuda {

__global__ void make_digits(const Fr* scalars, const u32* indices, u32 size, Windows windows, u32* keys,
                            SignedIndex* entries) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const ShiftedScalar scalar(load(scalars + i), windows.bits);
  const u32 point = indices == nullptr ? i : indices[i];
  for (unsigned window = 0; window < windows.count; ++window) {
    const i32 digit = scalar.digit(windows.first + window, windows.bits);
    const u32 magnitude = static_cast<u32>(digit < 0 ? -digit : digit);
    const std::size_t place = std::size_t{window} * size + i;
    keys[place] = digit == 0 ? windows.buckets() : window * windows.buckets_of_one() + magnitude - 1;
    entries[place] = digit < 0 ? point | kNegated : point;
  }
}

__global__ void mark_starts(const u32* keys, u32 size, u32 buckets, u32* starts) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const u32 key = keys[i];
  for (u32 k = i == 0 ? 0 : keys[i - 1] + 1; k <= key; ++k) starts[k] = i;
  if (i + 1 == size) {
    for (u32 k = key + 1; k <= buckets; ++k) starts[k] = size;
  }
}

__global__ void list_sums(BucketRound round, u32* sum_keys, Operands* pairs) {
  const u32 size = round.item_starts[round.buckets], threads = gridDim.x * blockDim.x;
  const auto point_of = [&](u32 item) { return round.entries == nullptr ? item : round.entries[item]; };
  for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += threads) {
    const u32 key = round.keys[i], rank = i - round.item_starts[key];
    if (rank % 2 != 0) continue;
    const u32 sum = round.sum_starts[key] + rank / 2;
    const bool alone = i + 1 == round.item_starts[key + 1];
    sum_keys[sum] = key;
    pairs[sum] = {point_of(i), alone ? Operands::kNone : point_of(i + 1)};
  }
}

}  // namespace cuzk::cuda
