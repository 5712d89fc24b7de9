/// Texts of the vectors as elements.
#pragma once

#include <string>

#include "base/hex.h"
#include "support/vectors.h"

namespace cuzk {

/// Of the canonical bytes in hex; throws where they are not below the modulus.
template <class F>
F parse(const nlohmann::json& text) {
  const auto bytes = from_hex(text.get<std::string>());
  return F::from_bytes(std::span<const u8, F::kBytes>(bytes)).value();
}

}  // namespace cuzk
