/// Files of numbered sections taken apart and put together again, with whatever lengths a test wants to lie about.
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/types.h"
#include "support/vectors.h"

namespace cuzk::test {

inline void append_number(std::vector<u8>& bytes, u64 value, unsigned count) {
  for (unsigned i = 0; i < count; ++i) bytes.push_back(static_cast<u8>(value >> (8 * i)));
}

inline u64 number_at(const std::vector<u8>& bytes, std::size_t offset, unsigned count) {
  u64 value = 0;
  for (unsigned i = count; i-- > 0;) value = value << 8 | bytes.at(offset + i);
  return value;
}

struct Sections {
  std::string magic;
  u32 version;
  std::map<u32, std::vector<u8>> content;

  static Sections of(const std::string& vector) {
    const auto bytes = vector_bytes("circom/" + vector);
    Sections sections{std::string(bytes.begin(), bytes.begin() + 4), static_cast<u32>(number_at(bytes, 4, 4)), {}};
    std::size_t place = 12;
    for (u64 left = number_at(bytes, 8, 4); left > 0; --left) {
      const auto id = static_cast<u32>(number_at(bytes, place, 4));
      const auto length = static_cast<std::ptrdiff_t>(number_at(bytes, place + 4, 8));
      const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(place) + 12;
      sections.content[id].assign(begin, begin + length);
      place += 12 + static_cast<std::size_t>(length);
    }
    return sections;
  }

  std::vector<u8> bytes() const {
    std::vector<u8> bytes(magic.begin(), magic.end());
    append_number(bytes, version, 4);
    append_number(bytes, content.size(), 4);
    for (const auto& [id, own] : content) {
      append_number(bytes, id, 4);
      append_number(bytes, own.size(), 8);
      bytes.insert(bytes.end(), own.begin(), own.end());
    }
    return bytes;
  }

  /// A number within a section, replaced.
  void put(u32 id, std::size_t offset, u64 value, unsigned count = 4) {
    for (unsigned i = 0; i < count; ++i) content.at(id).at(offset + i) = static_cast<u8>(value >> (8 * i));
  }
  u64 get(u32 id, std::size_t offset, unsigned count = 4) const { return number_at(content.at(id), offset, count); }
};

}  // namespace cuzk::test
