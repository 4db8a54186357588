// A filled Julia set: z -> z*z + c with one c, from every point z of a grid.
//
// The iteration is that of mandelbrot.hpp with the parts of z and c exchanged.
#pragma once

#include "nprewrite/quadratic_map.hpp"

namespace nprewrite {

// Writes rows*columns last iterates to z and escape times to n, row by row. An escape time is the last iteration that
// found |z| < horizon, or 0 where none did; points that never leave have maxiter - 1.
// Returns false when it was interrupted.
template <class Real>
bool julia(const Grid<Real>& grid, std::complex<Real> c, std::int32_t maxiter, Real horizon, std::complex<Real>* z,
           std::int64_t* n, Interruption& interruption) {
  const auto prepare = [c](const Grid<Real>& points, std::int64_t first, std::int64_t used, Group<Real>& group) {
    coordinates(points, first, used, group.z_re, group.z_im);
    std::fill_n(group.c_re, Group<Real>::kLanes, c.real());
    std::fill_n(group.c_im, Group<Real>::kLanes, c.imag());
  };
  const std::int64_t inside = std::int64_t{maxiter} - 1;
  return escape_times(grid, prepare, Escape<Real>{maxiter, horizon, inside}, z, n, interruption);
}

}  // namespace nprewrite
