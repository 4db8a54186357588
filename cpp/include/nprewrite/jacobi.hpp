// One step of Jacobi's iteration for Laplace's equation on a square lattice: every inner value becomes the mean of its
// four neighbours, the values at the edges stay.
//
// Source: C. G. J. Jacobi's method as in Y. Saad, "Iterative Methods for Sparse Linear Systems", chapter 4, for the
// five-point Laplacian.
#pragma once

#include <cstdint>

#include "nprewrite/blocks.hpp"

namespace nprewrite {

// Reads u and writes next, row by row; they do not overlap. The neighbours are added in the order above, below, left,
// right, and a quarter of the sum is exact above the subnormal numbers. Returns false when it was interrupted.
template <class Real>
bool jacobi_step(const Real* u, std::int64_t rows, std::int64_t columns, Real* next, Interruption& interruption) {
  return for_row_pieces(rows, columns, interruption, [=](std::int64_t row, std::int64_t first, std::int64_t end) {
    const bool edge = row == 0 || row + 1 == rows;
    for (std::int64_t column = first; column < end; ++column) {
      const std::int64_t i = row * columns + column;
      const bool fixed = edge || column == 0 || column + 1 == columns;
      next[i] = fixed ? u[i] : (u[i - columns] + u[i + columns] + u[i - 1] + u[i + 1]) / 4;
    }
  });
}

}  // namespace nprewrite
