#include "filecoin/network_keys.h"

#include <array>
#include <string>
#include <utility>

namespace cuzk::filecoin {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kDigests{{
    {"porep-32g", "6a388072a518cf46ebd661f5cc46900a"},
    {"porep-64g", "1801f8a6e1b00bceb00cc27314bb5ce3"},
    {"wpost-32g", "2cf49eb26f1fee94c85781a390ddb4c8"},
    {"wpost-64g", "3810b7780ac0e299b22ae70f1f94c9bc"},
    {"winning-32g", "d84f79a16fe40e9e25a36e2107bb1ba0"},
    {"winning-64g", "2170a91ad5bae22ea61f2ea766630322"},
    {"snap-32g", "1b3cfd761a961543f9eb273e435a06a2"},
    {"snap-64g", "1a392e7b759fb18e036c7559b5ece816"},
}};

}  // namespace

std::string_view network_params_digest(const CircuitName& circuit) {
  const std::string id = circuit.id();
  for (const auto& [known, digest] : kDigests)
    if (known == id) return digest;
  return {};
}

}  // namespace cuzk::filecoin
