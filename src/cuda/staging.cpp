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
  upload_filled(to, [from](std::size_t offset, std::span<std::byte> bytes) {
    std::memcpy(bytes.data(), from.data() + offset, bytes.size());
  });
}

void Staging::upload_filled(std::span<std::byte> to, const Fill& fill) {
  constexpr std::size_t kGrain = std::size_t{1} << 20;
  for (std::size_t done = 0; done < to.size();) {
    Block& block = blocks_[next_++ % kBlocks];
    block.copied.synchronize();
    const std::size_t size = std::min(to.size() - done, kBlockBytes);
    pool_.parallel_for(0, size, kGrain, [&](std::size_t begin, std::size_t end) {
      fill(done + begin, block.memory.subspan(begin, end - begin));
    });
    copy_bytes(to.subspan(done, size), block.memory.first(size), stream_);
    block.copied.record(stream_);
    done += size;
  }
}

}  // namespace cuzk::cuda
