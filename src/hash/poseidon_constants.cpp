#include "hash/poseidon_constants.h"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>

#include "base/error.h"
#include "field/batch_inverse.h"
#include "hash/grain.h"

namespace cuzk {

namespace {

constexpr std::size_t kHalf = kPoseidonFullRounds / 2;

/// The fewest partial rounds that the paper's conditions allow with 8 full rounds, 128 bits of security and its margin,
/// for widths to 37.
std::size_t partial_rounds_of(std::size_t width) {
  struct Step {
    std::size_t width, rounds;
  };
  constexpr std::array<Step, 5> steps{{{3, 55}, {7, 56}, {15, 57}, {31, 59}, {37, 60}}};
  const auto step = std::ranges::find_if(steps, [&](const Step& s) { return width <= s.width; });
  return step->rounds;
}

std::size_t checked_arity(std::size_t arity) {
  if (arity == 0 || arity > kPoseidonMaxArity)
    throw invalid_input("Poseidon: arity {}, expected 1 to {}", arity, kPoseidonMaxArity);
  return arity;
}

std::vector<Fr> derive_round_constants(std::size_t width, std::size_t partial_rounds) {
  Grain grain(width, kPoseidonFullRounds, partial_rounds);
  std::vector<Fr> constants(width * (kPoseidonFullRounds + partial_rounds));
  std::ranges::generate(constants, [&] { return grain.next(); });
  return constants;
}

PoseidonMatrix derive_mds(std::size_t width) {
  std::vector<Fr> inverses(2 * width);  // of width + k; two more than needed
  for (std::size_t k = 0; k < inverses.size(); ++k) inverses[k] = Fr::from_u64(width + k);
  batch_invert(std::span(inverses));
  PoseidonMatrix mds(width);
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t j = 0; j < width; ++j) mds.at(i, j) = inverses[i + j];
  return mds;
}

PoseidonMatrix identity(std::size_t width) {
  PoseidonMatrix result(width);
  for (std::size_t i = 0; i < width; ++i) result.at(i, i) = Fr::one();
  return result;
}

void scale_row(PoseidonMatrix& m, std::size_t row, const Fr& factor) {
  for (std::size_t j = 0; j < m.width; ++j) m.at(row, j) *= factor;
}

void subtract_row(PoseidonMatrix& m, std::size_t row, std::size_t from, const Fr& factor) {
  for (std::size_t j = 0; j < m.width; ++j) m.at(row, j) -= factor * m.at(from, j);
}

/// By Gauss and Jordan. All leading minors of a Cauchy matrix differ from zero, so no pivot is searched.
PoseidonMatrix inverse(PoseidonMatrix m) {
  PoseidonMatrix result = identity(m.width);
  for (std::size_t pivot = 0; pivot < m.width; ++pivot) {
    const Fr factor = m.at(pivot, pivot).inverse();
    scale_row(m, pivot, factor);
    scale_row(result, pivot, factor);
    for (std::size_t row = 0; row < m.width; ++row) {
      if (row == pivot) continue;
      const Fr multiple = m.at(row, pivot);
      subtract_row(m, row, pivot, multiple);
      subtract_row(result, row, pivot, multiple);
    }
  }
  return result;
}

PoseidonMatrix operator*(const PoseidonMatrix& x, const PoseidonMatrix& y) {
  PoseidonMatrix product(x.width);
  for (std::size_t i = 0; i < x.width; ++i)
    for (std::size_t k = 0; k < x.width; ++k)
      for (std::size_t j = 0; j < x.width; ++j) product.at(i, j) += x.at(i, k) * y.at(k, j);
  return product;
}

PoseidonMatrix power(const PoseidonMatrix& base, std::size_t exponent) {
  PoseidonMatrix result = identity(base.width), square = base;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = result * square;
    if (exponent > 1) square = square * square;
  }
  return result;
}

std::vector<Fr> column_product(const PoseidonMatrix& m, std::span<const Fr> column) {
  std::vector<Fr> result(m.width, Fr::zero());
  for (std::size_t i = 0; i < m.width; ++i)
    for (std::size_t j = 0; j < m.width; ++j) result[i] += m.at(i, j) * column[j];
  return result;
}

std::vector<Fr> row_product(std::span<const Fr> row, const PoseidonMatrix& m) {
  std::vector<Fr> result(m.width, Fr::zero());
  for (std::size_t i = 0; i < m.width; ++i)
    for (std::size_t j = 0; j < m.width; ++j) result[j] += row[i] * m.at(i, j);
  return result;
}

/// Without the first row and the first column.
PoseidonMatrix lower_right(const PoseidonMatrix& m) {
  PoseidonMatrix result(m.width - 1);
  for (std::size_t i = 1; i < m.width; ++i)
    for (std::size_t j = 1; j < m.width; ++j) result.at(i - 1, j - 1) = m.at(i, j);
  return result;
}

