// The Mandelbrot set: z -> z*z + c from z = 0, for every point c of a grid.
//
// The program is that of N. P. Rougier, "From Python to Numpy", chapter 4.3, as the tutorial that takes it through
// torch.compile has it (steps_to_compile_mandelbrot, 2023).
#pragma once

#include "nprewrite/quadratic_map.hpp"

namespace nprewrite {

// Writes rows*columns last iterates to z and escape times to n, row by row. An escape time is the last iteration that
// found |z| < horizon; 0 where none did, or where the last of all maxiter iterations still did.
// Returns false when it was interrupted.
template <class Real>
bool mandelbrot(const Grid<Real>& grid, std::int32_t maxiter, Real horizon, std::complex<Real>* z, std::int64_t* n,
                Interruption& interruption) {
  const auto prepare = [](const Grid<Real>& points, std::int64_t first, std::int64_t used, Group<Real>& group) {
    coordinates(points, first, used, group.c_re, group.c_im);
  };
  return escape_times(grid, prepare, Escape<Real>{maxiter, horizon, 0}, z, n, interruption);
}

}  // namespace nprewrite
