/// The four-step transform over a kind of lanes: eight transforms of sqrt(n) values side by side, in a thread's cache.
///
/// The n = rows * columns values form a matrix, row by row. (1) Each column is transformed; (2) element (k, j) is
/// multiplied by root^(j k); (3) each row is transformed; (4) the matrix is transposed. Powers of `pre` and `post` and
/// the scale ride on the factors of these steps.
///
/// Lanes: load, store, canonical, carried, +, minus<2> (x - y + 2 m or equal), * with a Factor or with factors().
#pragma once

#include <algorithm>
#include <vector>

#include "base/buffer.h"
#include "poly/transform.h"

namespace cuzk {

template <class Lanes>
class FourStep {
 public:
  FourStep(std::span<Fr> values, const Transform& transform, ThreadPool& pool)
      : values_(values),
        transform_(transform),
        pool_(pool),
        log2_columns_(transform.log2_size / 2),
        columns_(std::size_t{1} << log2_columns_),
        rows_(values.size() / columns_),
        twiddles_(make_twiddles()) {}

  void run() {
    row_factors_ = powers(transform_.pre.pow(u64{columns_}), rows_);
    pool_.parallel_for(0, columns_ / kLanes, 1, [&](auto begin, auto end) { transform_columns(begin, end); });
    row_factors_ = powers(transform_.post.pow(u64{rows_}), columns_);
    pool_.parallel_for(0, rows_ / kLanes, 1, [&](auto begin, auto end) { transform_rows(begin, end); });
  }

 private:
  using Factor = typename Lanes::Factor;
  static constexpr std::size_t kLanes = Lanes::kLanes;

  /// root^(n / 2 brv(i)): with these in bit-reversed order, each block of a level has one factor, and the table of a
  /// smaller transform is the start of a larger one's.
  std::vector<Factor> make_twiddles() const {
    std::vector<Fr> table(rows_ / 2, Fr::one());
    for (std::size_t have = 1; have < table.size(); have *= 2) {
      const Fr factor = transform_.root.pow(u64{values_.size() / (4 * have)});
      for (std::size_t i = 0; i < have; ++i) table[have + i] = table[i] * factor;
    }
    return to_factors(table);
  }

  static std::vector<Factor> to_factors(const std::vector<Fr>& elements) {
    std::vector<Factor> factors(elements.size());
    std::transform(elements.begin(), elements.end(), factors.begin(), [](const Fr& x) { return Factor::from(x); });
    return factors;
  }

  /// 1, base, base^2 ...; none if base is one, which saves the multiplications.
  static std::vector<Factor> powers(const Fr& base, std::size_t count) {
    if (base.is_one()) return {};
    std::vector<Fr> elements(count, Fr::one());
    for (std::size_t i = 1; i < count; ++i) elements[i] = elements[i - 1] * base;
    return to_factors(elements);
  }

  /// Blocks of kLanes neighbouring columns.
  void transform_columns(std::size_t first_block, std::size_t end_block) {
    Buffer<Lanes> column(rows_);
    for (std::size_t block = first_block; block < end_block; ++block) {
      pool_.check_stop();
      Fr* const top = values_.data() + block * kLanes;
      for (std::size_t row = 0; row < rows_; ++row) column[row] = scaled(Lanes::load(top + row * columns_, 1), row);
      to_bit_reversed(column.span());
      store_columns(column.span(), top, block * kLanes);
    }
  }

  /// Element (k, j) takes scale pre^j (root^j post)^k on its way back.
  void store_columns(std::span<const Lanes> column, Fr* top, std::size_t first_column) const {
    Fr start[kLanes], ratio[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const u64 j = first_column + lane;
      start[lane] = transform_.scale * transform_.pre.pow(j);
      ratio[lane] = transform_.root.pow(j) * transform_.post;
    }
    Lanes factor = Lanes::factors(start);
    const Lanes step = Lanes::factors(ratio);
    const unsigned log2_rows = transform_.log2_size - log2_columns_;
    for (std::size_t row = 0; row < rows_; ++row) {
      const Lanes value = column[bit_reversed(row, log2_rows)].carried() * factor;
      value.canonical().store(top + row * columns_, 1);
      factor = (factor * step).carried();
    }
  }

  /// Blocks of kLanes neighbouring rows.
  void transform_rows(std::size_t first_block, std::size_t end_block) {
    Buffer<Lanes> row(columns_);
    for (std::size_t block = first_block; block < end_block; ++block) {
      pool_.check_stop();
      Fr* const first = values_.data() + block * kLanes * columns_;
      for (std::size_t column = 0; column < columns_; ++column) row[column] = Lanes::load(first + column, columns_);
      to_bit_reversed(row.span());
      for (std::size_t column = 0; column < columns_; ++column) {
        const Lanes value = scaled(row[bit_reversed(column, log2_columns_)].carried(), column);
        value.canonical().store(first + column, columns_);
      }
    }
  }

  Lanes scaled(const Lanes& value, std::size_t i) const {
    return row_factors_.empty() ? value : (value * row_factors_[i]).carried();
  }

  /// Natural order to bit-reversed order. A level adds at most 2 m to a value that starts below 2 m.
  void to_bit_reversed(std::span<Lanes> values) const {
    for (std::size_t blocks = 1, half = values.size() / 2; half != 0; blocks *= 2, half /= 2) {
      for (std::size_t block = 0; block < blocks; ++block) {
        butterflies(values.data() + 2 * half * block, half, twiddles_[block]);
      }
    }
  }

  static void butterflies(Lanes* values, std::size_t half, const Factor& factor) {
    for (std::size_t j = 0; j < half; ++j) {
      const Lanes upper = values[j], lower = values[j + half].carried() * factor;
      values[j] = upper + lower;
      values[j + half] = upper.template minus<2>(lower);
    }
  }

  static std::size_t bit_reversed(std::size_t i, unsigned bits) {
    std::size_t result = 0;
    for (unsigned b = 0; b < bits; ++b) result |= (i >> b & 1) << (bits - 1 - b);
    return result;
  }

  std::span<Fr> values_;
  const Transform& transform_;
  ThreadPool& pool_;
  unsigned log2_columns_;
  std::size_t columns_, rows_;
  std::vector<Factor> twiddles_;
  std::vector<Factor> row_factors_;
};

}  // namespace cuzk
