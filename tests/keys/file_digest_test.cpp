#include "keys/file_digest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "apps/process.h"
#include "base/error.h"
#include "base/hex.h"
#include "base/json_object.h"
#include "base/log.h"

namespace cuzk::keys {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

// BLAKE2b-512 of "abc" (RFC 7693, appendix A), its first 16 bytes.
constexpr const char* kDigestOfAbc = "ba80a53f981c4d0d6a2797b69f12f6e9";

class FileDigestTest : public testing::Test {
 protected:
  FileDigestTest() : directory(fs::path(testing::TempDir()) / ("digest_" + std::to_string(::getpid()))) {
    configure_log(spdlog::level::off, LogFormat::text);
    fs::create_directories(directory);
    write("key.params", "abc");
  }
  ~FileDigestTest() override { fs::remove_all(directory); }

  void write(const std::string& file, const std::string& text) const { std::ofstream(directory / file) << text; }
  fs::path key() const { return directory / "key.params"; }
  fs::path place() const { return directory / "digests/key.params.digest"; }

  fs::path directory;
};

TEST_F(FileDigestTest, IsTheFirstHalfOfBlake2b) { EXPECT_EQ(file_digest(key()), kDigestOfAbc); }

TEST_F(FileDigestTest, EndsWhenItsCallerStops) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(file_digest(key(), {.stop = stop.get_token()}), Error);
}

TEST_F(FileDigestTest, IsRememberedForTheSameFile) {
  EXPECT_EQ(DigestMemory(directory / "digests").digest(key()), kDigestOfAbc);
  std::ifstream remembered(place());
  std::string digest, stamp;
  remembered >> digest;
  std::getline(remembered >> std::ws, stamp);
  const std::string other(32, '0');
  std::ofstream(place()) << other << ' ' << stamp << '\n';
  EXPECT_EQ(DigestMemory(directory / "digests").digest(key()), other) << "the file is not read again";
}

TEST_F(FileDigestTest, IsComputedAgainWhenTheFileChanged) {
  const DigestMemory memory(directory / "digests");
  memory.digest(key());
  const auto before = fs::last_write_time(key());
  write("new", "abd");
  fs::rename(directory / "new", key());
  fs::last_write_time(key(), before);  // size and time are the same, the inode is not
  EXPECT_NE(memory.digest(key()), kDigestOfAbc);
}

TEST_F(FileDigestTest, IsComputedWhereWhatWasRememberedCannotBeRead) {
  const DigestMemory memory(directory / "digests");
  memory.digest(key());
  std::ofstream(place()) << "nonsense";
  EXPECT_EQ(memory.digest(key()), kDigestOfAbc);
}

TEST_F(FileDigestTest, ADirectoryThatCannotBeMadeIsNoError) {
  EXPECT_EQ(DigestMemory(key() / "digests").digest(key()), kDigestOfAbc);
}

TEST_F(FileDigestTest, IsFoundInAListOfParameters) {
  write("parameters.json", R"({"key.params": {"cid": "Qm", "digest": "00", "sector_size": 2048}, "bad": {}})");
  EXPECT_EQ(listed_digest(directory / "parameters.json", "key.params"), "00");
  EXPECT_EQ(listed_digest(directory / "parameters.json", "other.params"), std::nullopt);
  EXPECT_EQ(listed_digest(directory / "absent.json", "key.params"), std::nullopt);
  EXPECT_THROW(listed_digest(directory / "parameters.json", "bad"), Error);
  EXPECT_THROW(listed_digest(key(), "key.params"), Error);
  write("empty.json", "");
  EXPECT_THROW(listed_digest(directory / "empty.json", "key.params"), Error);
}

/// The text of sixteen bytes.
std::string any_digest() { return to_hex(*rc::gen::container<std::vector<u8>>(16, rc::gen::arbitrary<u8>())); }

RC_GTEST_PROP(ListOfParameters, GivesBackEveryDigest, ()) {
  const auto names = *rc::gen::unique<std::vector<std::string>>(
      rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127))));
  std::map<std::string, std::string> digests;
  JsonObject list;
  for (const auto& name : names)
    list.add(name, JsonObject().add("cid", "Qm").add("digest", digests[name] = any_digest()).add("sector_size", 2048));
  const test::TemporaryFolder folder;
  std::ofstream(folder / "parameters.json") << list.text();
  for (const auto& [name, digest] : digests) RC_ASSERT(listed_digest(folder / "parameters.json", name) == digest);
}

RC_GTEST_PROP(DigestMemory, GivesBackWhatItRemembers, (const std::string& content)) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "any.params", std::ios::binary) << content;
  const DigestMemory memory(folder / "digests");
  const std::string digest = memory.digest(folder / "any.params");
  RC_ASSERT(digest == file_digest(folder / "any.params"));
  RC_ASSERT(memory.digest(folder / "any.params") == digest);  // out of the line that was written
}

TEST_F(FileDigestTest, BothDigestsAreNamed) {
  try {
    check_digest(key(), kDigestOfAbc, "00");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::invalid_input);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("key.params"), HasSubstr(kDigestOfAbc), HasSubstr("expected 00")));
  }
}

}  // namespace
}  // namespace cuzk::keys
