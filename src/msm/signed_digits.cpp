#include "msm/signed_digits.h"

namespace cuzk::msm {
namespace {

constexpr std::size_t kGrain = std::size_t{1} << 12;

}  // namespace

SignedDigits::SignedDigits(std::span<const Fr> scalars, unsigned bits, ThreadPool& pool)
    : count_(scalars.size()), digits_(DigitReader::digits(bits) * scalars.size()) {
  pool.parallel_for(0, count_, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      DigitReader reader(scalars[i], bits);
      for (std::size_t w = 0; w < DigitReader::digits(bits); ++w) digits_[w * count_ + i] = reader.next();
    }
  });
}

}  // namespace cuzk::msm
