#include "base/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "base/error.h"

namespace cuzk {
namespace {

class MappedFileTest : public testing::Test {
 protected:
  MappedFileTest() { std::filesystem::create_directories(folder_); }
  ~MappedFileTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  void expect_error(const std::filesystem::path& path, Code code, const std::string& part) {
    try {
      const MappedFile file(path);
      ADD_FAILURE() << path << " was mapped";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code);
      EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("cuzk-mapped-file-" + std::to_string(getpid()));
};

TEST_F(MappedFileTest, ReadsInPlaceAndAgainAfterDropping) {
  const std::string text(3 * 4096 + 5, 'k');
  const MappedFile file(write("key", text));
  ASSERT_EQ(file.size(), text.size());
  file.advise(MappedFile::Access::sequential);
  EXPECT_TRUE(std::equal(file.bytes().begin(), file.bytes().end(), text.begin()));
  file.drop(1, file.size());
  file.drop(file.size() + 1, 7);
  file.advise(MappedFile::Access::random, 5000, SIZE_MAX);
  EXPECT_TRUE(std::equal(file.bytes().begin(), file.bytes().end(), text.begin()));
}

TEST_F(MappedFileTest, RangesAreBounded) {
  const MappedFile file(write("key", "0123456789"));
  EXPECT_EQ(file.bytes(8, 2)[1], '9');
  EXPECT_TRUE(file.bytes(10, 0).empty());
  EXPECT_THROW(file.bytes(8, 3), Error);
  EXPECT_THROW(file.bytes(11, 0), Error);
  EXPECT_THROW(file.bytes(1, SIZE_MAX), Error);
}

TEST_F(MappedFileTest, AnEmptyFileHasNoBytes) {
  const MappedFile file(write("empty", ""));
  EXPECT_TRUE(file.bytes().empty());
  file.advise(MappedFile::Access::will_need);
  file.drop(0, 1);
}

TEST_F(MappedFileTest, MovesItsMapping) {
  MappedFile first(write("a", "aaa"));
  MappedFile second(write("b", "bb"));
  second = std::move(first);
  EXPECT_EQ(second.size(), 3U);
  const MappedFile third(std::move(second));
  EXPECT_EQ(third.bytes()[2], 'a');
  EXPECT_EQ(third.path().filename(), "a");
}

TEST_F(MappedFileTest, SaysWhatCannotBeMapped) {
  expect_error(folder_ / "missing", Code::not_found, "No such file");
  expect_error(folder_, Code::invalid_input, "not a regular file");
  ASSERT_EQ(mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  expect_error(folder_ / "fifo", Code::invalid_input, "not a regular file");
}

}  // namespace
}  // namespace cuzk
