#include "filecoin/json_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/json_text.h"

namespace cuzk::filecoin {
namespace {

/// The same text in memory, and in pieces of one size.
template <class Check>
void with_both_readers(const std::string& text, Check check) {
  JsonReader whole(text, "text");
  check(whole);
  for (const std::size_t size : {1, 7, 64}) {
    std::size_t position = 0;
    JsonReader pieces(
        [&](std::span<u8> into) {
          const std::size_t count = std::min({size, into.size(), text.size() - position});
          std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(position), count, into.begin());
          position += count;
          return count;
        },
        "text");
    check(pieces);
  }
}

void skip_all(const std::string& text) {
  with_both_readers(text, [](JsonReader& reader) {
    reader.skip();
    reader.finish();
  });
}

TEST(JsonReader, SkipsWhatIsJson) {
  for (const char* text :
       {"0", "-0", "1.5e+10", "-0.0E-1", "true", "false", "null", "\"\"", "\"a\\u0041\\n\\ud83d\\ude00\"", "[]", "{}",
        " [ ] ", "[[],[{}]]", "{\"a\":[1,2,{\"b\":null}],\"c\":\"d\"}", "[\"\\\\\\\"\"]"})
    EXPECT_NO_THROW(skip_all(text)) << text;
}

TEST(JsonReader, RefusesWhatIsNot) {
  for (const char* text : {"",
                           " ",
                           "00",
                           "01",
                           "-",
                           "+1",
                           "1.",
                           ".5",
                           "1e",
                           "tru",
                           "nul",
                           "\"",
                           "\"\\x\"",
                           "\"\\u12\"",
                           "\"\\ud800\"",
                           "\"\\udc00\"",
                           "\"\\ud800\\u0041\"",
                           "\"\t\"",
                           "\"\xff\"",
                           "[",
                           "]",
                           "[1",
                           "[1,",
                           "[1,]",
                           "[,1]",
                           "[1 2]",
                           "{",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "{a:1}",
                           "{\"a\":1 \"b\":2}",
                           "[}",
                           "{]",
                           "1 2",
                           "[] []",
                           "\xef\xbb\xbf[]",
                           "'a'",
                           "[1]/**/",
                           "NaN"})
    EXPECT_THROW(skip_all(text), Error) << text;
}

TEST(JsonReader, SkipsDeepValuesWithoutAStack) {
  const std::size_t depth = 1'000'000;
  EXPECT_NO_THROW(skip_all(std::string(depth, '[') + std::string(depth, ']')));
  EXPECT_THROW(skip_all(std::string(depth, '[') + std::string(depth - 1, ']')), Error);
}

TEST(JsonReader, ReadsNodesInAnyWriting) {
  const std::string compact = "[0,1,2,3,4,5,6,7,8,9,10,99,100,255,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,200]";
  std::string spaced = compact;
  for (std::size_t at = 0; (at = spaced.find(',', at)) != spaced.npos; at += 3) spaced.replace(at, 1, " ,\n");
  for (const std::string& text : {compact, spaced, compact + std::string(200, ' ')})
    with_both_readers(text, [](JsonReader& reader) {
      const Node node = reader.node();
      reader.finish();
      EXPECT_EQ(node[11], 99);
      EXPECT_EQ(node[13], 255);
      EXPECT_EQ(node[31], 200);
    });
}

TEST(JsonReader, RefusesNodesThatAreNot) {
  const std::string thirty = "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,";
  for (const char* end :
       {"1]", "1,2,3]", "1,256]", "1,-1]", "1,1.0]", "1,1e1]", "1,01]", "1,]", "1,\"1\"]", "1,1000]", "1,null]", "1,2"})
    for (const char* after : {"",
                              "                                                                                 "
                              "                                                                                 "})
      with_both_readers('[' + thirty + end + after,
                        [&](JsonReader& reader) { EXPECT_THROW(reader.node(), Error) << end; });
}

TEST(JsonReader, TakesFieldsInAnyOrderOnceEach) {
  const auto read = [](const std::string& text) {
    u64 sum = 0;
    JsonReader reader(text, "text");
    reader.fields({"a", "b"}, [&](std::size_t field) { sum += reader.number() * (field == 0 ? 1 : 10); });
    reader.finish();
    return sum;
  };
  EXPECT_EQ(read(R"({"a":1,"b":2})"), 21u);
  EXPECT_EQ(read(R"({"x":{"a":[]},"b":2,"\u0061":1,"x":0})"), 21u);
  for (const char* text :
       {R"({"a":1})", R"({"a":1,"b":2,"a":1})", R"({"a":1,"b":-2})", R"({"a":1,"b":18446744073709551616})", R"([1,2])"})
    EXPECT_THROW(read(text), Error) << text;
}

/// A string, read in pieces.
std::string joined(JsonReader& reader) {
  std::string text;
  std::array<u8, 64> piece{};
  while (const std::size_t count = reader.string_piece(piece)) text.append(piece.begin(), piece.begin() + count);
  return text;
}

TEST(JsonReader, ReadsAStringInPieces) {
  const std::string start = std::string(200, 'x'), text = "[\"" + start + "\\/\\u00e9\\ud83d\\ude00\",\"\",7]";
  with_both_readers(text, [&](JsonReader& reader) {
    std::vector<std::string> strings;
    u64 number = 0;
    reader.array([&](std::size_t i) {
      if (i < 2) strings.push_back(joined(reader));
      if (i == 2) number = reader.number();
    });
    reader.finish();
    EXPECT_EQ(strings, (std::vector<std::string>{start + "/\u00e9\U0001f600", ""}));
    EXPECT_EQ(number, 7u);
  });
  for (const char* wrong : {"\"abc", "\"a\tb\"", "7", "\"\\x\""})
    with_both_readers(wrong, [&](JsonReader& reader) { EXPECT_THROW(joined(reader), Error) << wrong; });
}

RC_GTEST_PROP(JsonReader, GivesBackAnyStringThatWasQuoted, ()) {
  const auto ascii = *rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127));
  const std::string text = ascii + *rc::gen::element<std::string>("", "\x7f", "\u00e4", "\U0001f600") + ascii;
  with_both_readers(json_quoted(text), [&](JsonReader& reader) { RC_ASSERT(reader.string() == text); });
}

RC_GTEST_PROP(JsonReader, GivesBackAnyNode, (const std::array<u8, 32>& node)) {
  with_both_readers(fmt::format("[{}]", fmt::join(node, ",")),
                    [&](JsonReader& reader) { RC_ASSERT(reader.node() == node); });
}

TEST(JsonReader, ViewsAStringWithoutEscapesOnly) {
  const std::string text = R"(["plain","with \u0041",5])";
  JsonReader reader(text, "text");
  reader.array([&](std::size_t i) {
    const auto view = reader.plain_string();
    EXPECT_EQ(view.has_value(), i == 0);
    if (!view) reader.skip();
  });
}

TEST(JsonReader, NamesThePlace) {
  JsonReader reader(R"({"a":[1,2,"x"]})", "text");
  EXPECT_THAT(
      [&] {
        reader.fields({"a"}, [&](std::size_t) {
          reader.array([&](std::size_t i) {
            const JsonReader::Place here(reader, "item", i);
            reader.number();
          });
        });
      },
      testing::ThrowsMessage<Error>(testing::StartsWith("text: cannot be read: a item 2: expected a whole number")));
}

}  // namespace
}  // namespace cuzk::filecoin
