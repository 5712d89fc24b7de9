#include "groth16/setup.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "base/buffer.h"
#include "curve/g1.h"
#include "curve/g2.h"
#include "groth16/blinding.h"
#include "groth16/parameter_writer.h"
#include "msm/fixed_base.h"
#include "poly/domain.h"

namespace cuzk::groth16 {
namespace {

using G1Table = msm::FixedBase<G1Curve>;
using G2Table = msm::FixedBase<G2Curve>;

/// Points that are made and written at a time: 6 MiB of G1.
constexpr std::size_t kPiece = std::size_t{1} << 16;
constexpr std::size_t kGrain = std::size_t{1} << 12;

struct Work {
  const r1cs::Circuit& circuit;
  const ToxicWaste& waste;
  ThreadPool& pool;
  const Control& control;
};

void check(const ToxicWaste& waste, const Domain& domain) {
  const auto require = [](bool good, std::string_view what) {
    if (!good) throw invalid_input("toxic waste: {}", what);
  };
  require(!waste.alpha.is_zero(), "alpha is zero");
  require(!waste.beta.is_zero(), "beta is zero");
  require(!waste.gamma.is_zero(), "gamma is zero");
  require(!waste.delta.is_zero(), "delta is zero");
  require(!waste.tau.is_zero(), "tau is zero");
  require(!domain.vanishing_at(waste.tau).is_zero(), "tau lies in the circuit's domain");
}

/// first, first * ratio, first * ratio^2, ...
void fill_powers(std::span<Fr> values, const Fr& first, const Fr& ratio, ThreadPool& pool) {
  pool.parallel_for(0, values.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    Fr power = first * ratio.pow(u64{begin});
    for (std::size_t i = begin; i < end; ++i, power *= ratio) values[i] = power;
  });
}

/// For every variable the values at tau of its polynomials in A, B and C.
r1cs::ColumnSums evaluate_at_tau(const Work& work) {
  const Domain domain(work.circuit.log2_domain());
  const Buffer<Fr> lagrange = domain.lagrange_at(work.waste.tau, work.pool);
  work.control.check("setup");
  return work.circuit.column_sums(lagrange.span(), work.pool);
}

/// (beta a_i + alpha b_i + c_i) / divisor for the variables [first, first + count).
std::vector<Fr> combine(const r1cs::ColumnSums& sums, std::size_t first, std::size_t count, const Fr& divisor,
                        const Work& work) {
  const Fr beta = work.waste.beta, alpha = work.waste.alpha, factor = divisor.inverse();
  std::vector<Fr> combined(count);
  work.pool.parallel_for(0, count, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t variable = first + i;
      combined[i] = (beta * sums.a[variable] + alpha * sums.b[variable] + sums.c[variable]) * factor;
    }
  });
  return combined;
}

void drop_zeros(std::vector<Fr>& values) {
  std::erase_if(values, [](const Fr& value) { return value.is_zero(); });
}

template <class Curve>
AffinePoint<Curve> multiple(const Fr& scalar) {
  return (AffinePoint<Curve>::generator() * scalar).to_affine();
}

VerifyingKey make_verifying_key(const r1cs::ColumnSums& sums, const G1Table& table, const Work& work) {
  const ToxicWaste& waste = work.waste;
  return {.alpha_g1 = multiple<G1Curve>(waste.alpha),
          .beta_g1 = multiple<G1Curve>(waste.beta),
          .beta_g2 = multiple<G2Curve>(waste.beta),
          .gamma_g2 = multiple<G2Curve>(waste.gamma),
          .delta_g1 = multiple<G1Curve>(waste.delta),
          .delta_g2 = multiple<G2Curve>(waste.delta),
          .ic = table.multiply(combine(sums, 0, work.circuit.inputs(), waste.gamma, work), work.pool)};
}

/// Writes multiples of the generator, piece by piece; scalars_of(first, count) gives the scalars of a piece.
template <class Table, class Scalars>
void write_multiples(ParameterWriter& writer, const Table& table, std::size_t count, const Work& work,
                     const Scalars& scalars_of) {
  for (std::size_t first = 0; first < count; first += kPiece) {
    work.control.check("setup");
    const auto scalars = scalars_of(first, std::min(kPiece, count - first));
    const auto points = table.multiply(std::span<const Fr>(scalars), work.pool);
    writer.append(std::span(points));
  }
}

/// tau^i (tau^m - 1) / delta
void write_h(ParameterWriter& writer, const G1Table& table, u32 count, const Work& work) {
  const Fr tau = work.waste.tau;
  const Fr at_tau = Domain(work.circuit.log2_domain()).vanishing_at(tau);
  const Fr factor = at_tau * work.waste.delta.inverse();
  write_multiples(writer, table, count, work, [&](std::size_t first, std::size_t piece) {
    std::vector<Fr> scalars(piece);
    fill_powers(scalars, factor * tau.pow(u64{first}), tau, work.pool);
    return scalars;
  });
}

void write_l(ParameterWriter& writer, const G1Table& table, const r1cs::ColumnSums& sums, const Work& work) {
  const std::size_t inputs = work.circuit.inputs();
  write_multiples(writer, table, work.circuit.aux(), work, [&](std::size_t first, std::size_t piece) {
    return combine(sums, inputs + first, piece, work.waste.delta, work);
  });
}

template <class Table>
void write_query(ParameterWriter& writer, const Table& table, const std::vector<Fr>& scalars, const Work& work) {
  write_multiples(writer, table, scalars.size(), work, [&](std::size_t first, std::size_t piece) {
    return std::span<const Fr>(scalars).subspan(first, piece);
  });
}

/// Writes the five vectors; the sums are used up.
FileDigest write_parameters(const std::filesystem::path& path, const VerifyingKey& key, const G1Table& table,
                            r1cs::ColumnSums sums, const Work& work) {
  const KeyLengths lengths = key_lengths(work.circuit);
  ParameterWriter writer(path, key, lengths, work.pool, work.control);
  write_h(writer, table, lengths.h, work);
  write_l(writer, table, sums, work);
  sums.c = {};
  drop_zeros(sums.a);
  write_query(writer, table, sums.a, work);
  sums.a = {};
  drop_zeros(sums.b);
  write_query(writer, table, sums.b, work);
  write_query(writer, G2Table(G2::generator()), sums.b, work);
  return writer.finish();
}

FileDigest write_verifying_key(const std::filesystem::path& path, const VerifyingKey& key, ThreadPool& pool) {
  key.write(path);
  FileDigester digester;
  digester.update(key.to_bytes(), pool);
  return digester.finish();
}

}  // namespace

ToxicWaste ToxicWaste::fresh() { return {random_fr(), random_fr(), random_fr(), random_fr(), random_fr()}; }

KeyDigests setup(const r1cs::Circuit& circuit, const ToxicWaste& waste, const KeyFiles& files, ThreadPool& pool,
                 const Control& control) {
  check(waste, Domain(circuit.log2_domain()));
  const Work work{circuit, waste, pool, control};
  r1cs::ColumnSums sums = evaluate_at_tau(work);
  const G1Table table(G1::generator());
  const VerifyingKey key = make_verifying_key(sums, table, work);
  const FileDigest params = write_parameters(files.params, key, table, std::move(sums), work);
  return {.params = params, .vk = write_verifying_key(files.vk, key, pool)};
}

}  // namespace cuzk::groth16
