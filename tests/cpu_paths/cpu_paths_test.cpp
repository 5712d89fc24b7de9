// Every way that a processor can compute, forced by CUZK_CPU in a process of its own, gives the same values.
#include <gtest/gtest.h>
#include <stdio.h>  // popen

#include <array>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "base/error.h"
#include "curve/encoding.h"
#include "curve/pairing.h"
#include "field/fp12.h"
#include "field/kernels.h"
#include "hash/poseidon_batch.h"
#include "hash/sha256_batch.h"
#include "msm/conditional_sum.h"
#include "msm/fixed_base.h"
#include "msm/msm.h"
#include "poly/domain.h"
#include "poly/quotient.h"
#include "support/random_points.h"

namespace cuzk {
namespace {

/// FNV-1a of everything that is added: short, and no code of ours.
class Fingerprint {
 public:
  void add(std::span<const u8> bytes) {
    for (const u8 byte : bytes) state_ = (state_ ^ byte) * 0x100000001b3;
  }
  template <class Element>
  void add_all(std::span<const Element> elements) {
    for (const Element& element : elements) add(element.to_bytes());
  }
  template <class Curve>
  void add(const Point<Curve>& point) {
    add(to_uncompressed(point.to_affine()));
  }
  u64 value() const { return state_; }

 private:
  u64 state_ = 0xcbf29ce484222325;
};

constexpr std::size_t kCount = 1000;  // not a multiple of eight lanes' squares

template <class Field>
void add_field(Fingerprint& print, test::Random& random) {
  const auto x = test::random_fields<Field>(kCount, random);
  std::vector<Field> results;
  for (std::size_t i = 0; i + 1 < kCount; ++i) {
    results.push_back(x[i] * x[i + 1]);
    results.push_back(x[i].squared() + x[i + 1] - x[i].doubled());
  }
  results.push_back(x[0].inverse());
  print.add_all(std::span<const Field>(results));
}

void add_transforms(Fingerprint& print, test::Random& random) {
  const Domain domain(12);
  ThreadPool& pool = ThreadPool::shared();
  auto values = test::random_fields<Fr>(domain.size(), random);
  domain.forward(values, pool);
  print.add_all(std::span<const Fr>(values));
  domain.coset_inverse(values, pool);
  print.add_all(std::span<const Fr>(values));
  std::array<Buffer<Fr>, 3> sides;
  for (auto& side : sides) {
    side = Buffer<Fr>(domain.size());
    std::ranges::copy(test::random_fields<Fr>(domain.size(), random), side.begin());
  }
  const auto h = quotient(domain, std::move(sides[0]), std::move(sides[1]), std::move(sides[2]), pool);
  print.add_all(h.span());
}

template <class Affine>
void add_sums(Fingerprint& print, test::Random& random) {
  using Curve = typename Affine::Curve;
  const auto points = test::random_points<Affine>(kCount, random);
  const auto scalars = test::random_fields<Fr>(kCount, random);
  ThreadPool& pool = ThreadPool::shared();
  print.add(msm::multi_scalar_mul(std::span<const Affine>(points), std::span<const Fr>(scalars), pool));
  BitVector bits;
  for (std::size_t i = 0; i < kCount; ++i) bits.push_back(random() % 2 != 0);
  print.add(msm::conditional_sum(std::span<const Affine>(points), BitSpan(bits), pool));
  const msm::FixedBase<Curve> table{Point<Curve>(points[0])};
  for (const Affine& multiple : table.multiply(std::span(scalars).first(50), pool)) print.add(Point<Curve>(multiple));
}

void add_hashes(Fingerprint& print, test::Random& random) {
  for (const std::size_t arity : {2, 4, 8, 11}) {
    const auto inputs = test::random_fields<Fr>(19 * arity, random);
    print.add_all(std::span<const Fr>(poseidon_hashes(PoseidonKind::merkle(arity), inputs)));
  }
  std::vector<Digest> children(46), parents(23);
  for (Digest& child : children) {
    for (u8& byte : child) byte = static_cast<u8>(random());
  }
  sha256_nodes(children, parents);
  for (const Digest& parent : parents) print.add(parent);
  print.add(sha256(std::span<const u8>(children[0])));
}

void add_pairing(Fingerprint& print, test::Random& random) {
  const auto p = test::random_point<G1Affine>(random);
  const auto q = test::random_point<G2Affine>(random);
  print.add(pairing(p, q).to_bytes());
}

/// Topic and fingerprint, for this process.
std::map<std::string, std::string> fingerprints() {
  const std::map<std::string, void (*)(Fingerprint&, test::Random&)> topics{
      {"fr", add_field<Fr>},
      {"fp", add_field<Fp>},
      {"fp2", add_field<Fp2>},
      {"fp12",
       [](Fingerprint& print, test::Random& random) {
         const auto x = test::random_fields<Fp12>(2, random);
         print.add((x[0] * x[1]).squared().inverse().to_bytes());
       }},
      {"transforms", add_transforms},
      {"sums of G1", add_sums<G1Affine>},
      {"sums of G2", add_sums<G2Affine>},
      {"hashes", add_hashes},
      {"pairing", add_pairing}};
  std::map<std::string, std::string> result;
  for (const auto& [topic, add] : topics) {
    test::Random random(17);
    Fingerprint print;
    add(print, random);
    result[topic] = std::to_string(print.value());
  }
  return result;
}

/// Runs in a process that CpuPaths starts: prints what it has.
TEST(CpuPathsWorker, DISABLED_Prints) {
  std::cout << "fingerprint kernels=" << name_of(chosen_kernels()) << '\n';
  for (const auto& [topic, value] : fingerprints()) std::cout << "fingerprint " << topic << '=' << value << '\n';
}

/// This program again, under CUZK_CPU=name.
std::map<std::string, std::string> fingerprints_of_process(std::string_view name) {
  const std::string command =
      fmt::format("CUZK_CPU={} '{}' --gtest_also_run_disabled_tests --gtest_filter=CpuPathsWorker.* 2>&1", name,
                  std::filesystem::read_symlink("/proc/self/exe").string());
  const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 4096> piece;
  while (fgets(piece.data(), piece.size(), output.get()) != nullptr) text += piece.data();
  std::map<std::string, std::string> result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto equals = line.find('=');
    if (line.starts_with("fingerprint ") && equals != std::string::npos)
      result[line.substr(12, equals - 12)] = line.substr(equals + 1);
  }
  EXPECT_EQ(result["kernels"], name) << text;
  return result;
}

class CpuPaths : public testing::TestWithParam<Kernels> {};

TEST_P(CpuPaths, ComputesWhatPortableCodeDoes) {
  const std::string_view name = name_of(GetParam());
  if (!is_supported(GetParam())) GTEST_SKIP() << "this processor does not have " << name;
  static const auto portable = fingerprints_of_process("portable");
  ASSERT_EQ(portable.size(), 10U);
  auto found = fingerprints_of_process(name);
  found["kernels"] = "portable";
  EXPECT_EQ(found, portable);
}
INSTANTIATE_TEST_SUITE_P(Forced, CpuPaths, testing::Values(Kernels::adx, Kernels::avx2, Kernels::ifma),
                         [](const auto& info) { return std::string(name_of(info.param)); });

TEST(CpuPaths, BestChoiceComputesTheSame) {
  auto found = fingerprints_of_process("portable");
  found.erase("kernels");
  EXPECT_EQ(found, fingerprints());
}

TEST(CpuChoice, ObeysItsName) {
  for (const Kernels kernels : {Kernels::portable, Kernels::adx, Kernels::avx2, Kernels::ifma}) {
    EXPECT_EQ(kernels_of(name_of(kernels)), kernels);
    if (is_supported(kernels)) {
      EXPECT_EQ(choose_cpu(std::string(name_of(kernels)).c_str()).kernels, kernels);
    } else {
      EXPECT_THROW(choose_cpu(std::string(name_of(kernels)).c_str()), Error);
    }
  }
  EXPECT_THROW(choose_cpu("sse2"), Error);
  EXPECT_FALSE(choose_cpu("portable").sha_extensions);
  EXPECT_EQ(choose_cpu("").sha_extensions, has_sha_extensions());
  EXPECT_EQ(choose_cpu(nullptr).kernels, choose_cpu("").kernels);
}

}  // namespace
}  // namespace cuzk
