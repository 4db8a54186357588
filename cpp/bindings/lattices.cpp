#include "arguments.hpp"
#include "module.hpp"
#include "nprewrite/jacobi.hpp"
#include "nprewrite/kuramoto.hpp"
#include "nprewrite/matrix_sum.hpp"
#include "run.hpp"

namespace nprewrite::python {

namespace {

// The arguments of both forms of the model, and `kernel`, which computes one of them.
template <class Kernel>
py::object rate(const py::object& theta_argument, const py::object& omega_argument, const py::object& coupling,
                Kernel kernel) {
  const py::array theta = array_argument({theta_argument, "theta"}, 2);
  return for_real(theta, "theta", [&](auto real) -> py::object {
    using Real = decltype(real);
    const py::array omega = array_like({omega_argument, "omega"}, theta, "theta");
    const auto factor = static_cast<Real>(real_argument({coupling, "coupling"}, theta.dtype()));
    const auto rows = theta.shape(0), columns = theta.shape(1);
    const Oscillators<Real> lattice{elements<Real>(theta), elements<Real>(omega), rows, columns, factor};
    py::array_t<Real> result(Shape{rows, columns});
    const auto data = result.mutable_data();
    run([&](Interruption& interruption) { return kernel(lattice, data, interruption); });
    return result;
  });
}

py::object kuramoto_(const py::object& theta, const py::object& omega, const py::object& coupling,
                    const py::object& parallel) {
  const bool threads = bool_argument({parallel, "parallel"});
  return rate(theta, omega, coupling, [=](const auto& lattice, auto data, Interruption& interruption) {
    return kuramoto(lattice, threads, data, interruption);
  });
}

py::object kuramoto_small_angle_(const py::object& theta, const py::object& omega, const py::object& coupling,
                                 const py::object& parallel) {
  const bool threads = bool_argument({parallel, "parallel"});
  return rate(theta, omega, coupling, [=](const auto& lattice, auto data, Interruption& interruption) {
    return kuramoto_small_angle(lattice, threads, data, interruption);
  });
}

py::object jacobi_step_(const py::object& argument) {
  const py::array u = array_argument({argument, "u"}, 2);
  return for_real(u, "u", [&](auto real) -> py::object {
    using Real = decltype(real);
    py::array_t<Real> next(Shape{u.shape(0), u.shape(1)});
    const auto data = next.mutable_data();
    run([&](Interruption& interruption) {
      return jacobi_step(elements<Real>(u), u.shape(0), u.shape(1), data, interruption);
    });
    return next;
  });
}

py::object matrix_sum_(const py::object& argument) {
  const py::array matrix = array_argument({argument, "matrix"}, 2);
  return for_real(matrix, "matrix", [&](auto real) -> py::object {
    using Real = decltype(real);
    Real sum = 0;
    run([&](Interruption& interruption) {
      return matrix_sum(elements<Real>(matrix), matrix.size(), &sum, interruption);
    });
    return py::float_(static_cast<double>(sum));
  });
}

}  // namespace

void add_lattices(py::module_& module) {
  using namespace pybind11::literals;
  const auto parallel = "parallel"_a = true;
  module.def("kuramoto", kuramoto_, "theta"_a, "omega"_a, "coupling"_a, py::kw_only(), parallel,
             "The rate of change of the phases of the Kuramoto model.");
  module.def("kuramoto_small_angle", kuramoto_small_angle_, "theta"_a, "omega"_a, "coupling"_a, py::kw_only(), parallel,
             "An approximation of kuramoto: sin(x) replaced by x.");
  module.def("jacobi_step", jacobi_step_, "u"_a, "One step of Jacobi's iteration.");
  module.def("matrix_sum", matrix_sum_, "matrix"_a, "The compensated sum of a matrix.");
}

}  // namespace nprewrite::python
