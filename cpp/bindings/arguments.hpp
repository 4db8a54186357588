// Arguments from Python, checked and never converted: what is not as expected is a TypeError or a ValueError that names
// the argument, what was expected and what came.
#pragma once

#include <pybind11/complex.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

namespace nprewrite::python {

namespace py = pybind11;

using Shape = std::vector<py::ssize_t>;

// An argument as it came, and its name in messages.
struct Argument {
  py::object value;
  const char* name;
};

// A C-contiguous, aligned array of numpy.ndarray itself, no subclass, with `rank` dimensions (any where it is -1).
py::array array_argument(const Argument& argument, int rank);

// The same with the shape and dtype of `like`, another argument.
py::array array_like(const Argument& argument, const py::array& like, const char* like_name);

// Raises ValueError where the shape is another.
void expect_shape(const py::array& array, const char* name, const Shape& shape);

// Raises TypeError where the dtype is another.
void expect_dtype(const py::array& array, const char* name, const py::dtype& dtype);

// Raises the TypeError for an array that has none of the dtypes that a kernel has.
[[noreturn]] void refuse_dtype(const py::array& array, const char* name, const std::string& expected);

// True or False.
bool bool_argument(const Argument& argument);

// A Python int or NumPy integer from low to high.
std::int64_t integer_argument(const Argument& argument, std::int64_t low, std::int64_t high);

// A Python int, float or (for the second) complex, or a NumPy scalar of the dtype; a finite value must stay finite.
double real_argument(const Argument& argument, const py::dtype& dtype);
std::complex<double> complex_argument(const Argument& argument, const py::dtype& dtype);

// Whether the elements are of this type, in the byte order of the machine.
template <class Element>
bool holds(const py::array& array) {
  return py::isinstance<py::array_t<Element>>(array);
}

// The elements of an array whose dtype was checked.
template <class Element>
const Element* elements(const py::array& array) {
  return static_cast<const Element*>(array.data());
}

// Calls kernel(float or double), as the array says; raises TypeError for any other dtype.
template <class Kernel>
py::object for_real(const py::array& array, const char* name, Kernel kernel) {
  if (holds<float>(array)) return kernel(float{});
  if (holds<double>(array)) return kernel(double{});
  refuse_dtype(array, name, "float32 or float64");
}

}  // namespace nprewrite::python
