#include <limits>

#include "arguments.hpp"
#include "module.hpp"
#include "nprewrite/julia.hpp"
#include "nprewrite/mandelbrot.hpp"
#include "run.hpp"

namespace nprewrite::python {

namespace {

constexpr std::int64_t kMostIterations = std::numeric_limits<std::int32_t>::max();

// The axes of a grid, and the arrays for what is found at its points.
template <class Real>
struct Orbits {
  Grid<Real> grid;
  py::array_t<std::complex<Real>> z;
  py::array_t<std::int64_t> n;

  Orbits(const py::array& x, const py::array& y)
      : grid{elements<Real>(x), elements<Real>(y), y.size(), x.size()},
        z(Shape{y.size(), x.size()}),
        n(Shape{y.size(), x.size()}) {}
};

struct Axes {
  py::array x, y;

  Axes(const py::object& x_argument, const py::object& y_argument)
      : x(array_argument({x_argument, "x"}, 1)), y(array_argument({y_argument, "y"}, 1)) {}
};

py::object mandelbrot_(const py::object& x, const py::object& y, const py::object& maxiter, const py::object& horizon) {
  const Axes axes(x, y);
  return for_real(axes.x, "x", [&](auto real) -> py::object {
    using Real = decltype(real);
    expect_dtype(axes.y, "y", axes.x.dtype());
    const auto most = static_cast<std::int32_t>(integer_argument({maxiter, "maxiter"}, 0, kMostIterations));
    const auto bound = static_cast<Real>(real_argument({horizon, "horizon"}, axes.x.dtype()));
    Orbits<Real> orbits(axes.x, axes.y);
    const auto z = orbits.z.mutable_data();
    const auto n = orbits.n.mutable_data();
    run([&](Interruption& interruption) { return mandelbrot(orbits.grid, most, bound, z, n, interruption); });
    return py::make_tuple(orbits.z, orbits.n);
  });
}

py::object julia_(const py::object& x, const py::object& y, const py::object& c, const py::object& maxiter,
                  const py::object& horizon) {
  const Axes axes(x, y);
  return for_real(axes.x, "x", [&](auto real) -> py::object {
    using Real = decltype(real);
    expect_dtype(axes.y, "y", axes.x.dtype());
    const auto constant = complex_argument({c, "c"}, py::dtype::of<std::complex<Real>>());
    const auto most = static_cast<std::int32_t>(integer_argument({maxiter, "maxiter"}, 0, kMostIterations));
    const auto bound = static_cast<Real>(real_argument({horizon, "horizon"}, axes.x.dtype()));
    Orbits<Real> orbits(axes.x, axes.y);
    const auto z = orbits.z.mutable_data();
    const auto n = orbits.n.mutable_data();
    run([&](Interruption& interruption) {
      return julia(orbits.grid, std::complex<Real>(constant), most, bound, z, n, interruption);
    });
    return py::make_tuple(orbits.z, orbits.n);
  });
}

}  // namespace

void add_escape(py::module_& module) {
  using namespace pybind11::literals;
  module.def("mandelbrot", mandelbrot_, "x"_a, "y"_a, "maxiter"_a, "horizon"_a, "Escape times of the Mandelbrot set.");
  module.def("julia", julia_, "x"_a, "y"_a, "c"_a, "maxiter"_a, "horizon"_a, "Escape times of a Julia set.");
}

}  // namespace nprewrite::python
