#include "common/checkpoint_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "apps/process.h"
#include "base/error.h"

namespace cuzk::apps {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class CheckpointFileTest : public testing::Test {
 protected:
  CheckpointFile read(const std::string& text) {
    std::ofstream(path_) << text;
    return read_checkpoints(path_);
  }
  void refused(const std::string& text, const std::string& words) {
    EXPECT_THAT([&] { read(text); },
                ThrowsMessage<Error>(AllOf(HasSubstr(path_ + ": is no file of checkpoints: "), HasSubstr(words))));
  }
  static std::string with_row(const std::string& row) { return R"({"checkpoint_every":5,"rows":[)" + row + "]}"; }

  test::TemporaryFolder folder_;
  const std::string path_ = folder_ / "checkpoints.json", digest_ = std::string(64, 'a');
};

TEST_F(CheckpointFileTest, GivesItsRows) {
  const auto file = read(with_row(R"([5,2,3,")" + digest_ + R"(","a/b"])"));
  EXPECT_EQ(file.every, 5u);
  ASSERT_EQ(file.rows.size(), 1u);
  EXPECT_EQ(file.rows[0].inputs, 2u);
  EXPECT_EQ(file.rows[0].path, "a/b");
}

TEST_F(CheckpointFileTest, NamesWhatIsWrong) {
  refused("", "");
  refused("[]", "");
  refused(R"({"rows":[]})", "");
  refused(with_row("5"), "");
  refused(with_row(R"([5,2,3,"aa","p"])"), "a digest of 1 bytes, expected 32");
  refused(with_row(R"([5,2,3,"a"])"), "");
  refused(with_row(R"([5,4294967296,3,")" + digest_ + R"(","p"])"), "4294967296 variables");
}

/// It ended the program: the remainder of a division by 0.
TEST_F(CheckpointFileTest, NoConstraintsFromRowToRowAreRefused) {
  refused(R"({"checkpoint_every":0,"rows":[]})", "checkpoint_every is 0, expected at least 1");
}

}  // namespace
}  // namespace cuzk::apps
