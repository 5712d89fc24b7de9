// The directory that daemons of a farm share may be made by several of them at once.
#include "engine/journal/durable_directory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <fstream>
#include <thread>
#include <vector>

#include "groth16/expect_error.h"
#include "groth16/scratch_folder.h"

namespace cuzk::engine {
namespace {

TEST(DurableDirectory, SeveralMayMakeItAtOnce) {
  const test::ScratchFolder folder;
  constexpr int kRounds = 300, kMakers = 4;
  std::barrier together(kMakers);
  std::atomic<int> refused = 0;
  const auto make_all = [&] {
    for (int round = 0; round < kRounds; ++round) {
      together.arrive_and_wait();
      try {
        make_private_directory(folder / std::to_string(round));
      } catch (const Error&) {
        ++refused;
      }
    }
  };
  {
    std::vector<std::jthread> makers;
    for (int i = 0; i < kMakers; ++i) makers.emplace_back(make_all);
  }
  EXPECT_EQ(refused, 0);
}

TEST(DurableDirectory, AFileInItsPlaceIsNamed) {
  const test::ScratchFolder folder;
  const auto path = folder / "objects";
  std::ofstream(path) << "not a directory";
  test::expect_error(Code::internal, path.string() + ": cannot create: File exists",
                        [&] { make_private_directory(path); });
}

}  // namespace
}  // namespace cuzk::engine
