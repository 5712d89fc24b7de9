/// Equalities of small integers, several to a constraint.
///
/// Sums of less than 2^254 altogether are put side by side into one field element, so that one constraint holds them
/// all equal. Integers must be in range by other constraints: their bits are.
#pragma once

#include "gadgets/number.h"

namespace cuzk::gadgets {

class MultiEq {
 public:
  explicit MultiEq(Recorder& recorder) : recorder_(recorder) {}

  /// Both sides are below 2^bits. Places the constraint of the earlier ones when there is no more room.
  void enforce_equal(unsigned bits, const LinearCombination& left, const LinearCombination& right);

  /// Places what is left; must be called at the end.
  void finish();

 private:
  static constexpr unsigned kCapacity = 254;

  Recorder& recorder_;
  unsigned used_ = 0;
  Fr shift_ = Fr::one();  // 2^used_
  LinearCombination left_, right_;
};

}  // namespace cuzk::gadgets
