#include "groth16/circom/zkey.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <vector>

#include "base/error.h"
#include "base/mapped_file.h"
#include "curve/subgroup.h"
#include "groth16/key_rules.h"
#include "poly/domain.h"
#include "r1cs/circom/binfile.h"

namespace cuzk::groth16 {
namespace {

using r1cs::Binfile;
using r1cs::SectionReader;

constexpr Binfile::Format kFormat{"zkey", 2};

constexpr u32 kGroth16 = 1;
constexpr std::size_t kG1Bytes = 2 * Fp::kBytes;
constexpr std::size_t kTermBytes = 3 * sizeof(u32) + Fr::kBytes;

/// Points, terms or rows that a thread takes at a time.
constexpr std::size_t kGrain = 1024;

template <std::size_t N>
Limbs<N> read_limbs(std::span<const u8> bytes) {
  Limbs<N> limbs{};
  for (std::size_t i = 0; i < 8 * N; ++i) limbs[i / 8] |= u64{bytes[i]} << (8 * (i % 8));
  return limbs;
}

/// A number in Montgomery form; false when it is not below the modulus.
bool read_coordinate(std::span<const u8> bytes, Fp& coordinate) {
  const auto form = read_limbs<6>(bytes);
  coordinate = Fp::from_montgomery_unchecked(form);
  return less(form, Fp::kModulus);
}
bool read_coordinate(std::span<const u8> bytes, Fp2& coordinate) {
  return read_coordinate(bytes.first(Fp::kBytes), coordinate.c0) &&
         read_coordinate(bytes.subspan(Fp::kBytes), coordinate.c1);
}

/// name() is for a message.
template <class Affine>
Affine read_point(std::span<const u8> bytes, KeyCheck check, const std::function<std::string()>& name) {
  Affine point;
  constexpr std::size_t kHalf = Affine::Field::kBytes;
  if (!read_coordinate(bytes.first(kHalf), point.x) || !read_coordinate(bytes.subspan(kHalf), point.y)) {
    throw invalid_input("{}: a coordinate is not below the field's modulus", name());
  }
  if (check != KeyCheck::known && !point.is_on_curve())
    throw invalid_input("{}: the point is not on the curve", name());
  if (check == KeyCheck::subgroups && !point.is_infinity() && !is_in_subgroup(point)) {
    throw invalid_input("{}: the point is not in the subgroup of order r", name());
  }
  return point;
}

/// A point of the verifying key.
template <class Affine>
Affine take_point(SectionReader& reader, std::string_view name) {
  constexpr std::size_t kBytes = 2 * Affine::Field::kBytes;
  const auto point = read_point<Affine>(reader.take(kBytes, name), KeyCheck::subgroups,
                                        [&] { return fmt::format("{}: {}", reader.name(), name); });
  if (point.is_infinity()) throw invalid_input("{}: {}: the point is infinity, which no key has", reader.name(), name);
  return point;
}

/// The modulus of Fp, little-endian.
std::vector<u8> base_prime() {
  std::vector<u8> bytes(Fp::kBytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<u8>(Fp::kModulus[i / 8] >> (8 * (i % 8)));
  return bytes;
}

/// Sections 1 to 3.
struct Head {
  VerifyingKey key;
  u32 wires, publics, domain;
};

void check_protocol(const Binfile& file) {
  SectionReader protocol = file.section(1, "protocol");
  const u32 number = protocol.take_u32("the protocol");
  if (number != kGroth16) {
    throw invalid_input("{}: protocol {}, expected {} (Groth16; 2 is PLONK, 10 FFLONK)", protocol.name(), number,
                        kGroth16);
  }
  protocol.expect_end();
}

void check_head(const Head& head, const SectionReader& reader) {
  if (head.publics >= head.wires) {
    throw invalid_input("{}: {} wires, expected more than the {} public ones", reader.name(), head.wires, head.publics);
  }
  if (!std::has_single_bit(head.domain) || head.domain < 2 || head.domain > u32{1} << Domain::kMaxLog2) {
    throw invalid_input("{}: a domain of {}, expected a power of two from 2 to 2^{}", reader.name(), head.domain,
                        Domain::kMaxLog2);
  }
}

Head read_head(const Binfile& file) {
  check_protocol(file);
  Head head;
  SectionReader reader = file.section(2, "header");
  reader.expect_prime(base_prime(), "the prime of the curve");
  reader.expect_prime(r1cs::scalar_prime(), "the prime of the circuit");
  head.wires = reader.take_u32("the number of wires");
  head.publics = reader.take_u32("the number of public wires");
  head.domain = reader.take_u32("the size of the domain");
  check_head(head, reader);
  head.key.alpha_g1 = take_point<G1Affine>(reader, "alpha_g1");
  head.key.beta_g1 = take_point<G1Affine>(reader, "beta_g1");
  head.key.beta_g2 = take_point<G2Affine>(reader, "beta_g2");
  head.key.gamma_g2 = take_point<G2Affine>(reader, "gamma_g2");
  head.key.delta_g1 = take_point<G1Affine>(reader, "delta_g1");
  head.key.delta_g2 = take_point<G2Affine>(reader, "delta_g2");
  reader.expect_end();
  SectionReader ic = file.section(3, "ic");
  ic.expect_rest(u64{head.publics} + 1, kG1Bytes, "points");
  for (u32 i = 0; i <= head.publics; ++i) head.key.ic.push_back(take_point<G1Affine>(ic, fmt::format("ic[{}]", i)));
  check_soundness(head.key, file.source());
  return head;
}

/// What reading of the large sections needs beside them.
struct Work {
  KeyCheck check;
  ThreadPool& pool;
  const Control& control;
};

template <class Affine>
Buffer<Affine> read_points(const SectionReader& section, u64 count, const Work& work) {
  constexpr std::size_t kBytes = 2 * Affine::Field::kBytes;
  section.expect_rest(count, kBytes, "points");
  Buffer<Affine> points(count);
  work.pool.parallel_for(0, points.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    work.control.check("loading of a key");
    for (std::size_t i = begin; i < end; ++i) {
      points[i] = read_point<Affine>(section.rest().subspan(i * kBytes, kBytes), work.check,
                                     [&] { return fmt::format("{}: point {}", section.name(), i); });
    }
  });
  return points;
}

/// The terms of section 4 as they lie there.
class Terms {
 public:
  explicit Terms(SectionReader section) : section_(std::move(section)) {
    count_ = section_.take_u32("the number of terms");
    section_.expect_rest(count_, kTermBytes, "the terms");
  }

