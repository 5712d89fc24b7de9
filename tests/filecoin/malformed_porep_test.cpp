#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "filecoin/both_hashings.h"
#include "filecoin/c1_decoder.h"
#include "filecoin/porep_check.h"
#include "filecoin/sector_vectors.h"

namespace cuzk::filecoin {
namespace {

/// The class of what happens to a request, in the words of the vectors.
std::string class_of(const std::string& body, u64 miner_id) {
  std::optional<VanillaPorep> porep;
  try {
    porep = decode_c1(body);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::invalid_input);
    const std::string_view message = error.what();
    const bool unreadable = message.find("cannot be read") != message.npos;
    return unreadable ? "decode error" : "invalid input";
  }
  const auto check = [&](Hashing how) { check_porep(*porep, miner_id, ThreadPool::shared(), how); };
  return fault_of(check).empty() ? "accepted" : "unsatisfied witness";
}

TEST(MalformedPorep, EachHasTheClassOfTheVectors) {
  const auto index = test::vector_json("malformed/index.json");
  std::size_t count = 0;
  for (const auto& item : index) {
    if (item.at("kind") != "porep") continue;
    ++count;
    const std::string found = class_of(test::vector_text("malformed/" + item.at("file").get<std::string>()),
                                       item.at("request").at("miner_id").get<u64>());
    const auto also = item.at("also_right").get<std::vector<std::string>>();
    EXPECT_TRUE(found == item.at("expect") || std::ranges::find(also, found) != also.end())
        << item.at("file") << " (" << item.at("what") << "): " << found << ", expected " << item.at("expect");
  }
  EXPECT_GE(count, 50u);
}

}  // namespace
}  // namespace cuzk::filecoin
