#include "cuda/buckets.cuh"

namespace cuzk::cuda {
namespace {

__device__ Fr::Integer integer(const DeviceScalars& scalars, u32 i) {
  return scalars.integers() != nullptr ? load(scalars.integers() + i) : load(scalars.elements() + i).to_integer();
}

}  // namespace

__global__ void make_digits(DeviceScalars scalars, const u32* indices, u32 points, Windows windows, ScalarShift shift,
                            u32* keys, SignedIndex* entries) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x, size = static_cast<u32>(scalars.size());
  if (i >= size) return;
  const ShiftedScalar scalar(integer(scalars, i), shift);
  const unsigned sets = windows.sets();
  const u32 none = windows.buckets();
  std::size_t place = i;
  u32 bucket = 0;  // the first of the set
  for (unsigned set = windows.first; set < windows.first + windows.count; bucket += windows.buckets_of(set), ++set) {
    u32 point = indices == nullptr ? i : indices[i];
    for (unsigned window = set; window < windows.all; window += sets, point += points, place += size) {
      const i32 digit = scalar.digit(windows.place(window), windows.width(window));
      const u32 magnitude = static_cast<u32>(digit < 0 ? -digit : digit);
      keys[place] = digit == 0 ? none : bucket + magnitude - 1;
      entries[place] = digit < 0 ? point | kNegated : point;
    }
  }
}

__global__ void mark_starts(const u32* keys, u32 size, u32 buckets, RoundStart* starts) {
  constexpr u32 kWarp = 32, kShort = 32;
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % kWarp;
  const u32 first = i == 0 || i > size ? 0 : keys[i - 1] + 1;
  const u32 end = i > size ? 0 : i == size ? buckets + 1 : keys[i] + 1;  // of the buckets that begin at item i
  const bool is_long = end > first + kShort;
  for (u32 k = first; k < end && !is_long; ++k) starts[k] = round_start(0, i);
  // Many empty buckets side by side, as in a scalar's highest window, are the whole warp's work.
  for (u32 left = __ballot_sync(UINT32_MAX, is_long); left != 0; left &= left - 1) {
    const int from = __ffs(static_cast<int>(left)) - 1;
    const u32 item = __shfl_sync(UINT32_MAX, i, from), last = __shfl_sync(UINT32_MAX, end, from);
    for (u32 k = __shfl_sync(UINT32_MAX, first, from) + lane; k < last; k += kWarp) starts[k] = round_start(0, item);
  }
}

__global__ void list_sums(BucketRound round, Operands* pairs, u32* next_keys, SignedIndex* next_entries) {
  const u32 size = items_of(round.starts[round.buckets]), threads = gridDim.x * blockDim.x, place = round.places->begin;
  const u32 thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread == 0) round.places[0].end = round.places[1].begin = place + sums_of(round.next[round.buckets]);
  for (u32 i = thread; i < size; i += threads) {
    const u32 key = round.keys[i], rank = i - items_of(round.starts[key]);
    if (rank % 2 != 0) continue;
    const bool alone = i + 1 == items_of(round.starts[key + 1]);
    const u32 sum = place + sums_of(round.next[key]) + rank / 2, next = items_of(round.next[key]) + rank / 2;
    if (!alone) pairs[sum] = {round.entries[i], round.entries[i + 1]};
    next_keys[next] = key;
    next_entries[next] = alone ? round.entries[i] : kPooled | sum;
  }
}

}  // namespace cuzk::cuda
