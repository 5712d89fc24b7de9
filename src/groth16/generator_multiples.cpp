#include "groth16/generator_multiples.h"

#include <algorithm>

#include "msm/fixed_base.h"

namespace cuzk::groth16 {
namespace {

class ThreadMultiples final : public GeneratorMultiples {
 public:
  ThreadMultiples(const KeyLengths& lengths, ThreadPool& pool)
      : pool_(pool),
        g1_(G1::generator(), std::size_t{lengths.h} + lengths.l + lengths.a + lengths.b_g1),
        g2_(G2::generator(), lengths.b_g2) {}

  std::size_t at_once() const override { return std::size_t{1} << 16; }  // 6 MiB of G1
  void multiply(std::span<const Fr> scalars, std::span<G1Affine> points) override { by(g1_, scalars, points); }
  void multiply(std::span<const Fr> scalars, std::span<G2Affine> points) override { by(g2_, scalars, points); }

 private:
  template <class Curve>
  void by(const msm::FixedBase<Curve>& table, std::span<const Fr> scalars, std::span<AffinePoint<Curve>> points) {
    std::ranges::copy(table.multiply(scalars, pool_), points.begin());
  }

  ThreadPool& pool_;
  const msm::FixedBase<G1Curve> g1_;
  const msm::FixedBase<G2Curve> g2_;
};

}  // namespace

std::unique_ptr<GeneratorMultiples> multiples_by_threads(const KeyLengths& lengths, ThreadPool& pool) {
  return std::make_unique<ThreadMultiples>(lengths, pool);
}

}  // namespace cuzk::groth16
