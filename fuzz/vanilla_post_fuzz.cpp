/// Any bytes as a request for a proof of spacetime of one sector: a byte that chooses the sector's size, 2 KiB, 16 KiB (two
/// trees) or 32 KiB (three), and the proof; 32 bytes of randomness; the vanilla proof.
#include <array>
#include <utility>

#include "filecoin/vanilla_post.h"
#include "fuzzing.h"
#include "one_thread.h"

namespace {

using namespace cuzk;
using namespace cuzk::filecoin;

constexpr std::size_t kHead = 1 + kNodeBytes;

PostProof proof_of(u8 choice) {
  static constexpr std::array kSizes{"2k", "16k", "32k"};
  static constexpr std::array kProofs{std::pair{PostKind::window, ApiVersion::v1_2},
                                      std::pair{PostKind::winning, ApiVersion::v1_0},
                                      std::pair{PostKind::window, ApiVersion::v1_0}};
  const auto [kind, version] = kProofs[choice % kProofs.size()];
  return {kind, version, &sector_shape(kSizes[choice / kProofs.size() % kSizes.size()])};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  if (size < kHead) return 0;
  const std::array<std::string, 1> proofs{fuzz::text_of({data + kHead, size - kHead})};
  fuzz::expect_value_or_invalid_input([&] {
    const auto post = decode_post({proof_of(data[0]), std::span(data + 1, kNodeBytes)}, proofs);
    check_post(post, fuzz::one_thread());
  });
  return 0;
}
