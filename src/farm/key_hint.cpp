#include "farm/key_hint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "filecoin/sector_shape.h"

namespace cuzk::farm {

namespace {

std::string_view prefix(engine::Kind kind) {
  switch (kind) {
    case engine::Kind::porep: return "porep";
    case engine::Kind::snap: return "snap";
    case engine::Kind::window_post: return "wpost";
    default: return "winning";
  }
}

/// Filecoin's numbers of proofs go through the network's five sizes again and again.
u64 size_of(u64 registered_proof) {
  constexpr std::array<u64, 5> kSizes{u64{2} << 10, u64{8} << 20, u64{512} << 20, u64{32} << 30, u64{64} << 30};
  return kSizes[registered_proof % kSizes.size()];
}

/// Null where nothing says it.
const filecoin::SectorShape* shape_of(const engine::ProofInput& input) {
  // A PoRep's number stands in its input, and callers leave the field 0.
  const bool says_size = input.sector_size != 0;
  if (!says_size && input.kind == engine::Kind::porep && input.registered_proof == 0) return nullptr;
  const u64 size = says_size ? input.sector_size : size_of(input.registered_proof);
  const auto shapes = filecoin::sector_shapes();
  const auto found = std::find_if(shapes.begin(), shapes.end(), [&](const auto& shape) { return shape.bytes == size; });
  return found == shapes.end() ? nullptr : &*found;
}

}  // namespace

std::string key_hint(const engine::ProofInput& input) {
  const auto* shape = shape_of(input);
  return shape == nullptr ? "" : fmt::format("{}-{}", prefix(input.kind), shape->name);
}

u32 partitions_hint(const engine::ProofInput& input) {
  const auto* shape = shape_of(input);
  if (shape == nullptr) return 1;
  if (input.kind == engine::Kind::porep) return shape->porep.partitions;
  return input.kind == engine::Kind::snap ? std::max<u32>(shape->update.partitions, 1) : 1;
}

}  // namespace cuzk::farm
