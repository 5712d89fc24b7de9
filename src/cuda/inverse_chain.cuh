/// The inverses of many numbers from that of their product.
#pragma once

namespace cuzk::cuda {

/// 1 / (a product of numbers), from which their inverses are taken one by one, the last first.
/// Source: Montgomery, "Speeding the Pollard and Elliptic Curve Methods of Factorization", section 10.3.1.
template <class Field>
class InverseChain {
 public:
  __device__ explicit InverseChain(const Field& inverse) : inverse_(inverse) {}

  /// 1 / last, the last of the numbers; `before` is the product of those before it.
  __device__ Field take(const Field& before, const Field& last) {
    const Field own = inverse_ * before;
    inverse_ *= last;
    return own;
  }

 private:
  Field inverse_;
};

}  // namespace cuzk::cuda
