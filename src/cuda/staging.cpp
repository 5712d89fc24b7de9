#include "cuda/staging.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "cuda/error.h"

namespace cuzk::cuda {

Staging::Staging(const Stream& stream, ThreadPool& pool)
    : stream_(stream), pool_(pool), memory_(pinned_, kBlocks * kBlockBytes) {
  for (std::size_t i = 0; i < kBlocks; ++i) blocks_[i].memory = memory_.span().subspan(i * kBlockBytes, kBlockBytes);
}

Staging::~Staging() { check_or_log(cudaStreamSynchronize(stream_.handle()), "cudaStreamSynchronize"); }

void Staging::upload_bytes(std::span<std::byte> to, std::span<const std::byte> from) {
  if (to.size() != from.size()) throw internal_error("staging: {} bytes for {}", from.size(), to.size());
  while (!from.empty()) {
    Block& block = blocks_[next_++ % kBlocks];
    block.copied.synchronize();
    const std::size_t size = std::min(from.size(), kBlockBytes);
    fill(block.memory.first(size), from.first(size));
    copy_bytes(to.first(size), block.memory.first(size), stream_);
    block.copied.record(stream_);
    to = to.subspan(size);
    from = from.subspan(size);
  }
}

void Staging::fill(std::span<std::byte> block, std::span<const std::byte> from) {
  constexpr std::size_t kGrain = std::size_t{1} << 20;
  pool_.parallel_for(0, from.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::memcpy(block.data() + begin, from.data() + begin, end - begin);
  });
}

}  // namespace cuzk::cuda
