#include "filecoin/circuit_digests.h"

#include <algorithm>
#include <array>

#include "base/hex.h"

namespace cuzk::filecoin {
namespace {

struct KnownDigest {
  std::string_view circuit_id, digest;
};

constexpr auto kKnown = std::to_array<KnownDigest>({
    {"porep-2k", "3978711cf3396732e234867f133810af61d62d9bc894f5eefbf7ee63b5b777cd"},
    {"porep-4k", "d14bb959b5fc48408c329143c188e8472a2314d2da5d9af11c2e054c2d071bfc"},
    {"porep-16k", "b3cdc75ea080a4fb8afb6179abb27f4d14cba0d299b169ff03ecd94349ffa4fb"},
    {"porep-32k", "6bc96b8fe141d51eb392f69bd29d1be58d37669337f245f85553e46deb691f06"},
    {"porep-8m", "a8d9e0064bda32200234ed6b5751becce1ba54af797228b1e281efd4ae1bb638"},
    {"porep-16m", "0685d8d1370a59daea2902e45b3cefd7b6f7fa161ef8355664a54bcb63c634f9"},
    {"porep-512m", "433932ec883d28c24d883cdc958abc13a0ab5e72dbe2d8f64670376c355c6808"},
    {"porep-1g", "99e2ce550318a81ca0b6e9b75ea45a9f78e9a722ce3fb0c383d058a7e47b0a2b"},
    {"porep-32g", "a88abba246a3b655571c67ad5fc5a9ecdadd1181dafd157ab7d1872184307ce6"},
    {"porep-64g", "6f92fb0311e2d2299f0f1f3a8f3dc4790afd813393b316bbb4e895ce2eba34cc"},
    {"snap-2k", "53589b6d52cd770018643db09dcab726b52e826e1c55ebf7c6b7a8d559af7cc8"},
    {"snap-4k", "ae79fbeed5b71e9d6dec1050b4e8364fb4ee77ccb3e47a0b6b84e15e00bb965f"},
    {"snap-16k", "65cc48c2bb0f62127245aae3779acd59d6f2392aa527f562e298d629d4ed9a28"},
    {"snap-32k", "10ad7c22ecf151e5517ec9c73555ed798199f6cc08df992b70e6e72a988070d3"},
    {"snap-8m", "289a2be7ad63eee5dc589de9f2d478fe21bc28261ed31fe5c557d330be1ecf40"},
    {"snap-16m", "2993e21a00cd3f498b890d45aa25005c5254c5f0fb9b251c85eec17111dbc40a"},
    {"snap-512m", "d1e0e723846d0a3c1e511e03af88b0d03e07e24d0465a93f1ae2b28999d09a56"},
    {"snap-32g", "4869185ce564fd8ba8e6cc6bf2cfee51aa5e30a15ca6a2a89409879f29772b9b"},
    {"snap-64g", "caf8ffec4561c6b475002465f761322e2e141181f541c011297eadd270bb146a"},
    {"wpost-2k", "0195e9af4f66bb08b5db03878360d823398d411c7eab1ebeccc6793566a103ce"},
    {"wpost-4k", "ba71adeb88d4f874f2f0517ee43fa74035560781daa852813e1718b15a5cded4"},
    {"wpost-16k", "ec4268403ad871581e64d571c0c4c54018f9e98511a6ae8c537603681c8464c7"},
    {"wpost-32k", "ecfb5f69648039a52d8a6a53b75f2f1fce9595ebb244e024f483d95a2d242ec6"},
    {"wpost-8m", "6b7f123339ec0aa12228f6296685d6758ec6daf7cf43d6914facb4e3dab5ca7b"},
    {"wpost-16m", "a865dabff08f5f32bce43139fdce829133e93bbea70357ea86bcfa4e5dfec344"},
    {"wpost-512m", "a6c5d054ffa083142a1b4afd6b6ba3646c8eb2a3d42ac1a3ee0e9604c7999a80"},
    {"wpost-1g", "9a377a6e63cd0cae7cde2ed31fc8ffaa9840b8af1b1824d4ebb9e9acf109be9c"},
    {"wpost-32g", "26b4a08c0e125d7a22b70ab9ccfb4188e8558fee1407e524c6c72f9a3377f210"},
    {"wpost-64g", "d519520ca8bc4e33802d7bef6166a091bc5232eae7ff556e85f1ef692c63e2e0"},
    {"winning-2k", "ad3738631d48dc4f65d24e92b509b3a9d98306c85adb5fe3039f1502f5d8a966"},
    {"winning-4k", "46b54e4cfbc89c53fcaf0dad9ad3fe5302b87456564299898238a3b4ae842f07"},
    {"winning-16k", "72031356791f36b9018b703baa875b0ace3979a0156918225a765ae0b8399657"},
    {"winning-32k", "94c61c3b57e9cdac3b9eac4ca3f79f3f5c8cc85d2b68ea23f974f26a61516939"},
    {"winning-8m", "8d380b1041fe5d6586dfe300861ed07fd75ac29e113a709bdde1e353b76df8a9"},
    {"winning-16m", "9b651f752c33432aa8d220793897823262b40efb4d4342f0a25fd555d1df4a25"},
    {"winning-512m", "32e4ca08d5537aab5378087fd7be3eeecdf5d021f11948032f6a4cd767659226"},
    {"winning-1g", "0d21e6820e69e938faf88b5e31efb02899aad23583fd3974ceb3d832aa42be12"},
    {"winning-32g", "17cd7e20f9b5b88832f659f31caaa8e4faf143fbac72cd3ae0bd3977d20b1ec1"},
    {"winning-64g", "e498d12265d83521948c68606ded30a895b0e8182922776c394616c640db587c"},
});

}  // namespace

std::optional<Digest> known_circuit_digest(std::string_view circuit_id) {
  const auto* const found = std::ranges::find(kKnown, circuit_id, &KnownDigest::circuit_id);
  if (found == kKnown.end()) return std::nullopt;
  const std::vector<u8> bytes = from_hex(found->digest);
  Digest digest{};
  std::ranges::copy(bytes, digest.begin());
  return digest;
}

}  // namespace cuzk::filecoin
