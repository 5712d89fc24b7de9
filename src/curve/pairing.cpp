#include "curve/pairing.h"

#include "curve/subgroup.h"

namespace cuzk {
namespace {

using Line = G2Prepared::Line;

/// Calls `doubling` for each bit of |x| below the first, and `addition` after it where the bit is set.
template <class Doubling, class Addition>
void for_each_bit_of_x(Doubling doubling, Addition addition) {
  for (int i = 62; i >= 0; --i) {
    doubling();
    if (((kCurveX >> i) & 1) != 0) addition();
  }
}

/// The tangent at t; t is doubled.
Line tangent(G2& t) {
  const Fp2 z_square = t.z.squared(), x_square = t.x.squared();
  const Fp2 numerator = x_square.doubled() + x_square;
  const Fp2 constant = numerator * t.x - t.y.squared().doubled();
  t = t.doubled();
  return {constant, -(numerator * z_square), t.z * z_square};
}

/// The line through t and q; t becomes their sum. They are neither equal nor opposite.
Line chord(G2& t, const G2Affine& q) {
  const Fp2 z_square = t.z.squared();
  const Fp2 dy = (q.y * (z_square * t.z) - t.y).doubled();
  t += q;
  return {dy * q.x - t.z * q.y, -dy, t.z};
}

/// f^x for the curve's x, which is negative; f is in the cyclotomic subgroup.
Fp12 to_the_x(const Fp12& f) {
  Fp12 power = f;
  for_each_bit_of_x([&] { power = power.cyclotomic_squared(); }, [&] { power *= f; });
  return power.conjugate();
}
Fp12 to_the_x_minus_one(const Fp12& f) { return to_the_x(f) * f.conjugate(); }

}  // namespace

G2Prepared::G2Prepared(const G2Affine& q) : infinity_(q.is_infinity()) {
  if (infinity_) return;
  G2 t = q;
  std::size_t next = 0;
  for_each_bit_of_x([&] { lines_[next++] = tangent(t); }, [&] { lines_[next++] = chord(t, q); });
}

Fp12 miller_loop(std::span<const PairingTerm> terms) {
  Fp12 f = Fp12::one();
  std::size_t next = 0;
  const auto multiply_by_lines = [&] {
    for (const PairingTerm& term : terms) {
      if (term.p.is_infinity() || term.q->is_infinity()) continue;
      const Line& line = term.q->line(next);
      f = f.times_line(line.constant, line.slope * term.p.x, line.scale * term.p.y);
    }
    ++next;
  };
  for_each_bit_of_x(
      [&] {
        f = f.squared();
        multiply_by_lines();
      },
      multiply_by_lines);
  return f.conjugate();  // x is negative
}

/// Source of the hard part: Hayashida, Hayasaka, Teruya, "Efficient final exponentiation via cyclotomic structure for
/// pairings over families of elliptic curves" (2020): 3 (p^4 - p^2 + 1) / r = (x - 1)^2 (x + p) (x^2 + p^2 - 1) + 3.
Gt final_exponentiation(const Fp12& f) {
  const Fp12 ratio = f.conjugate() * f.inverse();  // f^(p^6 - 1)
  const Fp12 easy = ratio.frobenius(2) * ratio;    // ^(p^2 + 1)
  const Fp12 a = to_the_x_minus_one(to_the_x_minus_one(easy));
  const Fp12 b = to_the_x(a) * a.frobenius(1);
  const Fp12 c = to_the_x(to_the_x(b)) * b.frobenius(2) * b.conjugate();
  return c * easy.cyclotomic_squared() * easy;
}

Gt pairing(const G1Affine& p, const G2Affine& q) {
  const G2Prepared prepared(q);
  const PairingTerm term{p, &prepared};
  return final_exponentiation(miller_loop(std::span(&term, 1)));
}

}  // namespace cuzk
