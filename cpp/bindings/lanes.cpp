#include "arguments.hpp"
#include "module.hpp"
#include "nprewrite/complex_multiply_add.hpp"
#include "nprewrite/masked_store.hpp"
#include "run.hpp"

namespace nprewrite::python {

namespace {

Shape shape_of(const py::array& array) { return Shape(array.shape(), array.shape() + array.ndim()); }

template <class Element>
py::object stored(const py::array& target, const py::array& mask, const py::array& values) {
  py::array_t<Element> result(shape_of(target));
  const auto data = result.mutable_data();
  const auto bytes = static_cast<const std::uint8_t*>(mask.data());
  run([&](Interruption& interruption) {
    return masked_store(elements<Element>(target), bytes, elements<Element>(values), target.size(), data, interruption);
  });
  return result;
}

py::object masked_store_(const py::object& target_argument, const py::object& mask_argument,
                         const py::object& values_argument) {
  const py::array target = array_argument({target_argument, "target"}, -1);
  const py::array mask = array_argument({mask_argument, "mask"}, -1);
  const py::array values = array_like({values_argument, "values"}, target, "target");
  expect_dtype(mask, "mask", py::dtype::of<bool>());
  expect_shape(mask, "mask", shape_of(target));
  if (holds<float>(target)) return stored<float>(target, mask, values);
  if (holds<double>(target)) return stored<double>(target, mask, values);
  if (holds<std::complex<float>>(target)) return stored<std::complex<float>>(target, mask, values);
  if (holds<std::complex<double>>(target)) return stored<std::complex<double>>(target, mask, values);
  if (holds<std::int64_t>(target)) return stored<std::int64_t>(target, mask, values);
  refuse_dtype(target, "target", "float32, float64, complex64, complex128 or int64");
}

template <class Real>
py::object multiplied(const py::array& a, const py::array& b, const py::array& c) {
  using Complex = std::complex<Real>;
  py::array_t<Complex> result(shape_of(a));
  const auto data = result.mutable_data();
  run([&](Interruption& interruption) {
    return complex_multiply_add(elements<Complex>(a), elements<Complex>(b), elements<Complex>(c), a.size(), data,
                                interruption);
  });
  return result;
}

py::object complex_multiply_add_(const py::object& a_argument, const py::object& b_argument,
                                 const py::object& c_argument) {
  const py::array a = array_argument({a_argument, "a"}, -1);
  const py::array b = array_like({b_argument, "b"}, a, "a"), c = array_like({c_argument, "c"}, a, "a");
  if (holds<std::complex<float>>(a)) return multiplied<float>(a, b, c);
  if (holds<std::complex<double>>(a)) return multiplied<double>(a, b, c);
  refuse_dtype(a, "a", "complex64 or complex128");
}

}  // namespace

void add_lanes(py::module_& module) {
  using namespace pybind11::literals;
  module.def("masked_store", masked_store_, "target"_a, "mask"_a, "values"_a,
             "What target[mask] = values[mask] makes of target, in a new array.");
  module.def("complex_multiply_add", complex_multiply_add_, "a"_a, "b"_a, "c"_a, "a*b + c for complex arrays.");
}

}  // namespace nprewrite::python
