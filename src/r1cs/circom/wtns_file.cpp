#include "r1cs/circom/wtns_file.h"

#include <algorithm>

#include "base/error.h"
#include "base/mapped_file.h"
#include "r1cs/circom/binfile.h"

namespace cuzk::r1cs {
namespace {

constexpr Binfile::Format kFormat{"wtns", 2};

/// A shorter run of bits is cheaper among the elements than as a segment of its own.
constexpr std::size_t kShortestRun = 64;

bool is_bit(const Fr& value) { return value.is_zero() || value.is_one(); }

/// Where the values from `first` on stop being bits.
std::size_t end_of_bits(std::span<const Fr> values, std::size_t first) {
  std::size_t end = first;
  while (end < values.size() && is_bit(values[end])) ++end;
  return end;
}

void add_bits(Witness& witness, std::span<const Fr> bits) {
  for (std::size_t first = 0; first < bits.size(); first += 64) {
    const auto word = bits.subspan(first, std::min<std::size_t>(64, bits.size() - first));
    u64 packed = 0;
    for (std::size_t i = 0; i < word.size(); ++i) packed |= u64{word[i].is_one()} << i;
    witness.add_bits(packed, static_cast<unsigned>(word.size()));
  }
}

}  // namespace

Wires read_wires(std::span<const u8> bytes, const std::string& source) {
  const Binfile file(bytes, kFormat, source);
  SectionReader header = file.section(1, "header");
  header.expect_prime(scalar_prime(), "the prime");
  const u32 count = header.take_u32("the number of wires");
  header.expect_end();
  SectionReader values = file.section(2, "values");
  values.expect_rest(count, Fr::kBytes, "the wires");
  Wires wires;
  wires.reserve(count);
  for (u32 i = 0; i < count; ++i) {
    wires.push_back(
        read_element(values.take(Fr::kBytes, "a wire"), [&] { return fmt::format("{}: wire {}", values.name(), i); }));
  }
  if (count == 0 || !wires[0].is_one()) throw invalid_input("{}: wire 0 is not 1, expected ONE", values.name());
  return wires;
}

Wires read_wires(const std::filesystem::path& path) {
  const MappedFile file(path);
  return read_wires(file.bytes(), path.string());
}

Witness witness_of_wires(std::span<const Fr> wires, u32 publics) {
  if (wires.size() <= publics) {
    throw invalid_input("witness: {} wires, expected more than {} public ones", wires.size(), publics);
  }
  Witness witness;
  for (const Fr& value : wires.subspan(1, publics)) witness.add_input(value);
  const auto aux = wires.subspan(std::size_t{publics} + 1);
  std::size_t added = 0;
  for (std::size_t i = 0; i < aux.size();) {
    const std::size_t end = end_of_bits(aux, i);
    if (end - i >= kShortestRun) {
      witness.add_elements(aux.subspan(added, i - added));
      add_bits(witness, aux.subspan(i, end - i));
      added = end;
    }
    i = end + 1;
  }
  witness.add_elements(aux.subspan(added));
  return witness;
}

}  // namespace cuzk::r1cs
