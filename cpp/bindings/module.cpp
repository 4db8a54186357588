#include "module.hpp"

PYBIND11_MODULE(nprewrite_reference, module) {
  module.doc() = "The reference kernels in C++; see nprewrite_reference.pyi for what each takes and returns.";
  nprewrite::python::add_escape(module);
  nprewrite::python::add_kmeans(module);
  nprewrite::python::add_lattices(module);
  nprewrite::python::add_lanes(module);
}
