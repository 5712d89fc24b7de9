/// Reading of field elements from vectors, long inputs by their chain rule, and digests over elements.
#pragma once

#include <openssl/evp.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/buffer.h"
#include "base/hex.h"
#include "field/fr.h"

namespace cuzk::test {

inline Fr fr_from_hex(const std::string& text) {
  const std::vector<u8> bytes = from_hex(text);
  return Fr::from_bytes(std::span<const u8, 32>(bytes.data(), 32)).value();
}

inline std::string hex_of(const Fr& x) { return to_hex(x.to_bytes()); }

inline std::vector<Fr> fr_list(const nlohmann::json& list) {
  std::vector<Fr> elements;
  for (const auto& text : list) elements.push_back(fr_from_hex(text));
  return elements;
}

/// x_0 = first, x_{i+1} = x_i^2 + i.
inline std::vector<Fr> fr_chain(const Fr& first, std::size_t count) {
  std::vector<Fr> elements(count, first);
  for (std::size_t i = 1; i < count; ++i) elements[i] = elements[i - 1].squared() + Fr::from_u64(i - 1);
  return elements;
}

inline std::string sha256_of(std::span<const Fr> elements) {
  std::vector<u8> bytes;
  bytes.reserve(elements.size() * Fr::kBytes);
  for (const Fr& x : elements) std::ranges::copy(x.to_bytes(), std::back_inserter(bytes));
  std::array<u8, 32> digest;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
  return to_hex(digest);
}

/// A copy with zeros up to `size`.
inline Buffer<Fr> padded(std::span<const Fr> elements, std::size_t size) {
  Buffer<Fr> buffer(size);
  std::fill(std::ranges::copy(elements, buffer.begin()).out, buffer.end(), Fr::zero());
  return buffer;
}

}  // namespace cuzk::test
