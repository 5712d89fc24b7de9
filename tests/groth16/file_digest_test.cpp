#include "groth16/file_digest.h"

#include <gtest/gtest.h>

#include "expect_error.h"
#include "golden.h"
#include "scratch_folder.h"

namespace cuzk::groth16 {
namespace {

TEST(FileDigest, IsThatOfTheToyKey) {
  const auto golden = test::vector_json("setup/toy.json")["params"];
  const test::ScratchFolder folder;
  test::write_file(folder / "toy.params", test::bytes_of(golden["bytes"]));
  const FileDigest digest = digest_file(folder / "toy.params", ThreadPool::shared(), {});
  EXPECT_EQ(digest.size, golden["size"]);
  EXPECT_EQ(to_hex(digest.sha256), golden["sha256"]);
  EXPECT_EQ(to_hex(digest.blake2b), golden["blake2b512_first16"]);
}

TEST(FileDigest, DoesNotDependOnThePieces) {
  const std::vector<u8> bytes(5'000'001, 7);
  const test::ScratchFolder folder;
  test::write_file(folder / "long", bytes);
  FileDigester whole;
  whole.update(bytes, ThreadPool::shared());
  EXPECT_EQ(digest_file(folder / "long", ThreadPool::shared(), {}), whole.finish());
}

TEST(FileDigest, StopsWhenItsCallerGivesUp) {
  const test::ScratchFolder folder;
  test::write_file(folder / "file", {1, 2, 3});
  std::stop_source source;
  source.request_stop();
  test::expect_error(Code::cancelled, "digest",
                     [&] { digest_file(folder / "file", ThreadPool::shared(), {.stop = source.get_token()}); });
}

}  // namespace
}  // namespace cuzk::groth16
