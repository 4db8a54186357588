// Running a kernel: without the interpreter's lock, and until Ctrl-C.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>

#include "nprewrite/interruption.hpp"

namespace nprewrite::python {

namespace py = pybind11;

// Whether a signal handler raised, asked seldom enough to cost nothing. Only the main thread of Python runs handlers:
// in any other this stays false.
class SignalCheck {
 public:
  bool operator()() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return false;
    next_ = now + std::chrono::milliseconds(50);
    const py::gil_scoped_acquire locked;
    return PyErr_CheckSignals() != 0;
  }

 private:
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
};

// Runs kernel(interruption); where it was interrupted, raises what the handler raised: KeyboardInterrupt as a rule.
template <class Kernel>
void run(Kernel kernel) {
  bool finished = false;
  {
    const py::gil_scoped_release unlocked;
    Interruption interruption{SignalCheck()};
    finished = kernel(interruption);
  }
  if (!finished) throw py::error_already_set();
}

}  // namespace nprewrite::python
