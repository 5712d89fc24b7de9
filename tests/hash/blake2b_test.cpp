#include "hash/blake2b.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "base/hex.h"
#include "hash/vector_values.h"

namespace cuzk {
namespace {

TEST(Blake2b, GivesTheDigestOfTheStandard) {
  EXPECT_EQ(to_hex(blake2b_512(bytes_of("abc"))),
            "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
            "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923");
}

TEST(Blake2b, PiecesGiveTheSameDigest) {
  const std::vector<u8> message(1000, 7);
  Blake2b hasher;
  for (std::size_t at = 0; at < message.size(); at += 125) hasher.update(std::span(message).subspan(at, 125));
  EXPECT_EQ(hasher.finish(), blake2b_512(message));
}

}  // namespace
}  // namespace cuzk
