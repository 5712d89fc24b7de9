/// Any bytes as a request for an update's proof: a byte that chooses the sector's size, 2 KiB, 16 KiB (two trees, two
/// partitions) or 32 KiB (three); comm_r_old, comm_d_new, comm_r_new; a vanilla proof, which is taken for each partition.
#include <array>

#include "filecoin/vanilla_update.h"
#include "fuzzing.h"
#include "one_thread.h"

namespace {

constexpr std::size_t kHead = 1 + 3 * cuzk::filecoin::kNodeBytes;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  using namespace cuzk;
  using namespace cuzk::filecoin;
  static constexpr std::array kSizes{"2k", "16k", "32k"};
  if (size < kHead) return 0;
  const SectorShape& shape = sector_shape(kSizes[data[0] % kSizes.size()]);
  const auto commitment = [&](std::size_t place) { return std::span(data + 1 + place * kNodeBytes, kNodeBytes); };
  const std::vector<std::string> proofs(shape.update.partitions, fuzz::text_of({data + kHead, size - kHead}));
  fuzz::expect_value_or_invalid_input([&] {
    const auto update = decode_update({shape, commitment(0), commitment(1), commitment(2)}, proofs);
    check_update(update, fuzz::one_thread());
  });
  return 0;
}
