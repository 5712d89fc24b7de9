// Inputs as files: whole or not there, and safe once they are said to be.
#include "farm/object_directory.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>

#include "apps/process.h"
#include "base/error.h"
#include "base/failpoint.h"

namespace cuzk::farm {
namespace {

class ObjectDirectoryTest : public testing::Test {
 protected:
  void TearDown() override { failpoint::disarm_all(); }

  void write() const {
    static constexpr std::array<u8, 5> kBytes{'i', 'n', 'p', 'u', 't'};
    const std::array<std::span<const u8>, 1> pieces{kBytes};
    objects.write(digest, pieces);
  }
  static u64 flushes() { return failpoint::passes()["farm.object.directory"]; }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder / "objects"), {}));
  }

  test::TemporaryFolder folder;
  ObjectDirectory objects{folder / "objects"};
  engine::InputDigest digest{5};
};

TEST_F(ObjectDirectoryTest, WhatIsWrittenIsRead) {
  write();
  write();
  EXPECT_EQ(objects.read(digest), "input");
  EXPECT_EQ(files(), 1u);
  EXPECT_TRUE(objects.remove(digest));
  EXPECT_TRUE(objects.remove(digest)) << "it is gone";
  EXPECT_THROW(objects.read(digest), Error);
}

TEST_F(ObjectDirectoryTest, WhatCannotBeReadOrRemovedIsSaid) {
  std::filesystem::create_directory(folder / "objects" / ("05" + std::string(62, '0')));
  EXPECT_THROW(objects.read(digest), Error);
  EXPECT_FALSE(objects.remove(digest));
}

#ifdef CUZK_FAILPOINTS
TEST_F(ObjectDirectoryTest, AnInputThatIsThereIsSafeBeforeASecondOneIsTold) {
  failpoint::arm("farm.object.directory", {.code = Code::unavailable, .times = 1});
  const u64 before = flushes();
  EXPECT_THROW(write(), Error) << "its name was given and not flushed";
  write();
  EXPECT_EQ(flushes(), before + 2);
  EXPECT_EQ(objects.read(digest), "input");
}

TEST_F(ObjectDirectoryTest, AWriteThatFailsLeavesNothing) {
  for (const char* place : {"farm.object.create", "farm.object.write", "farm.object.flush", "farm.object.rename"}) {
    failpoint::arm(place, {.code = Code::resource_exhausted, .times = 1});
    EXPECT_THROW(write(), Error) << place;
    EXPECT_EQ(files(), 0u) << place;
  }
}
#endif

}  // namespace
}  // namespace cuzk::farm
