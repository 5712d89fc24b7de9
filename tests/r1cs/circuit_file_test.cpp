// A file that is damaged, stale or forged is refused by an error; nothing is reached out of bounds through it.
#include "r1cs/circuit_file.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "base/error.h"
#include "r1cs/mixed_circuit.h"
#include "r1cs/toy_circuit.h"

namespace cuzk::r1cs {
namespace {

const CircuitOrigin kOrigin{{1, 2, 3}, {}};

class CircuitFileTest : public testing::Test {
 protected:
  CircuitFileTest() : folder_(testing::TempDir() + "circuit_file_test." + std::to_string(getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~CircuitFileTest() override { std::filesystem::remove_all(folder_); }

  std::vector<u8> bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void put(const std::vector<u8>& bytes) const {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  /// Writes bytes with the checksum that they should have.
  void forge(std::vector<u8> bytes) const {
    const std::size_t place = offsetof(ImageHeader, checksum);
    std::memset(bytes.data() + place, 0, 32);
    const Digest digest = sha256(bytes);
    std::ranges::copy(digest, bytes.begin() + static_cast<std::ptrdiff_t>(place));
    put(bytes);
  }
  /// The message of the refusal; empty when the file was read.
  std::string refusal(const Digest& maker = kOrigin.maker) const {
    try {
      read_circuit(path_, maker);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_, path_ = folder_ / "mixed.circuit";
};

void expect_same(const Circuit& circuit, const Circuit& expected) {
  EXPECT_EQ(circuit.digest(), expected.digest());
  EXPECT_EQ(circuit.nonzeros(), expected.nonzeros());
  EXPECT_EQ(circuit.densities().a_aux.words(), expected.densities().a_aux.words());
  for (const u64 j : {u64{0}, expected.gadget_constraints() - 1, expected.constraints() - 1})
    EXPECT_EQ(circuit.path(j), expected.path(j));
}

TEST_F(CircuitFileTest, RoundTrip) {
  for (const Circuit& circuit : {compile_mixed(), compile_toy(), Compiler().finish()}) {
    write_circuit(path_, circuit, kOrigin);
    const CircuitFile file = read_circuit(path_, kOrigin.maker);
    expect_same(file.circuit, circuit);
    EXPECT_FALSE(file.origin.network_digest.has_value());
  }
}

/// Rows of up to twelve terms with small, large and negated coefficients, over inputs and variables of its own.
struct RandomGadget {
  u64 seed;

  std::string key() const { return "random " + std::to_string(seed); }

  std::vector<Signal> record(Recorder& recorder, std::span<const Signal> inputs) const {
    test::Random random(seed);
    std::vector<Signal> signals(inputs.begin(), inputs.end());
    for (u64 i = 1 + random() % 20; i > 0; --i) signals.push_back(recorder.alloc());
    const auto row = [&] {
      LinearCombination sum;
      for (u64 i = random() % 13; i > 0; --i) {
        const Fr size = random() % 2 == 0 ? Fr::from_u64(1 + random() % 300) : test::random_field<Fr>(random);
        sum.add(signals[random() % signals.size()], random() % 2 == 0 ? size : -size);
      }
      return sum;
    };
    for (u64 i = random() % 20; i > 0; --i) recorder.enforce(row(), row(), row());
    return {signals.back()};
  }
};

Circuit random_circuit(u64 seed) {
  test::Random random(seed);
  Compiler compiler;
  std::vector<Signal> signals;
  for (u64 i = 1 + random() % 5; i > 0; --i) signals.push_back(compiler.alloc_input());
  const u64 gadgets = random() % 4;
  for (u64 i = random() % 10; i > 0 && gadgets > 0; --i) {
    const auto scope = compiler.scope("place " + std::to_string(i));
    const std::vector<Signal> inputs{signals[random() % signals.size()], signals[random() % signals.size()]};
    signals.push_back(compiler.place(RandomGadget{random() % gadgets}, inputs)[0]);
  }
  return std::move(compiler).finish();
}

TEST_F(CircuitFileTest, AnyCircuitIsReadAsItWasWritten) {
  EXPECT_TRUE(rc::check([this](u64 seed) {
    const Circuit circuit = random_circuit(seed);
    write_circuit(path_, circuit, kOrigin);
    expect_same(read_circuit(path_, kOrigin.maker).circuit, circuit);
    RC_ASSERT(!HasFailure());
  }));
}

TEST_F(CircuitFileTest, KeepsTheNetworksDigest) {
  const Circuit circuit = compile_mixed();
  write_circuit(path_, circuit, {kOrigin.maker, circuit.digest()});
  EXPECT_EQ(read_circuit(path_, kOrigin.maker).origin.network_digest, circuit.digest());
}

TEST_F(CircuitFileTest, AMovedCircuitStaysWhereItsBytesAre) {
  write_circuit(path_, compile_mixed(), kOrigin);
  Circuit circuit;
  circuit = read_circuit(path_, kOrigin.maker).circuit;
  const Circuit moved = std::move(circuit);
  expect_same(moved, compile_mixed());
}

/// It was mapped once, and the process ended when somebody shortened the file.
TEST_F(CircuitFileTest, AFileThatIsShortenedLeavesItsCircuitsAlone) {
  const Circuit circuit = compile_mixed();
  write_circuit(path_, circuit, kOrigin);
  const auto read = read_circuit(path_, kOrigin.maker);
  std::filesystem::resize_file(path_, 0);
  expect_same(read.circuit, circuit);
}

TEST_F(CircuitFileTest, RefusesWhatIsNoneOrOfAnotherMaker) {
  EXPECT_NE(refusal().find("mixed.circuit"), std::string::npos);
  put({});
  EXPECT_NE(refusal().find("0 bytes"), std::string::npos);
  write_circuit(path_, compile_mixed(), kOrigin);
  EXPECT_NE(refusal(Digest{9}).find("another version of this program"), std::string::npos);
  EXPECT_EQ(refusal(), "");
}

TEST_F(CircuitFileTest, RefusesAnotherFormatVersionAndByteOrder) {
  write_circuit(path_, compile_mixed(), kOrigin);
  const auto good = bytes();
  auto bad = good;
  bad[0] = 'X';
  forge(bad);
  EXPECT_NE(refusal().find("is no compiled circuit"), std::string::npos);
  bad = good;
  std::reverse(bad.begin() + offsetof(ImageHeader, byte_order), bad.begin() + offsetof(ImageHeader, byte_order) + 4);
  forge(bad);
  EXPECT_NE(refusal().find("byte order"), std::string::npos);
  bad = good;
  bad[offsetof(ImageHeader, version)] = 77;
  forge(bad);
  EXPECT_NE(refusal().find("version 77"), std::string::npos);
}

TEST_F(CircuitFileTest, RefusesDamageAnywhere) {
  write_circuit(path_, compile_mixed(), kOrigin);
  const auto good = bytes();
  for (std::size_t place = 0; place < good.size(); place += 307) {
    auto bad = good;
    bad[place] ^= 0x10;
    put(bad);
    ASSERT_NE(refusal(), "") << "byte " << place;
  }
}

TEST_F(CircuitFileTest, RefusesATruncatedFile) {
  write_circuit(path_, compile_mixed(), kOrigin);
  const auto good = bytes();
  for (const std::size_t size :
       {std::size_t{1}, sizeof(ImageHeader) - 1, sizeof(ImageHeader), good.size() / 2, good.size() - 1}) {
    put({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)});
    EXPECT_NE(refusal(), "") << size;
  }
  forge({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(good.size() / 2)});
  EXPECT_NE(refusal(), "");
}

/// A walk that reaches everything.
void use(const Circuit& circuit) {
  circuit.nonzeros();
  circuit.densities();
  if (circuit.constraints() > 1 << 20) return;
  for (u64 j = 0; j < circuit.constraints(); ++j) circuit.path(j);
  checkpoints(circuit, 7);
  const Witness witness = mixed_witness(circuit, 1);
  std::vector<Fr> a(circuit.constraints()), b(a.size()), c(a.size());
  circuit.evaluate(witness, a, b, c, ThreadPool::shared());
  circuit.column_sums(a, ThreadPool::shared());
}

TEST_F(CircuitFileTest, AForgedIndexIsRefusedOrHarmless) {
  write_circuit(path_, compile_mixed(), kOrigin);
  const auto good = bytes();
  ImageHeader header;
  std::memcpy(&header, good.data(), sizeof header);
  test::Random random(11);
  std::size_t refused = 0, read = 0;
  for (std::size_t section = 0; section <= kSections; ++section) {
    const auto extent = section < kSections ? header.sections[section] : ImageHeader::Extent{0, sizeof header};
    ASSERT_GT(extent.bytes, 0u);
    for (int repeat = 0; repeat < 40; ++repeat) {
      auto bad = good;
      const u32 value = repeat % 2 == 0 ? static_cast<u32>(random()) : static_cast<u32>(random() % 1000);
      std::memcpy(bad.data() + extent.offset + random() % (extent.bytes / 4) * 4, &value, sizeof value);
      forge(bad);
      try {
        use(read_circuit(path_, kOrigin.maker).circuit);
        ++read;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), Code::invalid_input) << error.what();
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 80u);
  EXPECT_GT(read, 0u);
}

TEST_F(CircuitFileTest, TwoProcessesMayWriteAtOnce) {
  const Circuit circuit = compile_mixed();
  std::vector<pid_t> children;
  for (int i = 0; i < 2; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      for (int repeat = 0; repeat < 20; ++repeat) write_circuit(path_, circuit, kOrigin);
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  expect_same(read_circuit(path_, kOrigin.maker).circuit, circuit);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(CircuitFileTest, NamesAFileThatCannotBeWritten) {
  try {
    write_circuit(folder_ / "none" / "x.circuit", compile_toy(), kOrigin);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::resource_exhausted);
    EXPECT_NE(std::string(error.what()).find("x.circuit"), std::string::npos);
  }
}

}  // namespace
}  // namespace cuzk::r1cs
