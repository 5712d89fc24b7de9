#include "cuda/key_loader.h"

#include <gtest/gtest.h>

#include "cuda/point_decoding.h"
#include "cuda/prover.h"
#include "curve/encoding.h"
#include "curve/subgroup.h"
#include "groth16/cpu_prover.h"
#include "groth16/toy_key.h"
#include "support/gpu_queue.h"
#include "support/random_points.h"

namespace cuzk::cuda {
namespace {

using groth16::KeyCheck;

/// What a prover says of a key's file; nothing where it takes it.
std::string fault_of(groth16::Prover& prover, const std::filesystem::path& params, KeyCheck check = KeyCheck::points) {
  try {
    prover.load_key(params, check, {});
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

/// A point of the curve that is in no subgroup of order r, as nearly all of them are not.
template <class Affine>
std::array<u8, kUncompressedBytes<Affine>> stray_point() {
  for (u8 x = 1;; ++x) {
    std::array<u8, kCompressedBytes<Affine>> bytes{};
    bytes.front() = 0x80;  // compressed
    bytes.back() = x;
    const auto decoded = from_compressed_unchecked<Affine>(bytes);
    if (decoded.ok() && !is_in_subgroup(decoded.point)) return to_uncompressed(decoded.point);
  }
}

TEST_F(CudaKeyLoader, NamesAPointOutsideItsSubgroupAsTheProcessorDoes) {
  const test::ToyKey files;
  EXPECT_EQ(fault_of(cuda_, files.params(), KeyCheck::subgroups), "");
  std::vector<u8> bytes = test::bytes_of(test::vector_json("setup/toy.json")["params"]["bytes"]);
  const auto stray = stray_point<G2Affine>();
  std::ranges::copy(stray, bytes.end() - static_cast<std::ptrdiff_t>(stray.size()));
  test::write_file(folder_ / "stray.params", bytes);
  const std::string expected = fault_of(cpu_, folder_ / "stray.params", KeyCheck::subgroups);
  EXPECT_NE(expected.find("b_g2["), std::string::npos) << expected;
  EXPECT_EQ(fault_of(cuda_, folder_ / "stray.params", KeyCheck::subgroups), expected);
  EXPECT_EQ(fault_of(cuda_, folder_ / "stray.params"), "");
}

TEST(DeviceSubgroups, AreToldAsTheHostTellsThem) {
  test::GpuQueue gpu(std::size_t{1} << 30);
  std::vector<G1Affine> points;
  test::Random random(4);
  for (int i = 0; i < 300; ++i) points.push_back(test::random_points<G1Affine>(1, random)[0]);
  const auto first_bad = [&] {
    const auto on_device = gpu.upload(points);
    auto bad = gpu.upload(std::vector<u32>{kNoPoint});
    check_subgroups<G1Curve>(gpu.queue().stream, on_device.span(), 1000, bad.data());
    return bad.to_host(gpu.queue().stream)[0];
  };
  EXPECT_EQ(first_bad(), kNoPoint);
  points[250] = from_uncompressed_unchecked<G1Affine>(stray_point<G1Affine>()).point;
  EXPECT_EQ(first_bad(), 1250U);
  points[31] = points[250];
  EXPECT_EQ(first_bad(), 1031U);
}

}  // namespace
}  // namespace cuzk::cuda
