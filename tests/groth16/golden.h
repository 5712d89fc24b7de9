/// What tests/vectors/proofs and setup hold, as values.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/hex.h"
#include "curve/encoding.h"
#include "field/fr.h"
#include "support/vectors.h"

namespace cuzk::test {

inline std::vector<u8> bytes_of(const nlohmann::json& text) { return from_hex(text.get<std::string>()); }

inline Fr fr_of(const nlohmann::json& text) {
  const auto bytes = bytes_of(text);
  return Fr::from_bytes(std::span<const u8>(bytes).first<Fr::kBytes>()).value();
}

inline std::vector<Fr> frs_of(const nlohmann::json& list) {
  std::vector<Fr> values;
  for (const auto& text : list) values.push_back(fr_of(text));
  return values;
}

/// A compressed point.
template <class Affine>
Affine point_of(const nlohmann::json& text) {
  const auto bytes = bytes_of(text);
  return from_compressed<Affine>(std::span<const u8>(bytes).first<kCompressedBytes<Affine>>()).value_or_throw("vector");
}

}  // namespace cuzk::test
