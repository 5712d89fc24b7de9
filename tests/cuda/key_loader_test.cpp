#include "cuda/key_loader.h"

#include <gtest/gtest.h>

#include "cuda/prover.h"
#include "groth16/cpu_prover.h"
#include "groth16/toy_key.h"
#include "support/random.h"

namespace cuzk::cuda {
namespace {

using groth16::KeyCheck;

/// What a prover says of a key's file; nothing where it takes it.
std::string fault_of(groth16::Prover& prover, const std::filesystem::path& params) {
  try {
    prover.load_key(params, KeyCheck::points, {});
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

class CudaKeyLoader : public testing::Test {
 protected:
  /// The toy key with some bits changed.
  std::filesystem::path damaged(std::size_t at, u8 bits) const {
    std::vector<u8> bytes = test::bytes_of(test::vector_json("setup/toy.json")["params"]["bytes"]);
    bytes[at % bytes.size()] ^= bits;
    test::write_file(folder_ / "damaged.params", bytes);
    return folder_ / "damaged.params";
  }

  const test::ScratchFolder folder_;
  const std::size_t size_ = test::bytes_of(test::vector_json("setup/toy.json")["params"]["bytes"]).size();
  groth16::CpuProver cpu_{ThreadPool::shared()};
  CudaProver cuda_{{.device = 0, .memory = std::size_t{1} << 30}, ThreadPool::shared()};
};

TEST_F(CudaKeyLoader, SaysOfADamagedFileWhatTheProcessorSays) {
  test::Random random(11);
  unsigned faults = 0;
  for (int i = 0; i < 60; ++i) {
    const auto params = damaged(random(), static_cast<u8>(1U << random() % 8));
    const std::string expected = fault_of(cpu_, params);
    EXPECT_EQ(fault_of(cuda_, params), expected);
    faults += expected.empty() ? 0 : 1;
  }
  EXPECT_GE(faults, 50U);
}

TEST_F(CudaKeyLoader, NamesTheLastPoint) {
  const auto params = damaged(size_ - 1, 1);
  EXPECT_NE(fault_of(cuda_, params).find("b_g2["), std::string::npos) << fault_of(cuda_, params);
  EXPECT_EQ(fault_of(cuda_, params), fault_of(cpu_, params));
}

TEST_F(CudaKeyLoader, LeavesNothingOfADamagedKey) {
  const test::ToyKey files;
  fault_of(cuda_, files.params());  // brings what stays: the domain's tables
  const std::size_t before = cuda_.memory_usage().in_use;
  EXPECT_NE(fault_of(cuda_, damaged(size_ - 1, 1)), "");
  EXPECT_EQ(cuda_.memory_usage().in_use, before);
}

TEST_F(CudaKeyLoader, StopsWhenItIsCancelled) {
  const test::ToyKey files;
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(cuda_.load_key(files.params(), KeyCheck::points, {.stop = stop.get_token()}), Error);
}

TEST_F(CudaKeyLoader, ChecksSubgroupsByWayOfTheHost) {
  const test::ToyKey files;
  const auto key = cuda_.load_key(files.params(), KeyCheck::subgroups, {});
  EXPECT_EQ(key->memory(), cuda_.load_key(files.params(), KeyCheck::points, {})->memory());
}

}  // namespace
}  // namespace cuzk::cuda
