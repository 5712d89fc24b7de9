// What a C1 request costs in memory: at most twice its size, itself included, whatever is in it.
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/small_arrays.h"
#include "filecoin/c1_decoder.h"
#include "filecoin_memory/heap_meter.h"
#include "support/vectors.h"

namespace cuzk::filecoin {
namespace {

/// Of any request: messages, names of places.
constexpr std::size_t kFixed = 2048;

/// What decoding holds at a time beside the body, the result included: of the heap, and pages of small arrays beyond the
/// one that every thread has.
std::size_t cost_of(std::string_view body) {
  const SmallArray<u8> own(1);
  const std::size_t before = small_array_bytes();
  std::size_t pages = 0;
  const std::size_t heap = test::heap_cost([&] {
    try {
      const VanillaPorep porep = decode_c1(body);
      pages = small_array_bytes() - before;
    } catch (const Error&) {
    }
  });
  return heap + pages;
}

void expect_within_bound(const std::string& name, std::string_view body) {
  const std::size_t cost = cost_of(body);
  EXPECT_LE(cost, body.size() + kFixed) << name;
}

/// The request with one character of Phase1Out written as an escape, which forbids a view of the text.
std::string with_escape(std::string body) {
  const std::size_t place = body.find("Phase1Out") + 100;
  return body.replace(place, 1, fmt::format("\\u{:04x}", static_cast<int>(body[place])));
}

TEST(C1Memory, A32GiBRequestCostsLessThanAQuarterOfItsSizeBesideItself) {
  const std::string body = test::vector_text("sparse/porep-32g.c1.json.xz");
  EXPECT_LE(cost_of(body), body.size() / 4);
  EXPECT_LE(cost_of(with_escape(body)), body.size() / 4) << "whose text cannot be viewed";
}

TEST(C1Memory, SmallRequestsToo) {
  const std::string body = test::vector_text("sectors/2KiB/s2-v1_1/c1.json.xz");
  expect_within_bound("2KiB", body);
  expect_within_bound("2KiB with an escape", with_escape(body));
}

TEST(C1Memory, MalformedRequestsToo) {
  for (const auto& item : test::vector_json("malformed/index.json")) {
    const auto file = item.at("file").get<std::string>();
    if (item.at("kind") == "porep") expect_within_bound(file, test::vector_text("malformed/" + file));
  }
}

}  // namespace
}  // namespace cuzk::filecoin