  u32 count() const { return count_; }
  u32 matrix(u32 i) const { return number(i, 0); }
  u32 row(u32 i) const { return number(i, 1); }
  u32 wire(u32 i) const { return number(i, 2); }

  /// The file has coefficient * R^2; from_montgomery takes away one R, to_integer another.
  Fr coefficient(u32 i) const {
    const auto scaled = read_limbs<4>(bytes(i).subspan(12));
    if (!less(scaled, Fr::kModulus))
      throw invalid_input("{}: term {}: the coefficient is not below the field's modulus", section_.name(), i);
    return Fr::from_montgomery_unchecked(Fr::from_montgomery_unchecked(scaled).to_integer());
  }

  void check(const Head& head) const {
    for (u32 i = 0; i < count_; ++i) {
      check_below(i, "matrix", matrix(i), 2);
      check_below(i, "row", row(i), head.domain);
      check_below(i, "wire", wire(i), head.wires);
    }
  }

 private:
  std::span<const u8> bytes(u32 i) const { return section_.rest().subspan(std::size_t{i} * kTermBytes, kTermBytes); }
  u32 number(u32 i, std::size_t place) const {
    return static_cast<u32>(read_limbs<1>(bytes(i).subspan(4 * place, 8))[0] & 0xffffffff);
  }
  void check_below(u32 i, std::string_view what, u32 found, u32 limit) const {
    if (found >= limit) {
      throw invalid_input("{}: term {}: {} {}, expected one below {}", section_.name(), i, what, found, limit);
    }
  }

  SectionReader section_;
  u32 count_;
};

/// Sorted by rows, in the file's order within each.
ZkeyMatrix read_matrix(const Terms& terms, u32 matrix, u32 rows) {
  ZkeyMatrix result{Buffer<u32>(std::size_t{rows} + 1), {}};
  std::ranges::fill(result.starts, 0U);
  for (u32 i = 0; i < terms.count(); ++i) {
    if (terms.matrix(i) == matrix) ++result.starts[terms.row(i) + std::size_t{1}];
  }
  for (std::size_t row = 0; row < rows; ++row) result.starts[row + 1] += result.starts[row];
  result.terms = Buffer<ZkeyMatrix::Term>(result.starts[rows]);
  std::vector<u32> next(result.starts.begin(), result.starts.end());
  for (u32 i = 0; i < terms.count(); ++i) {
    if (terms.matrix(i) == matrix) result.terms[next[terms.row(i)]++] = {terms.wire(i), terms.coefficient(i)};
  }
  return result;
}

}  // namespace

Zkey read_zkey(std::span<const u8> bytes, const std::string& source, KeyCheck check, ThreadPool& pool,
               const Control& control) {
  const Binfile file(bytes, kFormat, source);
  Head head = read_head(file);
  const Work work{check, pool, control};
  Zkey key;
  key.wires = head.wires;
  key.publics = head.publics;
  key.log2_domain = static_cast<unsigned>(std::countr_zero(head.domain));
  key.a = read_points<G1Affine>(file.section(5, "a"), head.wires, work);
  key.b_g1 = read_points<G1Affine>(file.section(6, "b_g1"), head.wires, work);
  key.b_g2 = read_points<G2Affine>(file.section(7, "b_g2"), head.wires, work);
  key.l = read_points<G1Affine>(file.section(8, "l"), head.wires - head.publics - 1, work);
  key.h = read_points<G1Affine>(file.section(9, "h"), head.domain, work);
  const Terms terms(file.section(4, "terms of A and B"));
  terms.check(head);
  key.a_rows = read_matrix(terms, 0, head.domain);
  key.b_rows = read_matrix(terms, 1, head.domain);
  key.verifying_key = std::move(head.key);
  return key;
}

Zkey read_zkey(const std::filesystem::path& path, KeyCheck check, ThreadPool& pool, const Control& control) {
  const Span span = control.span("load_key");
  const MappedFile file(path);
  return read_zkey(file.bytes(), path.string(), check, pool, control);
}

VerifyingKey read_zkey_verifying_key(const std::filesystem::path& path) {
  const MappedFile file(path);
  return read_head(Binfile(file.bytes(), kFormat, path.string())).key;
}

}  // namespace cuzk::groth16
