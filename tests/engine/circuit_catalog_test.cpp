// The cache of compiled circuits: a file saves the compilation, and one that is not right is replaced.
#include "engine/statements/circuit_catalog.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "base/hex.h"
#include "groth16/expect_error.h"

namespace cuzk::engine {
namespace {

namespace fs = std::filesystem;

class CircuitCatalogTest : public testing::Test {
 protected:
  ~CircuitCatalogTest() override { fs::remove_all(folder_); }

  fs::path file(const std::string& id) const { return CircuitCache(cache_).file_of(id); }
  Digest digest_of(const std::string& id) const { return CircuitCatalog(CircuitCache(cache_)).get(id)->digest(); }

  /// Of the bytes that a file starts with.
  std::string beginning(const std::string& id) const {
    std::ifstream stream(file(id), std::ios::binary);
    std::string bytes(64, 0);
    stream.read(bytes.data(), 64);
    return bytes;
  }

  fs::path folder_ = testing::TempDir() + "circuit_catalog_test." + std::to_string(getpid());
  fs::path cache_ = folder_ / "cache/circuits";
};

TEST_F(CircuitCatalogTest, AFileSavesTheCompilation) {
  const Digest expected = CircuitCatalog().get("wpost-2k")->digest();
  EXPECT_EQ(digest_of("wpost-2k"), expected);
  ASSERT_TRUE(fs::exists(file("wpost-2k")));
  EXPECT_TRUE(CircuitCache(cache_).load("wpost-2k").has_value());
  EXPECT_EQ(digest_of("wpost-2k"), expected);
}

TEST_F(CircuitCatalogTest, AFileIsNamedByTheCircuitsDigest) {
  EXPECT_EQ(file("wpost-2k").filename(), "wpost-2k-0195e9af4f66bb08.circuit");
  const auto digest = CircuitCatalog().get("wpost-2k")->digest();
  EXPECT_EQ(to_hex(std::span(digest).first(8)), "0195e9af4f66bb08");
  EXPECT_EQ(file("toy").filename(), "toy.circuit");
}

TEST_F(CircuitCatalogTest, WhoWantsACircuitNoMoreDoesNotWaitForIt) {
  CircuitCatalog catalog;
  std::stop_source stop;
  stop.request_stop();
  test::expect_error(Code::cancelled, "compiling circuit porep-2k", [&] { catalog.get("porep-2k", stop.get_token()); });
  EXPECT_NE(catalog.get("porep-2k"), nullptr) << "it is there for others";
  EXPECT_NO_THROW(catalog.get("porep-2k", stop.get_token())) << "nothing to wait for";
}

TEST_F(CircuitCatalogTest, WithoutADirectoryThereAreNoFiles) {
  CircuitCatalog(circuit_cache("off")).get("toy");
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(CircuitCatalogTest, AFileOfAnotherCircuitIsReplaced) {
  const Digest expected = digest_of("wpost-2k");
  digest_of("toy");
  fs::copy_file(file("toy"), file("wpost-2k"), fs::copy_options::overwrite_existing);
  EXPECT_FALSE(CircuitCache(cache_).load("wpost-2k").has_value());
  EXPECT_EQ(digest_of("wpost-2k"), expected);
  EXPECT_TRUE(CircuitCache(cache_).load("wpost-2k").has_value());
}

TEST_F(CircuitCatalogTest, ADamagedFileIsReplaced) {
  const Digest expected = digest_of("toy");
  const std::string good = beginning("toy");
  fs::resize_file(file("toy"), fs::file_size(file("toy")) - 1);
  EXPECT_EQ(digest_of("toy"), expected);
  std::ofstream(file("toy")) << "nonsense";
  EXPECT_EQ(digest_of("toy"), expected);
  EXPECT_EQ(beginning("toy"), good);
}

TEST_F(CircuitCatalogTest, ADirectoryThatCannotBeMadeDoesNoHarm) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "cache") << "a file in its place";
  EXPECT_EQ(digest_of("toy"), CircuitCatalog().get("toy")->digest());
}

TEST_F(CircuitCatalogTest, RemembersTheNetworksDigest) {
  CircuitCatalog catalog{CircuitCache(cache_)};
  EXPECT_EQ(catalog.known_network_digest("toy"), std::nullopt);
  const Digest digest = catalog.network_digest("toy");
  EXPECT_EQ(CircuitCatalog(CircuitCache(cache_)).known_network_digest("toy"), digest);
  EXPECT_EQ(digest_of("toy"), digest);
}

}  // namespace
}  // namespace cuzk::engine
