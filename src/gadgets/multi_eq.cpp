#include "gadgets/multi_eq.h"

namespace cuzk::gadgets {

void MultiEq::enforce_equal(unsigned bits, const LinearCombination& left, const LinearCombination& right) {
  if (used_ + bits >= kCapacity) finish();
  left_.add(left, shift_);
  right_.add(right, shift_);
  used_ += bits;
  shift_ *= Fr::from_u64(2).pow(bits);
}

void MultiEq::finish() {
  if (used_ == 0) return;
  recorder_.enforce(std::exchange(left_, {}), r1cs::kOne, std::exchange(right_, {}));
  used_ = 0;
  shift_ = Fr::one();
}

}  // namespace cuzk::gadgets
