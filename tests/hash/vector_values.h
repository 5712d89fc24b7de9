/// Texts of the vectors as elements and bytes, and back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/hex.h"
#include "field/fr.h"
#include "support/vectors.h"

namespace cuzk {

inline std::string hex_of(const Fr& element) { return to_hex(element.to_bytes()); }

inline std::vector<u8> bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

inline Fr element(const nlohmann::json& text) {
  const std::vector<u8> bytes = from_hex(text.get<std::string>());
  return Fr::from_bytes(std::span<const u8, 32>(bytes)).value();
}

inline std::vector<Fr> elements(const nlohmann::json& list) {
  std::vector<Fr> result;
  for (const auto& text : list) result.push_back(element(text));
  return result;
}

}  // namespace cuzk
