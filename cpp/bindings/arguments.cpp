#include "arguments.hpp"

#include <cmath>
#include <limits>

namespace nprewrite::python {

namespace {

std::string text(const py::handle& value) { return py::str(value); }

std::string type_name(const py::handle& value) {
  const py::type type = py::type::of(value);
  const std::string module = text(type.attr("__module__")), name = text(type.attr("__qualname__"));
  return module == "builtins" ? name : module + "." + name;
}

std::string text(const Shape& shape) {
  py::list lengths;
  for (const py::ssize_t length : shape) lengths.append(length);
  return text(py::tuple(lengths));
}

Shape shape_of(const py::array& array) { return Shape(array.shape(), array.shape() + array.ndim()); }

std::string expectation(const char* name, const std::string& expected, const std::string& seen) {
  return std::string("argument '") + name + "' must be " + expected + ", got " + seen;
}

bool is_numpy_scalar(const Argument& argument, const py::dtype& dtype) {
  return py::type::of(argument.value).is(dtype.attr("type"));
}

template <class Number>
Number checked_range(const Argument& argument, const py::dtype& dtype, Number number, bool finite, double magnitude) {
  const bool single = dtype.itemsize() == (dtype.kind() == 'c' ? 8 : 4);
  if (finite && single && magnitude > static_cast<double>(std::numeric_limits<float>::max()))
    throw py::value_error(expectation(argument.name, "in the range of " + text(dtype), text(argument.value)));
  return number;
}

[[noreturn]] void refuse_scalar(const Argument& argument, const py::dtype& dtype, const std::string& python_types) {
  const std::string expected = python_types + " or a numpy." + text(dtype);
  throw py::type_error(expectation(argument.name, expected, type_name(argument.value)));
}

// An int too large for a double is out of range as much as one too large for the dtype.
double from_int(const Argument& argument, const py::dtype& dtype) {
  const double number = PyLong_AsDouble(argument.value.ptr());
  if (number != -1.0 || !PyErr_Occurred()) return number;
  PyErr_Clear();
  throw py::value_error(expectation(argument.name, "in the range of " + text(dtype), "an int beyond it"));
}

}  // namespace

py::array array_argument(const Argument& argument, int rank) {
  const py::object ndarray = py::module_::import("numpy").attr("ndarray");
  if (!py::type::of(argument.value).is(ndarray))
    throw py::type_error(expectation(argument.name, "a numpy.ndarray", type_name(argument.value)));
  const auto array = py::reinterpret_borrow<py::array>(argument.value);
  if (rank >= 0 && array.ndim() != rank) {
    const std::string expected = "an array of " + std::to_string(rank) + (rank == 1 ? " dimension" : " dimensions");
    throw py::value_error(expectation(argument.name, expected, "shape " + text(shape_of(array))));
  }
  const py::object flags = array.attr("flags");
  if (!flags.attr("c_contiguous").cast<bool>() || !flags.attr("aligned").cast<bool>()) {
    const std::string seen = "shape " + text(shape_of(array)) + " with strides " + text(array.attr("strides"));
    throw py::value_error(expectation(argument.name, "C-contiguous and aligned", seen) + "; pass a copy of it");
  }
  return array;
}

py::array array_like(const Argument& argument, const py::array& like, const char* like_name) {
  const py::array array = array_argument(argument, -1);
  if (!array.dtype().equal(like.dtype())) {
    const std::string expected = text(like.dtype()) + " like '" + like_name + "'";
    throw py::type_error(expectation(argument.name, expected, text(array.dtype())));
  }
  expect_shape(array, argument.name, shape_of(like));
  return array;
}

void expect_shape(const py::array& array, const char* name, const Shape& shape) {
  if (shape_of(array) == shape) return;
  throw py::value_error(expectation(name, "of shape " + text(shape), "shape " + text(shape_of(array))));
}

void expect_dtype(const py::array& array, const char* name, const py::dtype& dtype) {
  if (!array.dtype().equal(dtype)) refuse_dtype(array, name, text(dtype));
}

void refuse_dtype(const py::array& array, const char* name, const std::string& expected) {
  throw py::type_error(expectation(name, "of dtype " + expected, text(array.dtype())));
}

bool bool_argument(const Argument& argument) {
  if (PyBool_Check(argument.value.ptr())) return argument.value.is(py::bool_(true));
  throw py::type_error(expectation(argument.name, "a bool", type_name(argument.value)));
}

std::int64_t integer_argument(const Argument& argument, std::int64_t low, std::int64_t high) {
  const py::object integer = py::module_::import("numpy").attr("integer");
  if (!PyLong_CheckExact(argument.value.ptr()) && !py::isinstance(argument.value, integer))
    throw py::type_error(expectation(argument.name, "an int", type_name(argument.value)));
  int overflow = 0;
  const py::int_ number(argument.value);
  const long long result = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow || result < low || result > high) {
    const std::string expected = "from " + std::to_string(low) + " to " + std::to_string(high);
    throw py::value_error(expectation(argument.name, expected, text(argument.value)));
  }
  return result;
}

double real_argument(const Argument& argument, const py::dtype& dtype) {
  double number = 0;
  if (PyLong_CheckExact(argument.value.ptr())) {
    number = from_int(argument, dtype);
  } else if (PyFloat_CheckExact(argument.value.ptr()) || is_numpy_scalar(argument, dtype)) {
    number = PyFloat_AsDouble(argument.value.ptr());
  } else {
    refuse_scalar(argument, dtype, "an int, a float");
  }
  return checked_range(argument, dtype, number, std::isfinite(number), std::abs(number));
}

std::complex<double> complex_argument(const Argument& argument, const py::dtype& dtype) {
  std::complex<double> number = 0;
  if (PyLong_CheckExact(argument.value.ptr())) {
    number = from_int(argument, dtype);
  } else if (PyFloat_CheckExact(argument.value.ptr()) || PyComplex_CheckExact(argument.value.ptr()) ||
             is_numpy_scalar(argument, dtype)) {
    number = py::cast<std::complex<double>>(py::module_::import("builtins").attr("complex")(argument.value));
  } else {
    refuse_scalar(argument, dtype, "an int, a float, a complex");
  }
  const double magnitude = std::max(std::abs(number.real()), std::abs(number.imag()));
  return checked_range(argument, dtype, number, std::isfinite(magnitude), magnitude);
}

}  // namespace nprewrite::python
