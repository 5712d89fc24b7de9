/// Number-theoretic transform over Fr, in place.
///
/// Order: natural in, natural out. A domain of size n = 2^k holds the powers of w, the primitive n-th root of unity that
/// Filecoin's keys use: fr_root_of_unity()^(2^(32-k)). The coset is 7 * <w>. Every span has exactly n elements, else
/// Error{invalid_input} tells both numbers.
/// Cost: n/2 * k multiplications and about 3 n more. Memory: 400 KiB per thread at 2^20, a share of sqrt(n).
/// Threads: the pool given; results do not depend on their number. A pool that is stopped (ThreadPool::until) ends a
/// transform with Error{cancelled} within eight rows or columns; the values are worth nothing then.
/// Source: Bailey, "FFTs in External or Hierarchical Memory" (four-step), with the twiddle factors made on the fly.
#pragma once

#include <span>

#include "base/buffer.h"
#include "base/thread_pool.h"
#include "field/fr.h"
#include "field/kernels.h"

namespace cuzk {

class Domain {
 public:
  static constexpr unsigned kMaxLog2 = 28;

  /// k in [0, 28]; throws Error{invalid_input} above, naming k. All kernels give the same results.
  explicit Domain(unsigned k, Kernels kernels = chosen_kernels());

  /// The powers of another root of order 2^k, which is not checked, and the coset shift * <root>: other provers' order.
  Domain(unsigned k, const Fr& root, const Fr& shift, Kernels kernels = chosen_kernels());

  std::size_t size() const { return std::size_t{1} << k_; }
  const Fr& root() const { return root_; }

  void forward(std::span<Fr> values, ThreadPool& pool) const;        ///< coefficients -> values on the domain
  void inverse(std::span<Fr> values, ThreadPool& pool) const;        ///< values -> coefficients
  void coset_forward(std::span<Fr> values, ThreadPool& pool) const;  ///< coefficients -> values on the coset
  void coset_inverse(std::span<Fr> values, ThreadPool& pool) const;  ///< values on the coset -> coefficients

  /// x^n - 1, the polynomial that vanishes on the domain.
  Fr vanishing_at(const Fr& x) const;
  /// What it is everywhere on the coset: 7^n - 1, or shift^n - 1.
  Fr vanishing_on_coset() const;

  /// L_j(x) for all j: L_j is 1 at w^j and 0 at the domain's other points. x may lie in the domain.
  Buffer<Fr> lagrange_at(const Fr& x, ThreadPool& pool) const;

 private:
  void check_size(std::span<const Fr> values) const;

  unsigned k_;
  Kernels kernels_;
  Fr root_, shift_;
};

}  // namespace cuzk
