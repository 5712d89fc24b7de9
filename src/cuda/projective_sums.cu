#include <algorithm>
#include <bit>

#include "cuda/device_buffer.h"
#include "cuda/error.h"
#include "cuda/projective_sums.h"
#include "cuda/wide_access.cuh"

namespace cuzk::cuda {
namespace {

constexpr unsigned kLog2Threads = 7, kThreads = 1 << kLog2Threads;

/// In one place: the code of an addition fills most of the instruction cache.
template <class Curve>
__device__ __noinline__ Point<Curve> plus(const Point<Curve>& left, const Point<Curve>& right) {
  return left + right;
}

/// Of the values of the block's threads, whose number is a power of two; for thread 0. `shared` has room for all.
template <class Curve>
__device__ Point<Curve> sum_of_block(const Point<Curve>& own, Point<Curve>* shared) {
  shared[threadIdx.x] = own;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] = plus(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  return shared[0];
}

/// The sum of the thread's own value and those of all threads behind it.
template <class Curve>
__device__ Point<Curve> sum_from_here(const Point<Curve>& own, Point<Curve>* shared) {
  Point<Curve> sum = own;
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    shared[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x + step < blockDim.x) sum = plus(sum, shared[threadIdx.x + step]);
    __syncthreads();
  }
  return sum;
}

/// sums[b] = the sum of the points that block b has taken.
template <class Curve>
__global__ void __launch_bounds__(kThreads)
    sum_points(const AffinePoint<Curve>* points, std::size_t size, Point<Curve>* sums) {
  __shared__ Point<Curve> shared[kThreads];
  Point<Curve> sum = Point<Curve>::infinity();
  const std::size_t threads = gridDim.x * std::size_t{blockDim.x};
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < size; i += threads)
    sum = plus<Curve>(sum, load(points + i));
  sum = sum_of_block(sum, shared);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

template <class Curve>
__device__ Point<Curve> doubled_times(Point<Curve> point, unsigned times) {
  for (unsigned k = 0; k < times; ++k) point = plus(point, point);
  return point;
}

/// Each thread weighs a run of 2^log2_run points, each block a piece of a table, as a table of its own. The sum of
/// (run t + j) times a point is that within the runs plus 2^log2_run times that of the runs' sums by their number t,
/// and the latter the sum over t > 0 of what the runs from t on sum up to.
template <class Curve>
__global__ void __launch_bounds__(kThreads)
    weigh_pieces(const AffinePoint<Curve>* points, unsigned log2_run, TableSums<Curve>* sums) {
  __shared__ Point<Curve> shared[kThreads];
  const std::size_t thread = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  Point<Curve> plain = Point<Curve>::infinity(), weighted = plain;
  for (unsigned j = 1u << log2_run; j-- > 0;) {
    plain = plus<Curve>(plain, load(points + (thread << log2_run) + j));
    if (j > 0) weighted = plus(weighted, plain);
  }
  const Point<Curve> from_here = sum_from_here(plain, shared);
  if (threadIdx.x == 0) sums[blockIdx.x].plain = from_here;
  if (threadIdx.x > 0) weighted = plus(weighted, doubled_times(from_here, log2_run));
  weighted = sum_of_block(weighted, shared);
  if (threadIdx.x == 0) sums[blockIdx.x].weighted = weighted;
}

/// Of a table from those of its pieces of 2^log2_piece points.
template <class Curve>
TableSums<Curve> join(std::span<const TableSums<Curve>> pieces, unsigned log2_piece) {
  TableSums<Curve> sums{Point<Curve>::infinity(), Point<Curve>::infinity()};
  Point<Curve> weighted = Point<Curve>::infinity();  // the sum of p times the plain sum of piece p
  for (std::size_t p = pieces.size(); p-- > 0;) {
    sums.weighted += pieces[p].weighted;
    sums.plain += pieces[p].plain;
    if (p > 0) weighted += sums.plain;
  }
  for (unsigned k = 0; k < log2_piece; ++k) weighted = weighted.doubled();
  sums.weighted += weighted;
  return sums;
}

}  // namespace

template <class Curve>
Point<Curve> sum_few(const Queue& queue, std::span<const AffinePoint<Curve>> points) {
  constexpr std::size_t kLeastRun = 4;
  const unsigned blocks = std::clamp(blocks_for(points.size(), kThreads * kLeastRun), 1u, queue.device.multiprocessors);
  DeviceBuffer<Point<Curve>> sums(queue.memory, blocks);
  sum_points<<<blocks, kThreads, 0, queue.stream.handle()>>>(points.data(), points.size(), sums.data());
  check_launch("sum_points");
  Point<Curve> sum = Point<Curve>::infinity();
  for (const Point<Curve>& of_block : sums.to_host(queue.stream)) sum += of_block;
  return sum;
}

template <class Curve>
std::vector<TableSums<Curve>> weigh_few(const Queue& queue, std::span<const AffinePoint<Curve>> points,
                                        unsigned log2_size) {
  constexpr unsigned kLog2LeastRun = 2, kLog2MostRun = 5, kLog2Enough = 14;  // threads that keep a device busy
  const unsigned log2_all = static_cast<unsigned>(std::bit_width(points.size())) - 1;
  const unsigned wanted = log2_all < kLog2Enough ? 0 : log2_all - kLog2Enough;
  const unsigned log2_run = std::min(std::clamp(wanted, kLog2LeastRun, kLog2MostRun), log2_size);
  const unsigned log2_piece = std::min(log2_run + kLog2Threads, log2_size);
  DeviceBuffer<TableSums<Curve>> sums(queue.memory, points.size() >> log2_piece);
  weigh_pieces<<<static_cast<unsigned>(sums.size()), 1u << (log2_piece - log2_run), 0, queue.stream.handle()>>>(
      points.data(), log2_run, sums.data());
  check_launch("weigh_pieces");
  const std::vector<TableSums<Curve>> pieces = sums.to_host(queue.stream);
  const std::size_t of_table = std::size_t{1} << (log2_size - log2_piece);
  std::vector<TableSums<Curve>> tables;
  for (std::size_t first = 0; first < pieces.size(); first += of_table)
    tables.push_back(join(std::span(pieces).subspan(first, of_table), log2_piece));
  return tables;
}

template G1 sum_few(const Queue&, std::span<const G1Affine>);
template G2 sum_few(const Queue&, std::span<const G2Affine>);
template std::vector<TableSums<G1Curve>> weigh_few(const Queue&, std::span<const G1Affine>, unsigned);
template std::vector<TableSums<G2Curve>> weigh_few(const Queue&, std::span<const G2Affine>, unsigned);

}  // namespace cuzk::cuda
