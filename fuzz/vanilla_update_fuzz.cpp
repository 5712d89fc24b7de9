/// Any bytes as the vanilla proof of an update's partition, of 2 KiB, 16 KiB (two trees, two partitions) or 32 KiB (three);
/// the first byte chooses.
#include <array>

#include "filecoin/vanilla_update.h"
#include "fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  using namespace cuzk;
  using namespace cuzk::filecoin;
  static constexpr std::array kSizes{"2k", "16k", "32k"};
  if (size == 0) return 0;
  const SectorShape& shape = sector_shape(kSizes[data[0] % kSizes.size()]);
  const std::vector<std::string> proofs(shape.update.partitions, fuzz::text_of({data + 1, size - 1}));
  fuzz::expect_value_or_invalid_input([&] {
    const Node commitment{};
    const auto update = decode_update({shape, commitment, commitment, commitment}, proofs);
    check_update(update, ThreadPool::shared());
  });
  return 0;
}
