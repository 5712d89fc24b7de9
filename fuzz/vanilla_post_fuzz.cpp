/// Any bytes as the vanilla proof of one sector, of 2 KiB, 16 KiB (two trees) or 32 KiB (three); the first byte chooses.
#include <array>

#include "filecoin/vanilla_post.h"
#include "fuzzing.h"

namespace {

using namespace cuzk;
using namespace cuzk::filecoin;

PostProof proof_of(u8 choice) {
  static constexpr std::array kSizes{"2k", "16k", "32k"};
  const auto kind = choice % 2 == 0 ? PostKind::window : PostKind::winning;
  return {kind, kind == PostKind::window ? ApiVersion::v1_2 : ApiVersion::v1_0,
          &sector_shape(kSizes[choice / 2 % kSizes.size()])};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  if (size == 0) return 0;
  const std::array<std::string, 1> proofs{fuzz::text_of({data + 1, size - 1})};
  fuzz::expect_value_or_invalid_input([&] {
    const Node randomness{};
    const auto post = decode_post({proof_of(data[0]), randomness}, proofs);
    check_post(post, ThreadPool::shared());
  });
  return 0;
}
