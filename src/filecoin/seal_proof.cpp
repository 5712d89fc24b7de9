#include "filecoin/seal_proof.h"

#include "base/error.h"

namespace cuzk::filecoin {
namespace {

constexpr u64 kSizes = 5;  // of the network; numbers go through them, then through the variants

std::string_view suffix(SealVariant variant) {
  switch (variant) {
    case SealVariant::v1: return "V1";
    case SealVariant::v1_1: return "V1_1";
    case SealVariant::synthetic: return "V1_1_Feat_SyntheticPoRep";
    case SealVariant::non_interactive: break;
  }
  return "V1_2_Feat_NonInteractivePoRep";
}

/// Place of a size among those of the network; 0 for others.
u64 size_number(const SectorShape& wanted) {
  u64 number = 0;
  for (const SectorShape& shape : sector_shapes()) {
    if (&shape == &wanted) return shape.official ? number : 0;
    if (shape.official) ++number;
  }
  return 0;
}

}  // namespace

SealProof SealProof::from_number(u64 number) {
  if (number >= kSizes * kSealVariants.size())
    throw invalid_input("registered seal proof {}: expected a number below {}", number, kSizes * kSealVariants.size());
  const SealVariant variant = kSealVariants[number / kSizes];
  for (const SectorShape& shape : sector_shapes())
    if (shape.official && size_number(shape) == number % kSizes) return {variant, &shape};
  throw internal_error("registered seal proof {}: no size", number);
}

SealProof SealProof::from_name(std::string_view name) {
  for (const SectorShape& shape : sector_shapes())
    for (const SealVariant variant : kSealVariants) {
      const SealProof proof{variant, &shape};
      if (proof.name() == name) return proof;
    }
  throw invalid_input("there is no registered seal proof '{}'", name);
}

u64 SealProof::number() const { return static_cast<u64>(variant) * kSizes + size_number(*shape); }

std::string SealProof::name() const { return fmt::format("StackedDrg{}{}", shape->proof_name, suffix(variant)); }

std::string SealProof::size_tag() const { return SealProof{SealVariant::v1, shape}.name(); }

ApiVersion SealProof::api_version() const {
  switch (variant) {
    case SealVariant::v1: return ApiVersion::v1_0;
    case SealVariant::v1_1: return ApiVersion::v1_1;
    case SealVariant::synthetic:
    case SealVariant::non_interactive: break;
  }
  return ApiVersion::v1_2;
}

Node SealProof::porep_id() const {
  Node id{};
  id[0] = static_cast<u8>(number());
  return id;
}

const ChallengeCounts& SealProof::challenges() const {
  return variant == SealVariant::non_interactive ? shape->non_interactive_porep : shape->porep;
}

}  // namespace cuzk::filecoin
