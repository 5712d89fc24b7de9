#include "filecoin/base64.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.h"

namespace cuzk::filecoin {
namespace {

std::string decoded(std::string_view text) {
  const auto bytes = decode_base64(text);
  return {bytes.begin(), bytes.end()};
}

TEST(Base64, DecodesTheExamplesOfTheStandard) {
  EXPECT_EQ(decoded(""), "");
  EXPECT_EQ(decoded("Zg=="), "f");
  EXPECT_EQ(decoded("Zm8="), "fo");
  EXPECT_EQ(decoded("Zm9v"), "foo");
  EXPECT_EQ(decoded("Zm9vYg=="), "foob");
  EXPECT_EQ(decoded("Zm9vYmFy"), "foobar");
}

RC_GTEST_PROP(Base64, DecodesWhatWasEncoded, (const std::vector<u8>& bytes)) {
  const auto longer = *rc::gen::container<std::vector<u8>>(300, rc::gen::arbitrary<u8>());
  RC_ASSERT(decode_base64(encode_base64(bytes)) == bytes);
  RC_ASSERT(decode_base64(encode_base64(longer)) == longer);
}

TEST(Base64, DecodesInPiecesOfAnySize) {
  std::vector<u8> bytes(1000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<u8>(i * 7 + i / 256);
  const std::string text = encode_base64(bytes);
  for (std::size_t size = 64; size < 300; size += 13) {
    Base64Decoder decoder(text);
    std::vector<u8> result, piece(size);
    while (const std::size_t count = decoder.read(piece))
      result.insert(result.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(count));
    EXPECT_EQ(result, bytes) << size;
  }
}

TEST(Base64, RefusesEveryWrongCharacterAtEveryPlace) {
  const std::string good = encode_base64(std::vector<u8>(96, 0x5a));
  for (std::size_t place = 0; place < good.size(); ++place)
    for (int character = 0; character < 256; ++character) {
      std::string text = good;
      text[place] = static_cast<char>(character);
      const bool in_alphabet = std::isalnum(character) || character == '+' || character == '/';
      const bool padding = character == '=' && place + 1 == good.size();
      if (in_alphabet) {
        EXPECT_EQ(decode_base64(text).size(), 96u);
      } else if (!padding) {
        EXPECT_THROW(decode_base64(text), Error) << place << ' ' << character;
      }
    }
}

TEST(Base64, RefusesWrongPaddingAndUnusedBits) {
  for (const char* text :
       {"Z", "Zg", "Zg=", "Zg===", "=Zg=", "Zm9vYg", "Zh==", "Zm9=", "Zg==Zg==", "Zm8=Zm8=", "Zm9v\n", "===="})
    EXPECT_THROW(decode_base64(text), Error) << text;
}

TEST(Base64, NamesTheOffset) {
  std::string text(400, 'A');
  text[333] = '*';
  EXPECT_THAT([&] { decode_base64(text); }, testing::ThrowsMessage<Error>(testing::HasSubstr("offset 333")));
}

}  // namespace
}  // namespace cuzk::filecoin
