// The iteration z -> z*z + c over a grid of points, which mandelbrot.hpp and julia.hpp share: 32 points a group, each
// group until all its points have left.
//
// Compile without fast-math and without contraction (-ffp-contract=off).
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "nprewrite/blocks.hpp"

namespace nprewrite {

// The points x[column] + i*y[row], row by row; x has `columns` elements, y has `rows`.
template <class Real>
struct Grid {
  const Real* x;
  const Real* y;
  std::int64_t rows;
  std::int64_t columns;
};

// Iterates while |z| < horizon, at most maxiter times. A point that the last iteration of all found inside gets the
// escape time `inside`, any other the last iteration that found it inside, or 0 where none did.
template <class Real>
struct Escape {
  std::int32_t maxiter;
  Real horizon;
  std::int64_t inside;
};

// Neighbouring points. Aligned to cache lines and with integers as wide as the reals, they fill vector registers.
template <class Real>
struct alignas(64) Group {
  static constexpr std::int64_t kLanes = 32;
  using Count = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;

  Real c_re[kLanes], c_im[kLanes], z_re[kLanes], z_im[kLanes];
  Count last[kLanes];
};

// Puts the coordinates of the grid's points from `first` on into re and im. The lanes past the last point repeat it, so
// that a group never waits for lanes that nobody reads.
template <class Real>
void coordinates(const Grid<Real>& grid, std::int64_t first, std::int64_t used, Real* re, Real* im) {
  std::int64_t row = first / grid.columns, column = first % grid.columns;
  for (std::int64_t lane = 0; lane < Group<Real>::kLanes; ++lane) {
    re[lane] = grid.x[column];
    im[lane] = grid.y[row];
    if (lane + 1 >= used) continue;
    if (++column == grid.columns) column = 0, ++row;
  }
}

// Iterations first <= n < end of a group; returns whether the last of them found a point inside.
template <class Real, class Inside>
inline bool advance(Group<Real>& group, std::int32_t first, std::int32_t end, Inside inside) {
  using Count = typename Group<Real>::Count;
  Count live = 1;
  for (std::int32_t iteration = first; iteration < end && live; ++iteration) {
    live = 0;
    for (std::int64_t lane = 0; lane < Group<Real>::kLanes; ++lane) {
      const Real re = group.z_re[lane], im = group.z_im[lane];
      const bool is_inside = inside(re, im);
      live |= is_inside;
      group.last[lane] = is_inside ? static_cast<Count>(iteration) : group.last[lane];
      group.z_re[lane] = is_inside ? re * re - im * im + group.c_re[lane] : re;
      group.z_im[lane] = is_inside ? 2 * re * im + group.c_im[lane] : im;
    }
  }
  return live != 0;
}

template <class Real, class Prepare, class Inside>
bool escape_times_by(const Grid<Real>& grid, Prepare prepare, const Escape<Real>& escape, Inside inside,
                     std::complex<Real>* z, std::int64_t* n, Interruption& interruption) {
  constexpr std::int64_t kLanes = Group<Real>::kLanes;
  constexpr std::int64_t kSlice = 4096;
  const std::int64_t maxiter = escape.maxiter;

  const auto iterate_group = [=, &interruption](std::int64_t first, std::int64_t used) {
    Group<Real> group = {};
    prepare(grid, first, used, group);
    bool live = true;
    for (std::int64_t done = 0; live && done < maxiter; done += kSlice) {
      // Before the first slice the block was asked.
      if (done && interruption.requested()) return;
      const std::int64_t end = std::min(done + kSlice, maxiter);
      live = advance(group, static_cast<std::int32_t>(done), static_cast<std::int32_t>(end), inside);
    }
    for (std::int64_t lane = 0; lane < used; ++lane) {
      z[first + lane] = {group.z_re[lane], group.z_im[lane]};
      n[first + lane] = group.last[lane] == maxiter - 1 ? escape.inside : group.last[lane];
    }
  };
  return for_ranges(grid.rows * grid.columns, 64 * kLanes, interruption, [=](std::int64_t first, std::int64_t end) {
    for (std::int64_t start = first; start < end; start += kLanes)
      iterate_group(start, std::min(kLanes, end - start));
  });
}

// Whether |z| < horizon may be decided as |z|^2 < horizon^2: the square of the horizon neither overflows nor loses
// bits to underflow. Squares of z may do both without harm: they are then far above it, or far below.
template <class Real>
bool squares_decide(Real horizon) {
  using Limits = std::numeric_limits<Real>;
  const Real low = std::ldexp(Real{1}, Limits::min_exponent / 2 + Limits::digits / 2);
  const Real high = std::ldexp(Real{1}, Limits::max_exponent / 2 - 1);
  return low <= horizon && horizon <= high;
}

// Writes the last iterates to z and the escape times to n, row by row; prepare(grid, first, used, group) gives the
// points of a group their start and their constant. Returns false when it was interrupted.
template <class Real, class Prepare>
bool escape_times(const Grid<Real>& grid, Prepare prepare, const Escape<Real>& escape, std::complex<Real>* z,
                  std::int64_t* n, Interruption& interruption) {
  const Real horizon = escape.horizon;
  if (!squares_decide(horizon)) {
    const auto inside = [=](Real re, Real im) { return std::hypot(re, im) < horizon; };
    return escape_times_by(grid, prepare, escape, inside, z, n, interruption);
  }
  const Real limit = horizon * horizon;
  const auto inside = [=](Real re, Real im) { return re * re + im * im < limit; };
  return escape_times_by(grid, prepare, escape, inside, z, n, interruption);
}

}  // namespace nprewrite
