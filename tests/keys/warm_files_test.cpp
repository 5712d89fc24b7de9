#include "keys/warm_files.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>
#include <vector>

#include "apps/process.h"
#include "base/log.h"
#include "keys/cold_file.h"

namespace cuzk::keys {
namespace {

constexpr std::size_t kBytes = 3 << 20;

class WarmFilesTest : public testing::Test {
 protected:
  WarmFilesTest() {
    configure_log(spdlog::level::off, LogFormat::text);
    test::write_cold(file, kBytes);
  }

  /// Nothing can be said where files are memory, as on tmpfs.
  bool stays_warm() const { return WarmFiles(0).is_warm(file); }

  test::TemporaryFolder folder;
  const std::filesystem::path file = folder / "any.params";
};

TEST_F(WarmFilesTest, AFileThatIsWantedIsRead) {
  if (stays_warm()) GTEST_SKIP() << "the system keeps the file in memory";
  WarmFiles warm(kBytes);
  warm.want(file);
  warm.wait();
  EXPECT_TRUE(warm.is_warm(file));
}

TEST_F(WarmFilesTest, WithoutABudgetNothingIsRead) {
  if (stays_warm()) GTEST_SKIP() << "the system keeps the file in memory";
  WarmFiles warm(kBytes - 1);
  warm.want(file);
  warm.wait();
  EXPECT_FALSE(warm.is_warm(file));
}

TEST_F(WarmFilesTest, AFileThatCannotBeReadIsNoError) {
  WarmFiles warm(kBytes);
  for (const auto& path : {folder / "absent", folder / "."}) {
    warm.want(path);
    warm.used(path);
    warm.wait();
    EXPECT_FALSE(warm.is_warm(path));
  }
  std::ofstream(folder / "empty");
  warm.want(folder / "empty");
  warm.wait();
  EXPECT_FALSE(warm.is_warm(folder / "empty"));
}

TEST_F(WarmFilesTest, ManyThreadsMayWantAndUse) {
  WarmFiles warm(2 * kBytes);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) {
        warm.want(file);
        warm.used(file);
        warm.is_warm(file);
      }
    });
  }
  threads.clear();
  warm.wait();
  EXPECT_TRUE(warm.is_warm(file));
}

}  // namespace
}  // namespace cuzk::keys
