// What each file of the bindings adds to the module.
#pragma once

#include <pybind11/pybind11.h>

namespace nprewrite::python {

void add_escape(pybind11::module_& module);
void add_kmeans(pybind11::module_& module);
void add_lattices(pybind11::module_& module);
void add_lanes(pybind11::module_& module);

}  // namespace nprewrite::python
