/// Random bytes from the operating system, and the wiping of secrets. Nothing here is for tests that need repeatable
/// numbers.
#pragma once

#include <array>
#include <span>
#include <type_traits>

#include "base/types.h"

namespace cuzk {

/// Fills `bytes` from the kernel's generator (getrandom), waiting for it to be seeded. Throws Error{internal} when the
/// kernel refuses: there is no second source.
void fill_random(std::span<u8> bytes);

template <std::size_t N>
std::array<u8, N> random_bytes() {
  std::array<u8, N> bytes;
  fill_random(bytes);
  return bytes;
}

/// Overwrites with zeros in a way that the compiler may not leave out.
void wipe(std::span<u8> bytes) noexcept;

/// Overwrites a plain value, such as the array of bytes or the field element that r was made of.
template <class T>
requires(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> &&
         !std::is_convertible_v<T&, std::span<u8>>) void wipe(T& value) noexcept {
  wipe(std::span<u8>(reinterpret_cast<u8*>(&value), sizeof(T)));
}

/// Wipes a value at the end of its scope, also when an exception ends it.
template <class T>
class WipeAtEnd {
 public:
  explicit WipeAtEnd(T& value) : value_(value) {}
  ~WipeAtEnd() { wipe(value_); }
  WipeAtEnd(const WipeAtEnd&) = delete;
  WipeAtEnd& operator=(const WipeAtEnd&) = delete;

 private:
  T& value_;
};

}  // namespace cuzk
