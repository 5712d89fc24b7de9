/// The quotient polynomial h = (a b - c) / Z of the values that a, b, c take on a domain.
#pragma once

#include "base/buffer.h"
#include "base/thread_pool.h"
#include "poly/domain.h"

namespace cuzk {

/// The n coefficients of h, where Z is the polynomial that vanishes on the domain. The last coefficient is 0 if
/// a_i b_i = c_i for all i; if not, the others still are what Filecoin's prover computes.
///
/// a, b, c hold n values each and are used up: b and c are freed as soon as possible, and no further memory of that
/// size is taken. Six transforms: on the coset x^n is the constant s = 7^n, so that interpolating a b there gives (s -
/// 1) h + c in coefficients; c needs no transform to the coset.
Buffer<Fr> quotient(const Domain& domain, Buffer<Fr> a, Buffer<Fr> b, Buffer<Fr> c, ThreadPool& pool);

/// The same where only the first `count` values of a, b, c are given and the others are 0, whatever the buffers hold:
/// memory behind them is touched only when its turn comes, so that all of c never lies beside all of a and b.
Buffer<Fr> quotient_of_first(const Domain& domain, Buffer<Fr> a, Buffer<Fr> b, Buffer<Fr> c, std::size_t count,
                             ThreadPool& pool);

/// The same as the first by the definition, with all values on the coset: seven transforms. For tests and comparison.
Buffer<Fr> quotient_on_coset(const Domain& domain, Buffer<Fr> a, Buffer<Fr> b, Buffer<Fr> c, ThreadPool& pool);

}  // namespace cuzk
