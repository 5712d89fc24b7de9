// Proofs of several partitions, from the sector to `cuzk verify`: made by the real daemon, all partitions verified in one
// batch, and refused when two of them have changed places.
#include <algorithm>

#include "server/daemon_fixture.h"
#include "server/kept_keys.h"

namespace cuzk::server {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class SeveralPartitions : public DaemonTest {
 protected:
  /// Proves by a daemon, verifies, and verifies again with two partitions exchanged, the first of them number `wrong`.
  void prove_and_verify(const std::string& kind, std::size_t partitions, std::size_t wrong) {
    takes_toys = false;
    start();
    const std::string proof = folder / "proof";
    const auto made = cuzk({"prove", kind, request, "--connect", address(), "--out", proof, "--json"});
    ASSERT_EQ(made.status, 0) << made.err;
    EXPECT_EQ(json::parse(made.out).at("partitions"), partitions);
    const auto right = verify(kind, proof);
    EXPECT_EQ(right.status, 0) << right.out << right.err;

    std::string bytes = test::text_of(proof);
    ASSERT_EQ(bytes.size(), 192 * partitions);
    std::swap_ranges(bytes.begin() + 192 * static_cast<std::ptrdiff_t>(wrong),
                     bytes.begin() + 192 * static_cast<std::ptrdiff_t>(wrong + 1), bytes.end() - 192);
    std::ofstream(proof, std::ios::binary) << bytes;
    const auto refused = verify(kind, proof);
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.out, HasSubstr(fmt::format("partition {} of {}", wrong, partitions)));
  }

  test::Outcome verify(const std::string& kind, const std::string& proof) const {
    return cuzk({"verify", kind, request, proof, "--keys", folder / "keys"});
  }

  const std::string request = folder / "request.json";
};

/// 16 KiB is the smallest size whose updates have more than one partition.
TEST_F(SeveralPartitions, OfASectorUpdate) {
  take_key("snap-16k", folder / "keys");
  must({"update", "--size", "16k", "--counter", "1", "--new-counter", "2", "--out", request});
  prove_and_verify("snap", 2, 0);
}

TEST_F(SeveralPartitions, OfANonInteractivePorep) {
  const auto& sector = test::vector_json("sectors/2KiB/s4-ni/sector.json");
  must({"seal", "--size", "2k", "--variant", "ni", "--counter", sector.at("piece").at("data").at("tag").dump(),
        "--sector-number", sector.at("sector_number").dump(), "--ticket", sector.at("ticket"), "--seed",
        sector.at("seed"), "--out", request});
  EXPECT_TRUE(test::text_of(request) == test::vector_text("sectors/2KiB/s4-ni/c1.json.xz"));
  take_key("porep-2k", folder / "keys");
  prove_and_verify("porep", 13, 5);
}

}  // namespace
}  // namespace cuzk::server
