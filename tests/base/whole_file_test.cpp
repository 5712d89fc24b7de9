#include "base/whole_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "base/error.h"

namespace cuzk {
namespace {

using testing::HasSubstr;

class WholeFileTest : public testing::Test {
 protected:
  WholeFileTest() { std::filesystem::create_directories(folder_); }
  ~WholeFileTest() override { std::filesystem::remove_all(folder_); }

  static std::span<const u8> bytes_of(const std::string& text) {
    return {reinterpret_cast<const u8*>(text.data()), text.size()};
  }
  std::string read() const {
    const auto content = read_whole_file(path_);
    return {reinterpret_cast<const char*>(content.data()), content.size()};
  }
  std::string error_of(Code code, const std::filesystem::path& path) const {
    try {
      read_whole_file(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code);
      return error.what();
    }
    return "no error";
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("cuzk-whole-file-" + std::to_string(getpid()));
  const std::filesystem::path path_ = folder_ / "file";
};

TEST_F(WholeFileTest, IsReadAsItWasWritten) {
  write_whole_file(path_, {bytes_of("one"), bytes_of(""), bytes_of(std::string(3 << 20, 'x'))});
  EXPECT_TRUE(read() == "one" + std::string(3 << 20, 'x'));
  write_whole_file(path_, {});
  EXPECT_EQ(read(), "");
}

TEST_F(WholeFileTest, ReplacesTheFileAndLeavesNothingElse) {
  write_whole_file(path_, {bytes_of("old and longer")});
  write_whole_file(path_, {bytes_of("new")});
  EXPECT_EQ(read(), "new");
  const std::filesystem::directory_iterator files(folder_);
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(WholeFileTest, WhatWasReadStaysWhenTheFileIsShortened) {
  write_whole_file(path_, {bytes_of(std::string(1 << 20, 'x'))});
  const auto content = read_whole_file(path_);
  std::filesystem::resize_file(path_, 0);
  EXPECT_EQ(content[(1 << 20) - 1], 'x');
}

TEST_F(WholeFileTest, RefusesWhatIsNoFile) {
  EXPECT_THAT(error_of(Code::not_found, folder_ / "none"), HasSubstr((folder_ / "none").string()));
  EXPECT_THAT(error_of(Code::invalid_input, folder_), HasSubstr("not a regular file"));
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(error_of(Code::invalid_input, folder_ / "pipe"), HasSubstr("not a regular file"));
}

TEST_F(WholeFileTest, NothingIsLeftOfAFileThatCannotBeWritten) {
  const auto nowhere = folder_ / "nowhere/file";
  EXPECT_THROW(write_whole_file(nowhere, {bytes_of("x")}), Error);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace
}  // namespace cuzk
