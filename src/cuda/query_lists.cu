#include "cuda/bit_ranks.h"
#include "cuda/error.h"
#include "cuda/packed_bits.cuh"
#include "cuda/query_lists.h"
#include "cuda/wide_access.cuh"

namespace cuzk::cuda {
namespace {

constexpr unsigned kThreads = 256;

/// Which point of a query belongs to an auxiliary variable that the query lists.
struct PointNumbers {
  const u64* density;  ///< null: all are listed
  const u32* before;
  u32 inputs;

  __device__ u64 listed(u32 word) const { return density == nullptr ? ~u64{0} : density[word]; }
  __device__ u32 number(u32 word, u32 bit) const {
    if (density == nullptr) return inputs + 64 * word + bit;
    return inputs + before[word] + static_cast<u32>(__popcll(density[word] & low_bits(bit)));
  }
};

__device__ u32 lowest(u64 bits) { return static_cast<u32>(__ffsll(static_cast<long long>(bits)) - 1); }

/// The points of the listed variables whose bit is set in `words`; those of word w go to starts[w] and behind.
__global__ void list_points(const u64* words, u32 count, const u32* starts, PointNumbers points, u32* listed) {
  const u32 word = blockIdx.x * blockDim.x + threadIdx.x;
  if (word >= count) return;
  u32 next = starts[word];
  for (u64 left = words[word] & points.listed(word); left != 0; left &= left - 1)
    listed[next++] = points.number(word, lowest(left));
}

/// For the same variables, where their field elements lie.
__global__ void list_elements(WitnessView witness, u32 count, const u32* starts, PointNumbers points, u32* sources) {
  const u32 word = blockIdx.x * blockDim.x + threadIdx.x;
  if (word >= count) return;
  const u64 elements = witness.is_element[word];
  const u32 first = witness.inputs + witness.elements_before[word];
  u32 next = starts[word];
  for (u64 left = elements & points.listed(word); left != 0; left &= left - 1)
    sources[next++] = first + static_cast<u32>(__popcll(elements & low_bits(lowest(left))));
}

__global__ void gather(const Fr* elements, const u32* sources, u32 count, Fr::Integer* gathered) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) store(gathered + i, load(elements + sources[i]).to_integer());
}

class ValueLists {
 public:
  ValueLists(const Queue& queue, const DeviceWitness& witness, const Density* density, std::span<const u32> inputs)
      : queue_(queue),
        witness_(witness),
        density_(density),
        inputs_(inputs),
        numbers_{density == nullptr ? nullptr : density->words.data(),
                 density == nullptr ? nullptr : density->before.data(), static_cast<u32>(inputs.size())} {}

  DeviceBuffer<u32> ones() const {
    const DeviceBuffer<u32> starts = starts_of(witness_.ones());
    DeviceBuffer<u32> listed(queue_.memory, total_of(queue_, starts));
    list(witness_.ones(), starts, listed.data());
    return listed;
  }

  /// Leaves `ones` alone.
  void add_elements(QueryValues& values) const {
    const DeviceBuffer<u32> starts = starts_of(witness_.is_element());
    const std::size_t inputs = inputs_.size(), size = inputs + total_of(queue_, starts);
    values.indices = DeviceBuffer<u32>(queue_.memory, size);
    DeviceBuffer<u32> sources(queue_.memory, size);
    copy(sources.span().first(inputs), inputs_, queue_.stream);
    const std::vector<u32> first_points = points_of_inputs();
    copy(values.indices.span().first(inputs), first_points, queue_.stream);
    list(witness_.is_element(), starts, values.indices.data() + inputs);
    list_sources(starts, sources.data() + inputs);
    values.scalars = gathered(sources);
    queue_.stream.synchronize();  // the host's list of points ends here
  }

 private:
  std::vector<u32> points_of_inputs() const {
    std::vector<u32> points(inputs_.size());
    for (u32 i = 0; i < points.size(); ++i) points[i] = i;
    return points;
  }

  DeviceBuffer<u32> starts_of(std::span<const u64> words) const {
    if (density_ == nullptr) return bits_before(queue_, words);
    return common_bits_before(queue_, words, density_->words.span());
  }

  void list(std::span<const u64> words, const DeviceBuffer<u32>& starts, u32* listed) const {
    if (words.empty()) return;
    list_points<<<blocks_for(words.size(), kThreads), kThreads, 0, queue_.stream.handle()>>>(
        words.data(), static_cast<u32>(words.size()), starts.data(), numbers_, listed);
    check_launch("list_points");
  }

  void list_sources(const DeviceBuffer<u32>& starts, u32* sources) const {
    const std::size_t words = witness_.is_element().size();
    if (words == 0) return;
    list_elements<<<blocks_for(words, kThreads), kThreads, 0, queue_.stream.handle()>>>(
        witness_.view(), static_cast<u32>(words), starts.data(), numbers_, sources);
    check_launch("list_elements");
  }

  DeviceBuffer<Fr::Integer> gathered(const DeviceBuffer<u32>& sources) const {
    DeviceBuffer<Fr::Integer> scalars(queue_.memory, sources.size());
    if (sources.empty()) return scalars;
    gather<<<blocks_for(sources.size(), kThreads), kThreads, 0, queue_.stream.handle()>>>(
        witness_.view().elements, sources.data(), static_cast<u32>(sources.size()), scalars.data());
    check_launch("gather");
    return scalars;
  }

  const Queue& queue_;
  const DeviceWitness& witness_;
  const Density* density_;
  std::span<const u32> inputs_;
  PointNumbers numbers_;
};

}  // namespace

QueryValues list_values(const Queue& queue, const DeviceWitness& witness, const Density* density,
                        std::span<const u32> inputs) {
  const ValueLists lists(queue, witness, density, inputs);
  QueryValues values{.ones = lists.ones(), .indices = {}, .scalars = {}};
  lists.add_elements(values);
  return values;
}

}  // namespace cuzk::cuda
