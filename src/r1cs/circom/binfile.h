/// The container of circom's and snarkjs' files (.r1cs, .wtns, .zkey): a magic word, a version and numbered sections.
///
/// Bytes, every number little-endian: the word (4), u32 version, u32 number of sections; then for each section u32 id, u64
/// length and its content. Sections come in any order, each id once, and the last ends where the file ends. A reader
/// takes no memory but for the table of sections; every length is compared with what is there before it is used.
/// Source of the facts: iden3's description of the binary formats.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"
#include "field/fr.h"

namespace cuzk::r1cs {

/// Takes numbers and bytes from the front of one section. Every error is Error{invalid_input} and names file and section.
class SectionReader {
 public:
  SectionReader(std::span<const u8> bytes, std::string name) : rest_(bytes), name_(std::move(name)) {}

  u32 take_u32(std::string_view what);
  u64 take_u64(std::string_view what);
  std::span<const u8> take(u64 count, std::string_view what);

  /// u32 8n, and a number of so many bytes: throws unless it is this prime.
  void expect_prime(std::span<const u8> prime, std::string_view what);

  /// `count` things of `bytes` each must be what is left.
  void expect_rest(u64 count, u64 bytes, std::string_view what) const;
  void expect_end() const;

  std::span<const u8> rest() const { return rest_; }
  const std::string& name() const { return name_; }  ///< "file: section 2 (constraints)"

 private:
  std::span<const u8> rest_;
  std::string name_;
};

class Binfile {
 public:
  struct Format {
    std::string_view magic;  ///< four characters
    u32 last_version;        ///< the largest that is understood; 1 is the first
  };

  /// The bytes must outlive it. Throws Error{invalid_input} naming `source`, what was found and what was expected.
  Binfile(std::span<const u8> bytes, const Format& format, std::string source);

  /// A section that must be there.
  SectionReader section(u32 id, std::string_view name) const;
  bool has(u32 id) const { return find(id) != nullptr; }

  const std::string& source() const { return source_; }

 private:
  struct Section {
    u32 id;
    std::span<const u8> content;
  };

  const Section* find(u32 id) const;

  std::string source_;
  std::vector<Section> sections_;
};

/// The modulus of Fr, little-endian.
Fr::Bytes scalar_prime();

[[noreturn]] void throw_not_canonical(const std::string& name);

/// An element as the files of witnesses and constraints have it: 32 bytes, little-endian, below the modulus. Throws
/// Error{invalid_input} with what name() gives; the value is not in the message, for it may be a secret.
template <class Name>
Fr read_element(std::span<const u8> bytes, Name&& name) {
  const auto element = Fr::from_bytes(bytes.first<Fr::kBytes>());
  if (!element) throw_not_canonical(name());
  return *element;
}

}  // namespace cuzk::r1cs
