/// The quotient polynomial h = (a b - c) / Z of the values that a, b, c take on a domain.
#pragma once

#include <functional>

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

enum class QuotientSide { a, b, c };

/// Writes the first values of a side into the span; what it holds beyond them does not matter.
using QuotientSideValues = std::function<void(QuotientSide, std::span<Fr>)>;

/// The same where each side's values are made when its turn comes, a, b, then c, so that two buffers of n values are all
/// that there is at any time. The first `count` values of each are those that are given, the others are 0.
Buffer<Fr> quotient_of_sides(const Domain& domain, std::size_t count, const QuotientSideValues& values_of,
                             ThreadPool& pool);

/// The same as the first by the definition, with all values on the coset: seven transforms. For tests and comparison.
Buffer<Fr> quotient_on_coset(const Domain& domain, Buffer<Fr> a, Buffer<Fr> b, Buffer<Fr> c, ThreadPool& pool);

}  // namespace cuzk
