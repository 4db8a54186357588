// The stencils on small lattices, against values worked out by hand.
#include <cmath>
#include <vector>

#include "check.hpp"
#include "nprewrite/jacobi.hpp"
#include "nprewrite/kuramoto.hpp"

namespace {

template <class Real>
using Kernel = bool (*)(const nprewrite::Oscillators<Real>&, bool, Real*, nprewrite::Interruption&);

template <class Real>
std::vector<Real> rate(Kernel<Real> kernel, const std::vector<Real>& theta, std::int64_t rows, Real omega,
                       Real coupling, bool parallel = true) {
  const std::vector<Real> frequencies(theta.size(), omega);
  std::vector<Real> result(theta.size(), -7);
  auto never = nprewrite::never_interrupted();
  const std::int64_t columns = rows ? std::int64_t(theta.size()) / rows : 0;
  const nprewrite::Oscillators<Real> lattice{theta.data(), frequencies.data(), rows, columns, coupling};
  CHECK(kernel(lattice, parallel, result.data(), never));
  return result;
}

template <class Real>
bool close(Real a, Real b) {
  return std::abs(a - b) <= 8 * std::numeric_limits<Real>::epsilon();
}

template <class Real>
void phases_pull() {
  const Kernel<Real> kuramoto = nprewrite::kuramoto<Real>;
  // Equal phases stand still; alone, an oscillator keeps its frequency.
  CHECK(rate<Real>(kuramoto, {2, 2, 2, 2}, 2, 3, 5) == std::vector<Real>(4, 3));
  CHECK(rate<Real>(kuramoto, {2}, 1, 3, 5) == std::vector<Real>{3});
  CHECK(rate<Real>(kuramoto, {}, 0, 3, 5).empty());

  // Four neighbours at distances 0.1 to 0.4 of the centre.
  const auto middle = rate<Real>(kuramoto, {9, Real(.1), 9, Real(.2), 0, Real(.3), 9, Real(.4), 9}, 3, 1, 2)[4];
  CHECK(close(middle, Real(1 + 2 * (std::sin(.1) + std::sin(.2) + std::sin(.3) + std::sin(.4)))));

  // A row and a column of two: each has one neighbour, nothing flows over the edges.
  for (const std::int64_t rows : {1, 2}) {
    const auto pair = rate<Real>(kuramoto, {0, 1}, rows, 0, 2);
    CHECK(close(pair[0], Real(2 * std::sin(1.0))) && close(pair[1], Real(-2 * std::sin(1.0))));
  }
  CHECK(rate<Real>(kuramoto, {0, 1, 2, 5, 3, 4}, 2, 1, 2, false) == rate<Real>(kuramoto, {0, 1, 2, 5, 3, 4}, 2, 1, 2));
}

template <class Real>
void small_angles_diffuse() {
  const Kernel<Real> diffusion = nprewrite::kuramoto_small_angle<Real>;
  CHECK(rate<Real>(diffusion, {0, 4, 1}, 1, 10, 2) == std::vector<Real>{18, -4, 16});
}

template <class Real>
void jacobi() {
  auto never = nprewrite::never_interrupted();
  const std::vector<Real> u{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  std::vector<Real> next(12);
  CHECK(nprewrite::jacobi_step(u.data(), 3, 4, next.data(), never));
  // On a plane every inner value is the mean already; the edges stay.
  CHECK(next == u);
  const std::vector<Real> peak{0, 1, 0, 2, 9, 3, 0, 6, 0};
  std::vector<Real> flat(9);
  CHECK(nprewrite::jacobi_step(peak.data(), 3, 3, flat.data(), never));
  CHECK(flat == std::vector<Real>{0, 1, 0, 2, 3, 3, 0, 6, 0});
  // Two rows have no inside.
  CHECK(nprewrite::jacobi_step(u.data(), 2, 6, next.data(), never) && next == u);
}

// Rows longer than a block are cut, and the cuts must not show.
void long_rows() {
  const std::int64_t columns = 40000;
  std::vector<double> u(3 * columns);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = double(i % 7);
  std::vector<double> next(u.size());
  auto never = nprewrite::never_interrupted();
  CHECK(nprewrite::jacobi_step(u.data(), 3, columns, next.data(), never));
  for (std::int64_t i = columns + 1; i < 2 * columns - 1; ++i)
    CHECK(next[i] == (u[i - columns] + u[i + columns] + u[i - 1] + u[i + 1]) / 4);
  CHECK(next[columns] == u[columns] && next[2 * columns - 1] == u[2 * columns - 1]);
}

}  // namespace

int main() {
  phases_pull<float>(), phases_pull<double>();
  small_angles_diffuse<float>(), small_angles_diffuse<double>();
  jacobi<float>(), jacobi<double>();
  long_rows();
  return failures;
}
