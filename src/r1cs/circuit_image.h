/// A compiled circuit as one block of bytes: the same in memory and in a file.
///
/// A header, then ten arrays, each at a multiple of 64 bytes: templates, starts of rows, terms, coefficients, numbers of
/// allocated variables, marks, instances, runs, scopes, text. Numbers are in the machine's own byte order and field
/// elements in Montgomery form, so that the block is used where it lies; the header tells whether that fits.
/// Everything that indexes something is checked by read_image(): after it no walk over the form can leave its arrays,
/// whatever the bytes were.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/buffer.h"
#include "r1cs/recorder.h"
#include "r1cs/template.h"

namespace cuzk::r1cs {

/// A name in a circuit and the scope around it; the root is number 0 and its own outer scope.
struct ScopeName {
  u32 outer;
  TextRange name;
};

/// What a circuit consists of: views into an image.
struct CircuitForm {
  u32 inputs = 1, aux = 0;
  u64 gadget_constraints = 0;
  std::vector<Template> templates;
  std::span<const Instance> instances;
  std::span<const VariableRun> runs;
  std::span<const ScopeName> scopes;
  std::string_view text;

  std::string_view name(TextRange range) const { return text.substr(range.first, range.length); }
};

/// What a Compiler collects.
struct CircuitParts {
  struct NamedScope {
    u32 outer;
    std::string name;
  };

  u32 inputs = 1, aux = 0;
  u64 gadget_constraints = 0;
  std::vector<RecordedTemplate> templates;
  std::vector<Instance> instances;
  std::vector<VariableRun> runs;
  std::vector<NamedScope> scopes{{0, ""}};
};

/// The arrays of an image, in the order in which they lie there.
enum class Section { templates, starts, terms, coefficients, allocated, marks, instances, runs, scopes, text };
inline constexpr std::size_t kSections = 10;

/// The first bytes of an image.
struct ImageHeader {
  struct Extent {
    u64 offset, bytes;
  };

  std::array<char, 8> magic{'C', 'U', 'Z', 'K', 'R', '1', 'C', 'S'};
  u32 byte_order = 0x01020304;
  u32 version = 1;
  std::array<u8, 32> checksum{};        ///< files: SHA-256 of the image with these bytes zero
  std::array<u8, 32> maker{};           ///< files: digest of the program text that compiled it
  std::array<u8, 32> network_digest{};  ///< files: of the canonical stream
  u32 network_digest_known = 0;         ///< 0 or 1
  u32 inputs = 1, aux = 0;
  u32 reserved = 0;
  u64 gadget_constraints = 0;
  std::array<Extent, kSections> sections{};
};

/// Throws Error{resource_exhausted} without memory and Error{internal} for a circuit that the form cannot number.
Buffer<u8> write_image(const CircuitParts& parts);

/// The header if the image may be one that this program understands. Throws Error{invalid_input} naming `source` for
/// another format, version or byte order.
ImageHeader read_header(std::span<const u8> image, std::string_view source);

/// Views into `image`, which must be aligned to 64 bytes. Throws Error{invalid_input} naming `source` and the first
/// thing that is out of bounds. Cost: one pass, about a nanosecond a term.
CircuitForm read_image(std::span<const u8> image, std::string_view source);

}  // namespace cuzk::r1cs
