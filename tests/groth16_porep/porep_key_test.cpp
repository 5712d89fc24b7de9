#include <gtest/gtest.h>
#include <sys/resource.h>

#include "filecoin/c1_decoder.h"
#include "filecoin/circuits/porep.h"
#include "groth16/cpu_prover.h"
#include "groth16/kept_keys.h"
#include "groth16/setup.h"
#include "groth16/toy_key.h"

namespace cuzk::groth16 {
namespace {

/// A real circuit with 2.7 million variables: its key of 1.1 GB is made once for all tests.
class PorepKey : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<test::ScratchFolder>();
    circuit_ = std::make_unique<r1cs::Circuit>(filecoin::compile_porep(filecoin::sector_shape("2k")));
    files_ = {*folder_ / "porep.params", *folder_ / "porep.vk"};
    digests_ =
        setup(*circuit_, test::waste_of(test::vector_json("setup/porep-2k.json")), files_, ThreadPool::shared(), {});
  }
  static void TearDownTestSuite() {
    folder_.reset();
    circuit_.reset();
  }

  static inline std::unique_ptr<test::ScratchFolder> folder_;
  static inline std::unique_ptr<r1cs::Circuit> circuit_;
  static inline KeyFiles files_;
  static inline KeyDigests digests_;
};

void expect_digest(const FileDigest& found, const nlohmann::json& golden) {
  EXPECT_EQ(found.size, golden["size"]);
  EXPECT_EQ(to_hex(found.sha256), golden["sha256"]);
  EXPECT_EQ(to_hex(found.blake2b), golden["blake2b512_first16"]);
}

TEST_F(PorepKey, OfTheGoldenWasteIsTheGoldenKey) {
  const auto& golden = test::vector_json("setup/porep-2k.json");
  expect_digest(digests_.params, golden["params"]);
  expect_digest(digests_.vk, golden["vk"]);
  if (!HasFailure()) test::keep_key(files_, golden);
}

/// The most memory that this process ever had, in bytes.
u64 peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<u64>(usage.ru_maxrss) * 1024;
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
constexpr u64 kMemoryLimit = u64{3} << 29;  // 1.5 GiB, the key of 1.1 GB in it
#else
constexpr u64 kMemoryLimit = UINT64_MAX;
#endif

TEST_F(PorepKey, MakesTheProofOfFilecoinsOwnProver) {
  const auto& golden = test::vector_json("proofs/porep-2k.s2-v1_1.json")["partitions"][0]["proofs"][0];
  const Fr r = test::fr_of(golden["r"]), s = test::fr_of(golden["s"]);
  const auto request = filecoin::decode_c1(test::vector_text("sectors/2KiB/s2-v1_1/c1.json.xz"));
  const auto witness = filecoin::porep_witness(request.partitions.at(0));

  CpuProver prover(ThreadPool::shared());
  const auto key = prover.load_key(files_.params, KeyCheck::points, {});
  const auto made =
      prove_verified(prover, {*key, *circuit_, witness}, {}, [&] { return Blinding::insecure_fixed(r, s); });
  EXPECT_EQ(to_hex(made.proof.to_bytes()), golden["proof"]);
  EXPECT_EQ(made.attempts, 1u);
  EXPECT_LT(peak_memory(), kMemoryLimit);
}

}  // namespace
}  // namespace cuzk::groth16
