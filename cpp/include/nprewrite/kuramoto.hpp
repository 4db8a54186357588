// The Kuramoto model on a lattice: the rate of change of the phase of oscillators that pull at their four neighbours,
//
//     d theta / dt = omega + K * sum over neighbours of sin(theta_neighbour - theta),
//
// with zero flux over the edges, where a neighbour is missing. Source: A. Srinivasan, "Build You a NumPy: From
// Dot-Products to Machine Code" (2022).
#pragma once

#include <cmath>
#include <cstdint>

#include "nprewrite/blocks.hpp"

namespace nprewrite {

// Phases and intrinsic frequencies are matrices, row by row; the spacing of the lattice is 1.
template <class Real>
struct Oscillators {
  const Real* theta;
  const Real* omega;
  std::int64_t rows;
  std::int64_t columns;
  Real coupling;
};

// Writes omega + K * sum of flux(difference) to rate. The neighbours come in the order of the NumPy program: right,
// left, below, above. Returns false when it was interrupted.
template <class Real, class Flux>
bool lattice_rate(const Oscillators<Real>& lattice, Flux flux, bool parallel, Real* rate, Interruption& interruption) {
  const auto cells = [=](std::int64_t row, std::int64_t first, std::int64_t end) {
    const auto& [theta, omega, rows, columns, coupling] = lattice;
    for (std::int64_t column = first; column < end; ++column) {
      const std::int64_t i = row * columns + column;
      Real sum = omega[i];
      if (column + 1 < columns) sum += coupling * flux(theta[i + 1] - theta[i]);
      if (column > 0) sum += coupling * flux(theta[i - 1] - theta[i]);
      if (row + 1 < rows) sum += coupling * flux(theta[i + columns] - theta[i]);
      if (row > 0) sum += coupling * flux(theta[i - columns] - theta[i]);
      rate[i] = sum;
    }
  };
  return for_row_pieces(lattice.rows, lattice.columns, interruption, cells, parallel);
}

// The right-hand side of the model, on all threads or on one.
template <class Real>
bool kuramoto(const Oscillators<Real>& lattice, bool parallel, Real* rate, Interruption& interruption) {
  return lattice_rate(lattice, [](Real x) { return std::sin(x); }, parallel, rate, interruption);
}

// An approximation, good for small differences of phase only: sin(x) replaced by x, which makes the model linear
// diffusion. Its error is about K |x|^3 / 6 for each neighbour at a difference of x.
template <class Real>
bool kuramoto_small_angle(const Oscillators<Real>& lattice, bool parallel, Real* rate, Interruption& interruption) {
  return lattice_rate(lattice, [](Real x) { return x; }, parallel, rate, interruption);
}

}  // namespace nprewrite
