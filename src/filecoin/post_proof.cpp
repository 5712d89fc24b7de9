#include "filecoin/post_proof.h"

#include "base/error.h"

namespace cuzk::filecoin {
namespace {

constexpr u64 kSizes = 5;
constexpr u64 kNumbers = 3 * kSizes;

const SectorShape& official_shape(u64 place) {
  for (const SectorShape& shape : sector_shapes())
    if (shape.official && place-- == 0) return shape;
  throw internal_error("there is no official sector size number {}", place);
}

std::array<u8, 8> little_endian(u64 value) {
  std::array<u8, 8> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<u8>(value >> (8 * i));
  return bytes;
}

/// The first eight bytes of a digest, little-endian.
u64 leading_integer(const Digest& digest) {
  u64 value = 0;
  for (std::size_t i = 8; i-- > 0;) value = value << 8 | digest[i];
  return value;
}

}  // namespace

PostProof PostProof::from_number(u64 number) {
  if (number >= kNumbers) throw invalid_input("registered PoSt proof {}: expected a number below {}", number, kNumbers);
  const SectorShape* shape = &official_shape(number % kSizes);
  if (number < kSizes) return {PostKind::winning, ApiVersion::v1_0, shape};
  return {PostKind::window, number < 2 * kSizes ? ApiVersion::v1_0 : ApiVersion::v1_2, shape};
}

std::string PostProof::name() const {
  return fmt::format("StackedDrg{}{}{}", kind == PostKind::winning ? "Winning" : "Window", shape->proof_name,
                     api_version == ApiVersion::v1_2 ? "V1_2" : "V1");
}

u32 PostProof::challenges_per_sector() const {
  return kind == PostKind::winning ? kWinningChallenges : kWindowChallenges;
}

u32 PostProof::sectors_per_partition() const { return kind == PostKind::winning ? 1 : shape->window_sectors; }

std::vector<u64> post_challenges(const PostProof& proof, const Node& randomness, u64 sector_number, u64 position) {
  const u32 count = proof.challenges_per_sector();
  const u64 first = proof.api_version == ApiVersion::v1_2 ? 0 : position * count;
  std::vector<u64> challenges;
  for (u64 i = 0; i < count; ++i) {
    Sha256 hash;
    hash.update(randomness).update(little_endian(sector_number)).update(little_endian(first + i));
    challenges.push_back(leading_integer(hash.finish()) % proof.shape->nodes());
  }
  return challenges;
}

u64 winning_sector(const Node& prover_id, const Node& randomness, u64 draw, u64 sectors) {
  if (sectors == 0) throw invalid_input("a winning sector out of none");
  Sha256 hash;
  hash.update(prover_id).update(randomness).update(little_endian(draw));
  return leading_integer(hash.finish()) % sectors;
}

}  // namespace cuzk::filecoin
