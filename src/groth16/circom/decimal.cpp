#include "groth16/circom/decimal.h"

#include <fmt/format.h>

#include <vector>

namespace cuzk::groth16 {
namespace {

/// Digits that go through a word at a time.
constexpr u64 kTenTo19 = 10'000'000'000'000'000'000U;

/// number * 10 + digit; whether it still fits.
template <std::size_t N>
bool append_digit(Limbs<N>& number, u64 digit) {
  u64 carry = digit;
  for (std::size_t i = 0; i < N; ++i) number[i] = multiply_add(0, number[i], 10, carry);
  return carry == 0;
}

/// Divides in place; the remainder.
template <std::size_t N>
u64 divide(Limbs<N>& number, u64 divisor) {
  u128 rest = 0;
  for (std::size_t i = N; i-- > 0;) {
    const u128 part = rest << 64 | number[i];
    number[i] = static_cast<u64>(part / divisor);
    rest = part % divisor;
  }
  return static_cast<u64>(rest);
}

}  // namespace

template <class Field>
std::optional<Field> from_decimal(std::string_view text) {
  if (text.empty() || (text.size() > 1 && text.front() == '0')) return std::nullopt;
  typename Field::Integer number{};
  for (const char c : text) {
    if (c < '0' || c > '9' || !append_digit(number, static_cast<u64>(c - '0'))) return std::nullopt;
  }
  if (!less(number, Field::kModulus)) return std::nullopt;
  return Field::from_integer_unchecked(number);
}

template <class Field>
std::string to_decimal(const Field& element) {
  auto number = element.to_integer();
  std::vector<u64> parts;
  do parts.push_back(divide(number, kTenTo19));
  while (!is_zero(number));
  std::string text = fmt::format("{}", parts.back());
  for (std::size_t i = parts.size() - 1; i-- > 0;) text += fmt::format("{:019}", parts[i]);
  return text;
}

template std::optional<Fr> from_decimal(std::string_view);
template std::optional<Fp> from_decimal(std::string_view);
template std::string to_decimal(const Fr&);
template std::string to_decimal(const Fp&);

}  // namespace cuzk::groth16
