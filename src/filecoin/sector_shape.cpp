#include "filecoin/sector_shape.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/error.h"

namespace cuzk::filecoin {
namespace {

constexpr u64 kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;
constexpr TreeArities kPlain{8, 0, 0}, kPairs{8, 2, 0}, kEights{8, 8, 0}, kPairsOfEights{8, 8, 2};
constexpr ChallengeCounts kSmall{1, 2}, kSmallNonInteractive{13, 2}, kLarge{10, 18}, kLargeNonInteractive{126, 18};

constexpr std::array kShapes{
    SectorShape{"2k", "2KiB", 2 * kKiB, true, 2, kPlain, kSmall, kSmallNonInteractive, 2, {1, 10, 8, 1}},
    SectorShape{"4k", "4KiB", 4 * kKiB, false, 2, kPairs, kSmall, kSmallNonInteractive, 2, {1, 10, 8, 1}},
    SectorShape{"16k", "16KiB", 16 * kKiB, false, 2, kEights, kSmall, kSmallNonInteractive, 2, {2, 10, 128, 1}},
    SectorShape{"32k", "32KiB", 32 * kKiB, false, 2, kPairsOfEights, kSmall, kSmallNonInteractive, 2, {2, 10, 128, 1}},
    SectorShape{"8m", "8MiB", 8 * kMiB, true, 2, kPlain, kSmall, kSmallNonInteractive, 2, {4, 10, 128, 10}},
    SectorShape{"16m", "16MiB", 16 * kMiB, false, 2, kPairs, kSmall, kSmallNonInteractive, 2, {4, 10, 128, 10}},
    SectorShape{"512m", "512MiB", 512 * kMiB, true, 2, kPlain, kSmall, kSmallNonInteractive, 2, {16, 86, 128, 10}},
    SectorShape{"1g", "1GiB", kGiB, false, 2, kPairs, kSmall, kSmallNonInteractive, 2, {0, 0, 0, 0}},
    SectorShape{"32g", "32GiB", 32 * kGiB, true, 11, kEights, kLarge, kLargeNonInteractive, 2349, {16, 86, 128, 10}},
    SectorShape{
        "64g", "64GiB", 64 * kGiB, true, 11, kPairsOfEights, kLarge, kLargeNonInteractive, 2300, {16, 86, 128, 10}},
};

std::string all_names() {
  std::string names;
  for (const SectorShape& shape : kShapes) {
    if (!names.empty()) names += ", ";
    names += shape.name;
  }
  return names;
}

}  // namespace

std::string TreeArities::text() const { return fmt::format("{}-{}-{}", base, sub, top); }

unsigned SectorShape::log2_nodes() const { return static_cast<unsigned>(std::countr_zero(nodes())); }

u32 SectorShape::base_trees() const { return std::max(arities.sub, 1u) * std::max(arities.top, 1u); }

u32 SectorShape::base_levels() const {
  const auto log2_leaves = static_cast<u32>(std::countr_zero(nodes() / base_trees()));
  return log2_leaves / static_cast<u32>(std::countr_zero(arities.base));
}

std::span<const SectorShape> sector_shapes() { return kShapes; }

const SectorShape& sector_shape(u64 bytes) {
  const auto found = std::ranges::find(kShapes, bytes, &SectorShape::bytes);
  if (found == kShapes.end()) throw invalid_input("there are no sectors of {} bytes; there are {}", bytes, all_names());
  return *found;
}

const SectorShape& sector_shape(std::string_view name) {
  const auto found = std::ranges::find(kShapes, name, &SectorShape::name);
  if (found == kShapes.end()) throw invalid_input("there is no sector size '{}'; there are {}", name, all_names());
  return *found;
}

}  // namespace cuzk::filecoin
