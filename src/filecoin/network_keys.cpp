#include "filecoin/network_keys.h"

#include <array>
#include <string>

namespace cuzk::filecoin {

namespace {

struct NetworkKey {
  std::string_view circuit, digest;
  u64 bytes;
};

constexpr std::array<NetworkKey, 8> kKeys{{
    {"porep-32g", "6a388072a518cf46ebd661f5cc46900a", 47'373'928'632},
    {"porep-64g", "1801f8a6e1b00bceb00cc27314bb5ce3", 47'624'967'288},
    {"wpost-32g", "2cf49eb26f1fee94c85781a390ddb4c8", 60'780'374'232},
    {"wpost-64g", "3810b7780ac0e299b22ae70f1f94c9bc", 62'556'733'560},
    {"winning-32g", "d84f79a16fe40e9e25a36e2107bb1ba0", 192'050'232},
    {"winning-64g", "2170a91ad5bae22ea61f2ea766630322", 200'014'584},
    {"snap-32g", "1b3cfd761a961543f9eb273e435a06a2", 34'453'501'368},
    {"snap-64g", "1a392e7b759fb18e036c7559b5ece816", 35'507'495'352},
}};

}  // namespace

std::string_view network_params_digest(const CircuitName& circuit) {
  const std::string id = circuit.id();
  for (const auto& key : kKeys)
    if (key.circuit == id) return key.digest;
  return {};
}

u64 network_params_bytes(std::string_view digest) {
  for (const auto& key : kKeys)
    if (key.digest == digest) return key.bytes;
  return 0;
}

}  // namespace cuzk::filecoin