std::vector<Fr> first_row_rest(const PoseidonMatrix& m) {
  return {m.items.begin() + 1, m.items.begin() + static_cast<std::ptrdiff_t>(m.width)};
}

std::vector<Fr> first_column_rest(const PoseidonMatrix& m) {
  std::vector<Fr> result(m.width - 1);
  for (std::size_t i = 1; i < m.width; ++i) result[i - 1] = m.at(i, 0);
  return result;
}

/// With M = [[c, v], [w, H]], a product of n + 1 times M is M * diag(1, H^n) followed by n sparse factors, the k-th
/// from the end [[c, v H^(k-1)], [H^-k w, 1]]: the blocks diag(1, H^k) commute with the S-box of element 0.
void factor(PoseidonConstants& c) {
  const Fr corner = c.mds.at(0, 0);
  const PoseidonMatrix block = lower_right(c.mds), block_inverse = inverse(block);
  std::vector<Fr> row = first_row_rest(c.mds);
  std::vector<Fr> column = first_column_rest(c.mds);
  for (std::size_t k = 0; k < c.partial_rounds; ++k) {
    column = column_product(block_inverse, column);
    PoseidonSparse sparse{{corner}, row};
    sparse.column.insert(sparse.column.end(), column.begin(), column.end());
    c.sparse.push_back(std::move(sparse));
    row = row_product(row, block);
  }
  std::ranges::reverse(c.sparse);

  c.pre_sparse = c.mds;
  const PoseidonMatrix lower = power(block, c.partial_rounds + 1);
  for (std::size_t j = 1; j < c.width; ++j) {
    c.pre_sparse.at(0, j) = row[j - 1];
    for (std::size_t i = 1; i < c.width; ++i) c.pre_sparse.at(i, j) = lower.at(i - 1, j - 1);
  }
}

std::vector<Fr> sum(std::vector<Fr> x, std::span<const Fr> y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += y[i];
  return x;
}

/// Round constants behind the S-boxes: a key before a round is its product with M^-1 before the previous product. In
/// the partial rounds all of a key but its element 0 passes the S-box too, back to the last full round of the first
/// half.
std::vector<Fr> compress(const PoseidonConstants& c) {
  const PoseidonMatrix mds_inverse = inverse(c.mds);
  const auto key = [&](std::size_t round) { return std::span(c.round_constants).subspan(round * c.width, c.width); };
  const auto moved = [&](std::span<const Fr> keys) { return column_product(mds_inverse, keys); };
  const auto append = [](std::vector<Fr>& list, const std::vector<Fr>& items) {
    list.insert(list.end(), items.begin(), items.end());
  };

  std::vector<Fr> partial_keys(c.partial_rounds);
  const std::size_t behind = kHalf + c.partial_rounds;  // the first full round of the second half
  std::vector<Fr> carried(key(behind).begin(), key(behind).end());
  for (std::size_t k = c.partial_rounds; k-- > 0;) {
    carried = moved(carried);
    partial_keys[k] = carried[0];
    carried[0] = Fr::zero();
    carried = sum(std::move(carried), key(kHalf + k));
  }

  std::vector<Fr> result(key(0).begin(), key(0).end());
  for (std::size_t round = 1; round < kHalf; ++round) append(result, moved(key(round)));
  append(result, moved(carried));
  append(result, partial_keys);
  for (std::size_t round = 1; round < kHalf; ++round) append(result, moved(key(behind + round)));
  return result;
}

}  // namespace

PoseidonConstants::PoseidonConstants(std::size_t inputs)
    : arity(checked_arity(inputs)),
      width(arity + 1),
      partial_rounds(partial_rounds_of(width)),
      mds(derive_mds(width)),
      round_constants(derive_round_constants(width, partial_rounds)),
      compressed(compress(*this)),
      pre_sparse(width) {
  factor(*this);
}

const PoseidonConstants& PoseidonConstants::of_arity(std::size_t arity) {
  struct Slot {
    std::once_flag once;
    std::unique_ptr<const PoseidonConstants> constants;
  };
  static std::array<Slot, kPoseidonMaxArity + 1> slots;
  Slot& slot = slots[checked_arity(arity)];
  std::call_once(slot.once, [&] { slot.constants = std::make_unique<const PoseidonConstants>(arity); });
  return *slot.constants;
}

Fr poseidon_merkle_tag(std::size_t arity) { return Fr::from_u64((u64{1} << arity) - 1); }

Fr poseidon_randomness_tag() { return Fr::from_u64(u64{1} << 40); }

}  // namespace cuzk
