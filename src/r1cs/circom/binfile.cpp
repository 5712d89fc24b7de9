#include "r1cs/circom/binfile.h"

#include <algorithm>

#include "base/error.h"
#include "base/hex.h"

namespace cuzk::r1cs {
namespace {

/// No format has more than a dozen; each takes a look at all before it.
constexpr u32 kMaxSections = 64;

u64 little_endian(std::span<const u8> bytes) {
  u64 value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | bytes[i];
  return value;
}

/// BN254's scalar field and base field, the ones that are taken for ours most often.
constexpr std::string_view kBn254Primes[] = {"010000f093f5e1439170b97948e833285d588181b64550b829a031e1724e6430",
                                             "47fd7cd8168c203c8dca7168916a81975d588181b64550b829a031e1724e6430"};

std::string describe_prime(std::span<const u8> prime) {
  std::string text = to_hex(prime);
  if (std::ranges::find(kBn254Primes, text) == std::end(kBn254Primes)) return text;
  return text + " (BN254's: circom makes files for BLS12-381 with --prime bls12381, snarkjs with a bls12381 ceremony)";
}

}  // namespace

u32 SectionReader::take_u32(std::string_view what) { return static_cast<u32>(little_endian(take(4, what))); }
u64 SectionReader::take_u64(std::string_view what) { return little_endian(take(8, what)); }

std::span<const u8> SectionReader::take(u64 count, std::string_view what) {
  if (count > rest_.size())
    throw invalid_input("{}: {} bytes left, expected {} of {}", name_, rest_.size(), count, what);
  const auto taken = rest_.first(static_cast<std::size_t>(count));
  rest_ = rest_.subspan(taken.size());
  return taken;
}

void SectionReader::expect_prime(std::span<const u8> prime, std::string_view what) {
  const u32 length = take_u32(what);
  if (length != prime.size()) {
    throw invalid_input("{}: {} of {} bytes, expected {} of BLS12-381", name_, what, length, prime.size());
  }
  const auto found = take(length, what);
  if (!std::ranges::equal(found, prime)) {
    throw invalid_input("{}: {} is {} (little-endian), expected BLS12-381's {}", name_, what, describe_prime(found),
                        to_hex(prime));
  }
}

void SectionReader::expect_rest(u64 count, u64 bytes, std::string_view what) const {
  if (count != rest_.size() / bytes || rest_.size() % bytes != 0) {
    throw invalid_input("{}: {} bytes left, expected {} of {} bytes for {}", name_, rest_.size(), count, bytes, what);
  }
}

void SectionReader::expect_end() const {
  if (!rest_.empty()) throw invalid_input("{}: {} bytes left, expected none", name_, rest_.size());
}

Binfile::Binfile(std::span<const u8> bytes, const Format& format, std::string source) : source_(std::move(source)) {
  SectionReader file(bytes, source_);
  const auto magic = file.take(4, "a magic word");
  if (!std::ranges::equal(magic, format.magic)) {
    throw invalid_input("{}: begins with {}, expected '{}' ({})", source_, to_hex(magic), format.magic,
                        to_hex(std::span(reinterpret_cast<const u8*>(format.magic.data()), format.magic.size())));
  }
  const u32 version = file.take_u32("a version");
  if (version == 0 || version > format.last_version) {
    throw invalid_input("{}: version {}, expected 1 to {}", source_, version, format.last_version);
  }
  const u32 count = file.take_u32("a number of sections");
  if (count > kMaxSections) throw invalid_input("{}: {} sections, expected at most {}", source_, count, kMaxSections);
  for (u32 i = 0; i < count; ++i) {
    const u32 id = file.take_u32("the id of a section");
    const u64 length = file.take_u64("the length of a section");
    if (find(id) != nullptr) throw invalid_input("{}: section {} is there twice, expected once", source_, id);
    sections_.push_back({id, file.take(length, fmt::format("section {}", id))});
  }
  file.expect_end();
}

const Binfile::Section* Binfile::find(u32 id) const {
  const auto place = std::ranges::find(sections_, id, &Section::id);
  return place == sections_.end() ? nullptr : &*place;
}

SectionReader Binfile::section(u32 id, std::string_view name) const {
  const Section* const found = find(id);
  if (found == nullptr) throw invalid_input("{}: section {} ({}) is missing", source_, id, name);
  return SectionReader(found->content, fmt::format("{}: section {} ({})", source_, id, name));
}

Fr::Bytes scalar_prime() {
  Fr::Bytes bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<u8>(Fr::kModulus[i / 8] >> (8 * (i % 8)));
  return bytes;
}

void throw_not_canonical(const std::string& name) {
  throw invalid_input("{}: the value is not below the field's modulus", name);
}

}  // namespace cuzk::r1cs
