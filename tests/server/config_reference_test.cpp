#include "server/config_reference.h"

#include <gmock/gmock.h>

#include <fstream>
#include <set>
#include <sstream>

#include "server/config_keys.h"
#include "server/config_topics.h"

namespace cuzk::server {
namespace {

std::string text_of_file(const char* name) {
  std::ostringstream text;
  text << std::ifstream(name).rdbuf();
  return text.str();
}

TEST(ConfigTopics, TellOfEveryKeyThatHasAnEffectOnce) {
  std::multiset<std::string> told, known;
  for (const auto& topic : config_topics())
    for (const auto key : topic.keys) told.emplace(key);
  for (const auto& key : config_keys())
    if (key.show) known.insert(key.name);
  EXPECT_EQ(told, known);
}

TEST(ConfigTopics, StandInTheOrderOfTheirSections) {
  std::set<std::string> seen;
  std::string section;
  for (const auto& topic : config_topics()) {
    for (const auto key : topic.keys) {
      const std::string own(key.substr(0, key.find('.')));
      EXPECT_TRUE(own == section || seen.insert(own).second) << key << ": its section was left before";
      section = own;
    }
  }
}

// Where these fail: cuzk manual toml > packaging/cuzk.toml; cuzk manual configuration > docs/configuration-keys.md
TEST(ConfigReference, ThePackagedFileIsWhatTheTablesSay) {
  EXPECT_EQ(text_of_file(CUZK_EXAMPLE_CONFIG), example_config());
}

TEST(ConfigReference, ThePageIsWhatTheTablesSay) { EXPECT_EQ(text_of_file(CUZK_CONFIG_REFERENCE), config_reference()); }

}  // namespace
}  // namespace cuzk::server
