#include "common/files.h"

#include <gtest/gtest.h>

#include "apps/process.h"
#include "base/error.h"

namespace cuzk::apps {
namespace {

namespace fs = std::filesystem;

const std::vector<u8> kBytes{1, 2, 3};

TEST(WriteFile, KeepsTheMode) {
  const test::TemporaryFolder folder;
  write_file(folder / "file", kBytes);
  fs::permissions(folder / "file", fs::perms::owner_read | fs::perms::owner_write);
  write_file(folder / "file", std::vector<u8>{4});
  EXPECT_EQ(fs::status(folder / "file").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(fs::file_size(folder / "file"), 1U);
}

TEST(WriteFile, GoesThroughALink) {
  const test::TemporaryFolder folder;
  write_file(folder / "file", {});
  fs::create_symlink(folder / "file", folder / "link");
  check_can_write(folder / "link");
  write_file(folder / "link", kBytes);
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(fs::file_size(folder / "file"), kBytes.size());
}

/// As root a rename would put a file in the device's place.
TEST(WriteFile, WritesToADeviceAndDoesNotReplaceIt) {
  ASSERT_TRUE(fs::is_character_file("/dev/null"));
  check_can_write("/dev/null");
  write_file("/dev/null", kBytes);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(WriteFile, SaysThatThereIsNoRoomAndLeavesNothing) {
  const test::TemporaryFolder folder;
  fs::create_symlink("/dev/full", folder / "full");
  EXPECT_THROW(write_file(folder / "full", kBytes), Error);
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  EXPECT_FALSE(fs::exists(folder / "full.partial"));
}

}  // namespace
}  // namespace cuzk::apps
