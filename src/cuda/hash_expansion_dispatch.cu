#include "cuda/error.h"
#include "cuda/hash_expansion_dispatch.h"
#include "cuda/segments.cuh"
#include "cuda/wide_access.cuh"
#include "hash/poseidon_constants.h"

namespace cuzk::cuda {
namespace {

using r1cs::Segment;

struct HashTuning {
  static constexpr unsigned kThreads = 128;
};
constexpr unsigned kHashesOfBlock = HashTuning::kThreads / kHashThreads;

/// What the threads of one hash tell each other.
struct SharedState {
  Fr elements[kHashThreads], products[kHashThreads];
  Fr first;
};

/// One thread's part of a permutation: element `lane` of the state. All kHashThreads threads of a hash, half a warp, call
/// each function together; those above the state's width only take part in the barriers.
class HashLane {
 public:
  __device__ HashLane(const HashTable& table, SharedState& shared, Fr* trace)
      : table_(table),
        shared_(shared),
        trace_(trace),
        keys_(table.keys),
        lane_(threadIdx.x % kHashThreads),
        mask_(0xffffu << (threadIdx.x % 32 / kHashThreads * kHashThreads)),
        is_active_(lane_ < table.width) {}

  /// The rounds of hash/poseidon_permutation.h.
  __device__ void run(const Fr* inputs) {
    constexpr u32 kHalf = kPoseidonFullRounds / 2;
    first_round(inputs);
    for (u32 round = 2; round < kHalf; ++round) full_round(table_.mds);
    full_round(table_.pre_sparse);
    const Fr* sparse = table_.sparse;
    for (u32 round = 0; round < table_.partial_rounds; ++round, sparse += 2 * table_.width - 1) partial_round(sparse);
    for (u32 round = 1; round < kHalf; ++round) full_round(table_.mds);
    last_round();
  }

 private:
  __device__ void wait() const { __syncwarp(mask_); }

  /// x becomes x^5 + key; what a circuit has as variables goes to `to`.
  __device__ void s_box(const Fr& key, Fr* to) {
    const Fr square = x_ * x_, fourth = square * square;
    x_ = fourth * x_ + key;
    if (to == nullptr) return;
    store(to, square);
    store(to + 1, fourth);
    store(to + 2, x_);
  }

  /// The input is no variable of its own here, and the tag's S-box is a constant.
  __device__ void first_round(const Fr* inputs) {
    if (is_active_) {
      x_ = (lane_ == 0 ? table_.tag : load(inputs + lane_ - 1)) + load(keys_ + lane_);
      s_box(load(keys_ + table_.width + lane_), lane_ == 0 ? nullptr : trace_ + 3 * (lane_ - 1));
    }
    keys_ += 2 * table_.width;
    trace_ += 3 * (table_.width - 1);
    multiply_by(table_.mds);
  }

  __device__ void s_boxes(const Fr& key) {
    if (is_active_) {
      Fr* const to = trace_ + 4 * lane_;
      store(to, x_);
      s_box(key, to + 1);
    }
    trace_ += 4 * table_.width;
  }

  __device__ void full_round(const Fr* matrix) {
    s_boxes(is_active_ ? load(keys_ + lane_) : Fr::zero());
    keys_ += table_.width;
    multiply_by(matrix);
  }

  /// The state, a row vector, times the matrix.
  __device__ void multiply_by(const Fr* matrix) {
    show();
    if (is_active_) x_ = column_product(matrix, lane_);
    wait();
  }

  __device__ void show() {
    shared_.elements[lane_] = x_;
    wait();
  }

  __device__ Fr column_product(const Fr* matrix, u32 column) const {
    Fr sum = shared_.elements[0] * load(matrix + column);
    for (u32 i = 1; i < table_.width; ++i) sum = sum + shared_.elements[i] * load(matrix + i * table_.width + column);
    return sum;
  }

  /// Element 0 alone goes through the S-box; the matrix is the identity but for its first column and row.
  __device__ void partial_round(const Fr* sparse) {
    if (lane_ == 0) {
      store(trace_, x_);
      s_box(load(keys_), trace_ + 1);
      shared_.first = x_;
    }
    ++keys_;
    trace_ += 4;
    wait();
    if (is_active_) {
      shared_.products[lane_] = x_ * load(sparse + lane_);
      if (lane_ > 0) x_ = x_ + shared_.first * load(sparse + table_.width + lane_ - 1);
    }
    wait();
    if (lane_ == 0) x_ = sum_of_products();
  }

  __device__ Fr sum_of_products() const {
    Fr sum = shared_.products[0];
    for (u32 i = 1; i < table_.width; ++i) sum = sum + shared_.products[i];
    return sum;
  }

  /// No keys, and only element 1 of the product.
  __device__ void last_round() {
    s_boxes(Fr::zero());
    show();
    if (lane_ == 0) store(trace_, column_product(table_.mds, 1));
  }

  const HashTable& table_;
  SharedState& shared_;
  Fr* trace_;
  const Fr* keys_;
  u32 lane_, mask_;
  bool is_active_;
  Fr x_ = Fr::zero();
};

/// kHashThreads threads for each hash.
__global__ void __launch_bounds__(HashTuning::kThreads)
    expand(const Segment* segments, const Fr* inputs, const u32* listed, u32 count,
           const __grid_constant__ HashTable table, const __grid_constant__ WitnessView view, Fr* elements) {
  __shared__ SharedState shared[kHashesOfBlock];
  const u32 of_block = threadIdx.x / kHashThreads, hash = blockIdx.x * kHashesOfBlock + of_block;
  if (hash >= count) return;
  const Segment segment = segments[listed[hash]];
  HashLane(table, shared[of_block], elements + place_of(view, segment.first)).run(inputs + segment.start);
}

}  // namespace

void expand_hashes(const Queue& queue, const HashTable& table, std::span<const Segment> segments,
                   std::span<const u32> listed, std::span<const Fr> hash_inputs, const WitnessView& view,
                   Fr* elements) {
  if (listed.empty()) return;
  expand<<<blocks_for(listed.size(), kHashesOfBlock), HashTuning::kThreads, 0, queue.stream.handle()>>>(
      segments.data(), hash_inputs.data(), listed.data(), static_cast<u32>(listed.size()), table, view, elements);
  check_launch("expand_hashes");
}

}  // namespace cuzk::cuda
