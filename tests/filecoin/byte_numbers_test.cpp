#include "filecoin/byte_numbers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "support/random.h"

namespace cuzk::filecoin {
namespace {

/// A node of 32 numbers as text.
std::string node_text(const std::vector<std::string>& numbers) { return fmt::format("[{}]", fmt::join(numbers, ",")); }

std::string random_text(test::Random& random) {
  const u64 limit = std::array<u64, 3>{10, 100, 256}[random() % 3];
  std::vector<std::string> numbers(32);
  for (std::string& number : numbers) number = std::to_string(random() % limit);
  return node_text(numbers);
}

/// One character replaced, put in or taken out.
void damage(std::string& text, test::Random& random) {
  static constexpr std::string_view kCharacters = "0123456789,] [-.e\"\xff/:";
  const std::size_t place = random() % text.size();
  const char character = kCharacters[random() % kCharacters.size()];
  switch (random() % 3) {
    case 0: text[place] = character; break;
    case 1: text.insert(place, 1, character); break;
    default: text.erase(place, 1);
  }
}

void expect_same(std::string text, char behind) {
  text.resize(std::max(text.size(), kCompactNodeBytes) + 8, behind);
  Node node{}, expected{};
  const auto* bytes = reinterpret_cast<const u8*>(text.data());
  const std::size_t length = compact_node_portable(bytes, expected);
  ASSERT_EQ(compact_node(bytes, node), length) << text;
  if (length != 0) {
    ASSERT_EQ(node, expected) << text;
  }
}

TEST(CompactNode, VectorsAndThePortableFormAgreeOnGoodAndOnDamagedTexts) {
  test::Random random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string text = random_text(random);
    expect_same(text, "x,0]"[random() % 4]);
    damage(text, random);
    expect_same(text, "x,0]"[random() % 4]);
  }
}

TEST(CompactNode, TakesTheShortestAndTheLongestText) {
  for (const char* number : {"0", "255"}) {
    std::string text = node_text(std::vector<std::string>(32, number));
    const std::size_t length = text.size();
    text.resize(kCompactNodeBytes, ' ');
    Node node{};
    EXPECT_EQ(compact_node(reinterpret_cast<const u8*>(text.data()), node), length);
    EXPECT_EQ(node[31], std::stoi(number));
  }
}

TEST(CompactNode, RefusesWhatIsNoByteInDigits) {
  for (const std::string number : {"256", "999", "01", "00", "001", "1000", "", " 1", "1 ", "-1", "1.", "a"}) {
    for (const std::size_t place : {0, 15, 31}) {
      std::vector<std::string> numbers(32, "7");
      numbers[place] = number;
      std::string text = node_text(numbers);
      text.resize(kCompactNodeBytes, ' ');
      Node node{};
      EXPECT_EQ(compact_node(reinterpret_cast<const u8*>(text.data()), node), 0u) << number << " at " << place;
    }
  }
}

}  // namespace
}  // namespace cuzk::filecoin
