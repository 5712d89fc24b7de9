// A disk that is full takes no new job, but the results of those that it took.
#include "engine/journal/space_reserve.h"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

#include <fstream>

#include "base/log.h"
#include "engine/journal/journal.h"
#include "groth16/expect_error.h"

namespace cuzk::engine {
namespace {

namespace fs = std::filesystem;

/// A disk of a few megabytes; only a user who may mount has one.
class SmallDisk : public testing::Test {
 protected:
  SmallDisk() {
    configure_log(spdlog::level::off, LogFormat::text);
    fs::create_directories(folder_);
    is_mounted_ = ::mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=4m") == 0;
  }
  ~SmallDisk() override {
    if (is_mounted_) ::umount(folder_.c_str());
    fs::remove_all(folder_);
  }

  void SetUp() override {
    if (!is_mounted_) GTEST_SKIP() << "this user may not mount a disk";
  }

  /// Leaves no byte.
  void fill() const {
    std::ofstream file(folder_ / "filler", std::ios::binary);
    for (const std::string piece(4096, 'x'); file.write(piece.data(), 4096).flush();) {
    }
  }
  void empty() const { fs::remove(folder_ / "filler"); }

  static JobRecord job(const JobId& id) {
    JobRecord record;
    record.id = id;
    record.digest = digest(ProofInput{});
    record.accepted = WallTime::clock::now();
    return record;
  }

  const fs::path folder_ = testing::TempDir() + "space_reserve_test." + std::to_string(::getpid());
  bool is_mounted_ = false;
};

TEST_F(SmallDisk, AFullOneTakesResultsAndNoJobs) {
  const fs::path reserve = folder_ / "journal/reserve";
  JobResult result;
  result.state = JobState::completed;
  result.message = std::string(300'000, 'm');  // more than the database has room for by chance
  {
    Journal journal(folder_ / "journal", {.reserve = 1 << 20});
    journal.accepted(job("a"), {});
    journal.accepted(job("b"), {});
    fill();
    journal.ended("a", result);
    EXPECT_EQ(fs::file_size(reserve), 0u) << "its room was needed";
    journal.ended("b", JobResult{});
    fill();
    test::expect_error(Code::resource_exhausted, "room for results", [&] { journal.accepted(job("c"), {}); });
    empty();
    journal.accepted(job("c"), {});
    EXPECT_EQ(fs::file_size(reserve), u64{1} << 20);
  }
  const auto recovery = Journal(folder_ / "journal", {.reserve = 1 << 20}).recover();
  ASSERT_EQ(recovery.finished.size(), 2u);
  EXPECT_EQ(recovery.unfinished.size(), 1u);
}

TEST_F(SmallDisk, ReservesWhatIsThereAndNoMore) {
  SpaceReserve large(folder_ / "large", 64 << 20);
  EXPECT_FALSE(large.restore());
  EXPECT_LT(fs::file_size(folder_ / "large"), 4096u);
  SpaceReserve small(folder_ / "small", 1 << 20);
  EXPECT_TRUE(small.restore());
  fill();
  small.release();
  empty();
  EXPECT_TRUE(small.restore());
  EXPECT_EQ(fs::file_size(folder_ / "small"), u64{1} << 20);
}

}  // namespace
}  // namespace cuzk::engine
