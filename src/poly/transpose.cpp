#include "poly/transpose.h"

#include <algorithm>
#include <vector>

namespace cuzk {
namespace {

/// Elements of a tile's side: 8 of 32 bytes are four cache lines.
constexpr std::size_t kTile = 8;
/// Elements of a row that are moved at a time.
constexpr std::size_t kPiece = 512;

/// Exchanges the tile at (row, column) with the transpose of the one at (column, row).
void exchange_tiles(Fr* square, std::size_t side, std::size_t row, std::size_t column) {
  for (std::size_t i = 0; i < kTile; ++i) {
    const std::size_t begin = row == column ? i + 1 : 0;
    for (std::size_t j = begin; j < kTile; ++j) {
      std::swap(square[(row + i) * side + column + j], square[(column + j) * side + row + i]);
    }
  }
}

void transpose_square(std::span<Fr> square, std::size_t side, ThreadPool& pool) {
  const std::size_t tiles = side / kTile;
  // Row i of tiles has tiles - i of them: the pair of rows (i, last - i) is an even share.
  const auto tile_row = [&](std::size_t i) {
    for (std::size_t j = i; j < tiles; ++j) exchange_tiles(square.data(), side, i * kTile, j * kTile);
  };
  pool.parallel_for(0, (tiles + 1) / 2, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      pool.check_stop();
      tile_row(i);
      if (tiles - 1 - i != i) tile_row(tiles - 1 - i);
    }
  });
}

/// Moves row r of the lower half to row 2 r and row r of the upper half to row 2 r + 1, for the elements
/// [begin, end) of every row: along the cycles of that permutation.
void interleave_halves(std::span<Fr> matrix, std::size_t rows, std::size_t begin, std::size_t end) {
  const std::size_t width = matrix.size() / rows;
  const auto target = [&](std::size_t row) { return row < rows / 2 ? 2 * row : 2 * row - rows + 1; };
  std::vector<bool> moved(rows);
  std::vector<Fr> carried(end - begin);
  for (std::size_t start = 0; start < rows; ++start) {
    if (moved[start]) continue;
    std::copy_n(&matrix[start * width + begin], carried.size(), carried.begin());
    for (std::size_t row = start; !moved[row]; row = target(row)) {
      std::swap_ranges(carried.begin(), carried.end(),
                       matrix.begin() + static_cast<std::ptrdiff_t>(target(row) * width + begin));
      moved[row] = true;
    }
  }
}

}  // namespace

void transpose(std::span<Fr> matrix, std::size_t rows, ThreadPool& pool) {
  const std::size_t columns = matrix.size() / rows;
  if (rows == columns) return transpose_square(matrix, rows, pool);
  transpose_square(matrix.first(matrix.size() / 2), columns, pool);
  transpose_square(matrix.last(matrix.size() / 2), columns, pool);
  const std::size_t piece = std::min(kPiece, columns);
  pool.parallel_for(0, columns / piece, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      pool.check_stop();
      interleave_halves(matrix, rows, i * piece, (i + 1) * piece);
    }
  });
}

}  // namespace cuzk
