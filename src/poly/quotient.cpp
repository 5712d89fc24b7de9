#include "poly/quotient.h"

#include <algorithm>
#include <utility>

namespace cuzk {
namespace {

/// Values that a thread goes through before it looks whether it is stopped.
constexpr std::size_t kGrain = std::size_t{1} << 12;

template <class F>
void for_each_index(std::size_t size, ThreadPool& pool, const F& f) {
  const std::size_t blocks = (size + kGrain - 1) / kGrain;
  pool.parallel_for(0, blocks, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t block = begin; block < end; ++block) {
      pool.check_stop();
      const std::size_t last = std::min(size, (block + 1) * kGrain);
      for (std::size_t i = block * kGrain; i < last; ++i) f(i);
    }
  });
}

void clear_from(std::size_t first, Buffer<Fr>& values, ThreadPool& pool) {
  for_each_index(values.size() - first, pool, [&](std::size_t i) { values[first + i] = Fr::zero(); });
}

void to_coset(const Domain& domain, Buffer<Fr>& values, ThreadPool& pool) {
  domain.inverse(values.span(), pool);
  domain.coset_forward(values.span(), pool);
}

/// The product's values on the coset; b is freed.
Buffer<Fr> multiply_on_coset(const Domain& domain, Buffer<Fr> a, Buffer<Fr> b, ThreadPool& pool) {
  to_coset(domain, a, pool);
  to_coset(domain, b, pool);
  for_each_index(a.size(), pool, [&](std::size_t i) { a[i] *= b[i]; });
  return a;
}

}  // namespace

Buffer<Fr> quotient(const Domain& domain, Buffer<Fr> a, Buffer<Fr> b, Buffer<Fr> c, ThreadPool& pool) {
  return quotient_of_first(domain, std::move(a), std::move(b), std::move(c), domain.size(), pool);
}

Buffer<Fr> quotient_of_first(const Domain& domain, Buffer<Fr> a, Buffer<Fr> b, Buffer<Fr> c, std::size_t count,
                             ThreadPool& pool) {
  clear_from(count, a, pool);
  clear_from(count, b, pool);
  Buffer<Fr> h = multiply_on_coset(domain, std::move(a), std::move(b), pool);
  domain.coset_inverse(h.span(), pool);
  clear_from(count, c, pool);
  domain.inverse(c.span(), pool);
  const Fr factor = domain.vanishing_on_coset().inverse();
  for_each_index(h.size(), pool, [&](std::size_t i) { h[i] = (h[i] - c[i]) * factor; });
  return h;
}

Buffer<Fr> quotient_on_coset(const Domain& domain, Buffer<Fr> a, Buffer<Fr> b, Buffer<Fr> c, ThreadPool& pool) {
  Buffer<Fr> h = multiply_on_coset(domain, std::move(a), std::move(b), pool);
  to_coset(domain, c, pool);
  const Fr factor = domain.vanishing_on_coset().inverse();
  for_each_index(h.size(), pool, [&](std::size_t i) { h[i] = (h[i] - c[i]) * factor; });
  domain.coset_inverse(h.span(), pool);
  return h;
}

}  // namespace cuzk
