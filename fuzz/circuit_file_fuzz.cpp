/// Any bytes as the file of a compiled circuit, with the checksum and the maker that it should have, so that the checks
/// behind these are reached. What is read is walked through: no walk may leave the arrays.
#include <algorithm>
#include <cstring>
#include <vector>

#include "fuzzing.h"
#include "one_thread.h"
#include "r1cs/circuit_file.h"
#include "scratch_file.h"

namespace {

using namespace cuzk;
using namespace cuzk::r1cs;

constexpr Digest kMaker{1, 2, 3};
constexpr std::size_t kShortWalk = 1 << 12, kLargestWalk = 1 << 17;

template <std::size_t N>
void put(std::vector<u8>& bytes, std::size_t place, const std::array<u8, N>& value) {
  std::ranges::copy(value, bytes.begin() + static_cast<std::ptrdiff_t>(place));
}

std::vector<u8> forged(std::span<const u8> data) {
  std::vector<u8> bytes(data.begin(), data.end());
  if (bytes.size() < sizeof(ImageHeader)) return bytes;
  put(bytes, offsetof(ImageHeader, maker), kMaker);
  put(bytes, offsetof(ImageHeader, checksum), Digest{});
  put(bytes, offsetof(ImageHeader, checksum), sha256(bytes));
  return bytes;
}

/// How long a walk takes.
u64 length(const Circuit& circuit) {
  const u64 longest = std::max<u64>(circuit.constraints(), circuit.aux());
  if (longest > kLargestWalk) return longest;
  const auto [a, b, c] = circuit.nonzeros();
  return std::max(longest, a + b + c);
}

/// A form of a few hundred bytes may stand for billions of constraints: those are left alone. Of those that stand for
/// thousands and take longer than all the rest together one in `kLongWalks` is walked through, as the checksum has it.
void walk(const Circuit& circuit, u8 checksum) {
  constexpr u8 kLongWalks = 16;
  const u64 steps = length(circuit);
  if (steps > kLargestWalk || (steps > kShortWalk && checksum % kLongWalks != 0)) return;
  circuit.densities();
  for (u64 j = 0; j < circuit.constraints(); j += 1 + circuit.constraints() / 64) circuit.path(j);
  circuit.for_each_constraint([](const Constraint&) {});
  const std::vector<Fr> weights(circuit.constraints());
  circuit.column_sums(weights, fuzz::one_thread());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  const auto bytes = forged({data, size});
  const fuzz::ScratchFile file(bytes);
  fuzz::expect_value_or_invalid_input([&] {
    const auto circuit = read_circuit(file.path(), kMaker).circuit;  // which has a header
    walk(circuit, bytes[offsetof(ImageHeader, checksum)]);
  });
  return 0;
}
