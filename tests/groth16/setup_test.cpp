#include "groth16/setup.h"

#include <gtest/gtest.h>

#include "expect_error.h"
#include "groth16/verifying_key.h"
#include "toy_key.h"

namespace cuzk::groth16 {
namespace {

void expect_digest(const FileDigest& found, const nlohmann::json& golden) {
  EXPECT_EQ(found.size, golden["size"]);
  EXPECT_EQ(to_hex(found.sha256), golden["sha256"]);
  EXPECT_EQ(to_hex(found.blake2b), golden["blake2b512_first16"]);
}

TEST(Setup, MakesTheGoldenToyKey) {
  const auto& golden = test::vector_json("setup/toy.json");
  const test::ScratchFolder folder;
  const KeyFiles files{folder / "toy.params", folder / "toy.vk"};
  const KeyDigests digests = setup(r1cs::compile_toy(), test::waste_of(golden), files, ThreadPool::shared(), {});
  expect_digest(digests.params, golden["params"]);
  expect_digest(digests.vk, golden["vk"]);
  EXPECT_EQ(test::read_file(files.params), test::bytes_of(golden["params"]["bytes"]));
  EXPECT_EQ(test::read_file(files.vk), test::bytes_of(golden["vk"]["bytes"]));
}

TEST(Setup, RefusesScalarsThatMakeNoKey) {
  const test::ScratchFolder folder;
  const auto expect_refused = [&](const ToxicWaste& waste, const std::string& part) {
    test::expect_error(Code::invalid_input, part, [&] {
      setup(r1cs::compile_toy(), waste, {folder / "toy.params", folder / "toy.vk"}, ThreadPool::shared(), {});
    });
    EXPECT_FALSE(std::filesystem::exists(folder / "toy.params"));
  };
  ToxicWaste waste = ToxicWaste::fresh();
  waste.delta = Fr::zero();
  expect_refused(waste, "delta is zero");
  waste = ToxicWaste::fresh();
  waste.tau = -Fr::one();
  expect_refused(waste, "tau lies in the circuit's domain");
}

TEST(Setup, DrawsFreshScalars) {
  const ToxicWaste first = ToxicWaste::fresh(), second = ToxicWaste::fresh();
  EXPECT_NE(first.tau, second.tau);
  EXPECT_NE(first.alpha, first.beta);
}

TEST(Setup, StopsWhenItsCallerGivesUpAndLeavesNoFile) {
  const test::ScratchFolder folder;
  std::stop_source source;
  source.request_stop();
  test::expect_error(Code::cancelled, "setup", [&] {
    setup(r1cs::compile_toy(), ToxicWaste::fresh(), {folder / "toy.params", folder / "toy.vk"}, ThreadPool::shared(),
          {.stop = source.get_token()});
  });
  EXPECT_FALSE(std::filesystem::exists(folder / "toy.params.partial"));
}

}  // namespace
}  // namespace cuzk::groth16
