#include "poly/quotient.h"

#include <algorithm>
#include <functional>
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

/// A side as it is needed: all its values, in a buffer of its own.
using TakeSide = std::function<Buffer<Fr>(QuotientSide)>;

/// The values of a b on the coset.
Buffer<Fr> product_on_coset(const Domain& domain, const TakeSide& take, ThreadPool& pool) {
  Buffer<Fr> a = take(QuotientSide::a);
  to_coset(domain, a, pool);
  Buffer<Fr> b = take(QuotientSide::b);
  to_coset(domain, b, pool);
  for_each_index(a.size(), pool, [&](std::size_t i) { a[i] *= b[i]; });
  return a;
}

Buffer<Fr> quotient_of(const Domain& domain, const TakeSide& take, ThreadPool& pool) {
  Buffer<Fr> h = product_on_coset(domain, take, pool);
  domain.coset_inverse(h.span(), pool);
  Buffer<Fr> c = take(QuotientSide::c);
  domain.inverse(c.span(), pool);
  const Fr factor = domain.vanishing_on_coset().inverse();
  for_each_index(h.size(), pool, [&](std::size_t i) { h[i] = (h[i] - c[i]) * factor; });
  return h;
}

/// Hands out buffers that are there.
class GivenSides {
 public:
  GivenSides(Buffer<Fr> a, Buffer<Fr> b, Buffer<Fr> c) : a_(std::move(a)), b_(std::move(b)), c_(std::move(c)) {}

  Buffer<Fr> operator()(QuotientSide side) {
    return std::move(side == QuotientSide::a ? a_ : side == QuotientSide::b ? b_ : c_);
  }

 private:
  Buffer<Fr> a_, b_, c_;
};

}  // namespace

Buffer<Fr> quotient(const Domain& domain, Buffer<Fr> a, Buffer<Fr> b, Buffer<Fr> c, ThreadPool& pool) {
  GivenSides sides(std::move(a), std::move(b), std::move(c));
  return quotient_of(domain, std::ref(sides), pool);
}

Buffer<Fr> quotient_of_sides(const Domain& domain, std::size_t count, const QuotientSideValues& values_of,
                             ThreadPool& pool) {
  const auto take = [&](QuotientSide side) {
    Buffer<Fr> values(domain.size());
    values_of(side, values.span());
    clear_from(count, values, pool);
    return values;
  };
  return quotient_of(domain, take, pool);
}

Buffer<Fr> quotient_on_coset(const Domain& domain, Buffer<Fr> a, Buffer<Fr> b, Buffer<Fr> c, ThreadPool& pool) {
  GivenSides sides(std::move(a), std::move(b), Buffer<Fr>());
  Buffer<Fr> h = product_on_coset(domain, std::ref(sides), pool);
  to_coset(domain, c, pool);
  const Fr factor = domain.vanishing_on_coset().inverse();
  for_each_index(h.size(), pool, [&](std::size_t i) { h[i] = (h[i] - c[i]) * factor; });
  domain.coset_inverse(h.span(), pool);
  return h;
}

}  // namespace cuzk
