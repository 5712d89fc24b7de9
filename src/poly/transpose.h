/// Transposition in place of the matrices that transforms work on.
#pragma once

#include <span>

#include "base/thread_pool.h"
#include "field/fr.h"

namespace cuzk {

/// Replaces a matrix of `rows` rows, stored row by row, by its transpose, row by row. There are as many rows as columns
/// or twice as many, both powers of two and at least 8.
void transpose(std::span<Fr> matrix, std::size_t rows, ThreadPool& pool);

}  // namespace cuzk
