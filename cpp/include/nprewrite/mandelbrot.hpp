// The Mandelbrot iteration of examples/mandelbrot.py, written by hand: 32 points a group, early exit, OpenMP.
//
// Compile without fast-math and without contraction (-ffp-contract=off). Nothing here knows Python.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>

namespace nprewrite {

// Iterates z = z*z + c from 0 for every point c = x[column] + i*y[row] while |z| < horizon, at most maxiter times.
//
// x has `columns` elements, y has `rows`; z and n have rows*columns, row by row, and are overwritten: z with the last
// iterate, n with the last iteration that found |z| < horizon, or 0 where that is the last iteration of all. The
// comparison is made on squares, so 0 <= horizon < 2**63 for float keeps it inside the range.
template <class Real>
void mandelbrot(const Real* x, const Real* y, std::int64_t rows, std::int64_t columns, std::int32_t maxiter,
                Real horizon, std::complex<Real>* z, std::int64_t* n) {
  constexpr std::int64_t kLanes = 32;
  const std::int64_t points = rows * columns;
  const std::int64_t groups = (points + kLanes - 1) / kLanes;
  const Real limit = horizon * horizon;

#pragma omp parallel for schedule(dynamic, 64)
  for (std::int64_t group = 0; group < groups; ++group) {
    const std::int64_t first = group * kLanes;
    const std::int64_t used = std::min(kLanes, points - first);
    Real c_re[kLanes], c_im[kLanes], z_re[kLanes] = {}, z_im[kLanes] = {};
    std::int32_t last[kLanes] = {};
    std::int64_t row = first / columns, column = first % columns;
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
      c_re[lane] = x[column];
      c_im[lane] = y[row];
      // The lanes past the last point repeat it, so that a group never waits for lanes nobody reads.
      if (lane + 1 >= used) continue;
      if (++column == columns) column = 0, ++row;
    }

    for (std::int32_t iteration = 0; iteration < maxiter; ++iteration) {
      std::int32_t live = 0;
      for (std::int64_t lane = 0; lane < kLanes; ++lane) {
        const Real re = z_re[lane], im = z_im[lane];
        const bool inside = re * re + im * im < limit;
        live |= inside;
        last[lane] = inside ? iteration : last[lane];
        z_re[lane] = inside ? re * re - im * im + c_re[lane] : re;
        z_im[lane] = inside ? 2 * re * im + c_im[lane] : im;
      }
      if (!live) break;
    }

    for (std::int64_t lane = 0; lane < used; ++lane) {
      z[first + lane] = {z_re[lane], z_im[lane]};
      n[first + lane] = last[lane] == maxiter - 1 ? 0 : last[lane];
    }
  }
}

}  // namespace nprewrite
