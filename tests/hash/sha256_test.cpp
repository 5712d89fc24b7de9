#include "hash/sha256.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <vector>

#include "base/hex.h"
#include "field/kernels.h"
#include "hash/vector_values.h"
#include "support/vectors.h"

namespace cuzk {
namespace {

/// 0, 1, 2, ... modulo 251.
std::vector<u8> pattern(std::size_t size) {
  std::vector<u8> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<u8>(i % 251);
  return bytes;
}

TEST(Sha256, GivesTheDigestsOfTheStandard) {
  EXPECT_EQ(to_hex(sha256({})), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(to_hex(sha256(bytes_of("abc"))), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(to_hex(sha256(bytes_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(to_hex(sha256(std::vector<u8>(1'000'000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesOfAnySizeGiveTheSameDigest) {
  const std::vector<u8> message = pattern(300);
  for (const std::size_t size : {0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 300}) {
    const std::span<const u8> whole = std::span(message).first(size);
    for (const std::size_t piece : {1, 7, 63, 64, 65, 200}) {
      Sha256 hasher;
      for (std::size_t at = 0; at < size; at += piece) hasher.update(whole.subspan(at, std::min(piece, size - at)));
      EXPECT_EQ(hasher.finish(), sha256(whole)) << size << " bytes in pieces of " << piece;
    }
  }
}

TEST(Sha256, ExtensionsEqualThePortableCode) {
  if (!has_sha_extensions()) GTEST_SKIP() << "the processor has no SHA extensions";
  const std::vector<u8> message = pattern(64 * 33);
  for (std::size_t blocks = 0; blocks <= 33; ++blocks) {
    Sha256State portable = kSha256Initial, extended = kSha256Initial;
    detail::sha256_compress_portable(portable, std::span(message).first(64 * blocks));
    detail::sha256_compress_sha_ni(extended, std::span(message).first(64 * blocks));
    EXPECT_EQ(portable, extended) << blocks << " blocks";
  }
}

TEST(Sha256, NodesEqualTheVectors) {
  for (const auto& entry : nlohmann::json(test::vector_json("primitives/sector.json")["sha256_nodes"])) {
    const std::vector<u8> left = from_hex(entry["a"].get<std::string>());
    const std::vector<u8> right = from_hex(entry["b"].get<std::string>());
    EXPECT_EQ(to_hex(Sha256().update(left).update(right).finish()), entry["plain_sha256"].get<std::string>());
    const Digest node = sha256_node(std::span<const u8, 32>(left), std::span<const u8, 32>(right));
    EXPECT_EQ(to_hex(node), entry["node"].get<std::string>());
  }
}

}  // namespace
}  // namespace cuzk
