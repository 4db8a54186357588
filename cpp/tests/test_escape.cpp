// The Mandelbrot and Julia kernels on points whose orbits are known.
#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "nprewrite/julia.hpp"
#include "nprewrite/mandelbrot.hpp"

namespace {

template <class Real>
struct Orbits {
  std::vector<std::complex<Real>> z;
  std::vector<std::int64_t> n;

  explicit Orbits(std::size_t points) : z(points), n(points, -7) {}
};

template <class Real>
Orbits<Real> mandelbrot(const std::vector<Real>& x, const std::vector<Real>& y, int maxiter, Real horizon) {
  Orbits<Real> result(x.size() * y.size());
  auto never = nprewrite::never_interrupted();
  const nprewrite::Grid<Real> grid{x.data(), y.data(), std::int64_t(y.size()), std::int64_t(x.size())};
  CHECK(nprewrite::mandelbrot(grid, maxiter, horizon, result.z.data(), result.n.data(), never));
  return result;
}

template <class Real>
Orbits<Real> julia(const std::vector<Real>& x, std::complex<Real> c, int maxiter, Real horizon) {
  Orbits<Real> result(x.size());
  const std::vector<Real> y{0};
  auto never = nprewrite::never_interrupted();
  const nprewrite::Grid<Real> grid{x.data(), y.data(), 1, std::int64_t(x.size())};
  CHECK(nprewrite::julia(grid, c, maxiter, horizon, result.z.data(), result.n.data(), never));
  return result;
}

template <class Real>
void known_orbits() {
  // c = 1: 0, 1, 2, 5, 26: with horizon 4, 0 to 2 are inside and 5 is what the orbit stops at.
  // c = 0 and c = -1 (0, -1, 0, -1 ...) never leave; c = 4 leaves at once.
  const auto set = mandelbrot<Real>({1, 0, -1, 4}, {0}, 9, 4);
  CHECK(set.n == std::vector<std::int64_t>{2, 0, 0, 0});
  CHECK(set.z[0] == std::complex<Real>(5));
  CHECK(set.z[1] == std::complex<Real>(0));
  CHECK(set.z[2] == std::complex<Real>(-1));
  CHECK(set.z[3] == std::complex<Real>(4));

  // c = 2i: 0, 2i, -4 + 2i.
  CHECK(mandelbrot<Real>({0}, {2}, 2, 4).z[0] == std::complex<Real>(-4, 2));
  // Row by row: the first row is y[0].
  CHECK(mandelbrot<Real>({0, 1}, {0, 2, 3}, 1, 4).z[3] == std::complex<Real>(1, 2));
  // c = 3 leaves after iteration 1, the last of two: that counts as never.
  CHECK(mandelbrot<Real>({3}, {0}, 2, 5).n[0] == 0);
  CHECK(mandelbrot<Real>({3}, {0}, 3, 5).n[0] == 1);

  // From 2 with c = 0: 2, 4, 16, 256; from 1 never leaves, and keeps maxiter - 1; from 300 outside from the start.
  const auto filled = julia<Real>({2, 1, 300}, 0, 5, 17);
  CHECK(filled.n == std::vector<std::int64_t>{2, 4, 0});
  CHECK(filled.z[0] == std::complex<Real>(256));
  CHECK(filled.z[2] == std::complex<Real>(300));
}

template <class Real>
void no_points_and_no_iterations() {
  CHECK(mandelbrot<Real>({}, {1, 2}, 5, 2).n.empty());
  CHECK(mandelbrot<Real>({1, 2}, {}, 5, 2).n.empty());
  const auto none = mandelbrot<Real>({1}, {1}, 0, 2);
  CHECK(none.n[0] == 0 && none.z[0] == std::complex<Real>(0));
  CHECK(julia<Real>({3}, 1, 0, 2).z[0] == std::complex<Real>(3));
}

// Horizons whose squares overflow, underflow or lose the sign.
template <class Real>
void extreme_horizons() {
  using Limits = std::numeric_limits<Real>;
  const Real large = Limits::max() / 4, small = 4 * Limits::min();
  CHECK(julia<Real>({large / 2, large * 2}, 0, 1, large).n == std::vector<std::int64_t>{0, 0});
  CHECK(julia<Real>({large / 2, large * 2}, 7, 1, large).z[1] == std::complex<Real>(large * 2));
  CHECK(julia<Real>({large / 2}, 7, 1, large).z[0] != std::complex<Real>(large / 2));
  CHECK(julia<Real>({small / 2, small * 2}, 7, 1, small).z[0] == std::complex<Real>(7));
  CHECK(julia<Real>({small / 2, small * 2}, 7, 1, small).z[1] == std::complex<Real>(small * 2));
  for (const Real horizon : {Real(0), Real(-2), Limits::quiet_NaN(), -Limits::infinity()})
    CHECK(julia<Real>({0, 1}, 7, 3, horizon).z[1] == std::complex<Real>(1));
  CHECK(julia<Real>({1}, 7, 1, Limits::infinity()).z[0] == std::complex<Real>(8));
  CHECK(std::isnan(julia<Real>({Limits::quiet_NaN()}, 7, 3, 2).z[0].real()));
}

// More points than a block, and more iterations than a slice.
template <class Real>
void many() {
  const std::vector<Real> x(5000, Real(0.25)), y{0};
  const auto result = mandelbrot<Real>(x, y, 10000, 2);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(result.n[i] == 0 && result.z[i] == result.z[0]);
  CHECK(std::abs(result.z[0].real() - Real(0.5)) < Real(1e-3));
}

}  // namespace

int main() {
  known_orbits<float>(), known_orbits<double>();
  no_points_and_no_iterations<float>(), no_points_and_no_iterations<double>();
  extreme_horizons<float>(), extreme_horizons<double>();
  many<float>(), many<double>();
  return failures;
}
