#include "groth16/key_scalars.h"

#include <utility>

#include "base/buffer.h"
#include "curve/g1.h"
#include "curve/g2.h"
#include "msm/fixed_base.h"
#include "poly/domain.h"

namespace cuzk::groth16 {
namespace {

constexpr std::size_t kGrain = std::size_t{1} << 12;

void check(const ToxicWaste& waste, const Domain& domain) {
  const auto require = [](bool good, std::string_view what) {
    if (!good) throw invalid_input("toxic waste: {}", what);
  };
  require(!waste.alpha.is_zero(), "alpha is zero");
  require(!waste.beta.is_zero(), "beta is zero");
  require(!waste.gamma.is_zero(), "gamma is zero");
  require(!waste.delta.is_zero(), "delta is zero");
  require(!waste.tau.is_zero(), "tau is zero");
  require(waste.gamma != waste.delta, "gamma is delta");
  require(!domain.vanishing_at(waste.tau).is_zero(), "tau lies in the circuit's domain");
}

/// For every variable the values at tau of its polynomials in A, B and C.
r1cs::ColumnSums evaluate_at_tau(const r1cs::Circuit& circuit, const ToxicWaste& waste, ThreadPool& pool,
                                 const Control& control) {
  const Domain domain(circuit.log2_domain());
  check(waste, domain);
  const Buffer<Fr> lagrange = domain.lagrange_at(waste.tau, pool);
  control.check("setup");
  return circuit.column_sums(lagrange.span(), pool);
}

std::vector<Fr> without_zeros(std::vector<Fr> values) {
  std::erase_if(values, [](const Fr& value) { return value.is_zero(); });
  return values;
}

template <class Curve>
AffinePoint<Curve> multiple(const Fr& scalar) {
  return (AffinePoint<Curve>::generator() * scalar).to_affine();
}

}  // namespace

KeyScalars::KeyScalars(const r1cs::Circuit& circuit, const ToxicWaste& waste, ThreadPool& pool, const Control& control)
    : circuit_(circuit), waste_(waste), pool_(pool), sums_(evaluate_at_tau(circuit, waste, pool, control)) {}

/// (beta a_i + alpha b_i + c_i) / divisor for the variables [first, first + count).
std::vector<Fr> KeyScalars::combine(std::size_t first, std::size_t count, const Fr& divisor) const {
  const Fr beta = waste_.beta, alpha = waste_.alpha, factor = divisor.inverse();
  std::vector<Fr> combined(count);
  pool_.parallel_for(0, count, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t variable = first + i;
      combined[i] = (beta * sums_.a[variable] + alpha * sums_.b[variable] + sums_.c[variable]) * factor;
    }
  });
  return combined;
}

VerifyingKey KeyScalars::verifying_key() const {
  const std::vector<Fr> inputs = combine(0, circuit_.inputs(), waste_.gamma);
  return {.alpha_g1 = multiple<G1Curve>(waste_.alpha),
          .beta_g1 = multiple<G1Curve>(waste_.beta),
          .beta_g2 = multiple<G2Curve>(waste_.beta),
          .gamma_g2 = multiple<G2Curve>(waste_.gamma),
          .delta_g1 = multiple<G1Curve>(waste_.delta),
          .delta_g2 = multiple<G2Curve>(waste_.delta),
          .ic = msm::FixedBase<G1Curve>(G1::generator(), inputs.size()).multiply(inputs, pool_)};
}

/// tau^i (tau^m - 1) / delta
std::vector<Fr> KeyScalars::h(std::size_t first, std::size_t count) const {
  const Fr factor = Domain(circuit_.log2_domain()).vanishing_at(waste_.tau) * waste_.delta.inverse();
  const Fr start = factor * waste_.tau.pow(u64{first}), tau = waste_.tau;
  std::vector<Fr> scalars(count);
  pool_.parallel_for(0, count, kGrain, [&](std::size_t begin, std::size_t end) {
    Fr power = start * tau.pow(u64{begin});
    for (std::size_t i = begin; i < end; ++i, power *= tau) scalars[i] = power;
  });
  return scalars;
}

std::vector<Fr> KeyScalars::l(std::size_t first, std::size_t count) const {
  if (sums_.c.empty()) throw internal_error("setup: the scalars of l are asked for after those of a");
  return combine(circuit_.inputs() + first, count, waste_.delta);
}

std::vector<Fr> KeyScalars::take_a() {
  sums_.c = {};  // was for l only: as large as a
  return without_zeros(std::exchange(sums_.a, {}));
}
std::vector<Fr> KeyScalars::take_b() { return without_zeros(std::exchange(sums_.b, {})); }

}  // namespace cuzk::groth16
