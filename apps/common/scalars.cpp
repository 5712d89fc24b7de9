#include "common/scalars.h"

#include <span>
#include <vector>

#include "base/error.h"
#include "base/hex.h"

namespace cuzk::apps {

namespace {

std::vector<u8> hex_bytes(std::string_view text) {
  try {
    return from_hex(text);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

Fr parse_scalar(std::string_view text, const std::string& name) {
  const auto bytes = hex_bytes(text);
  if (bytes.size() != Fr::kBytes) throw invalid_input("{} is not {} bytes in hexadecimal digits", name, Fr::kBytes);
  if (const auto scalar = Fr::from_bytes(std::span(bytes).first<Fr::kBytes>())) return *scalar;
  throw invalid_input("{} is not below the field's modulus", name);
}

}  // namespace cuzk::apps
