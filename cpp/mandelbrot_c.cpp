// The C entry to nprewrite/mandelbrot.hpp in single precision: benchmarks/sides.py builds it for the processor it runs
// on, and loads it without Python's headers.
#include "nprewrite/mandelbrot.hpp"

extern "C" void nprewrite_mandelbrot_float(const float* x, const float* y, std::int64_t rows, std::int64_t columns,
                                           std::int32_t maxiter, float horizon, std::complex<float>* z,
                                           std::int64_t* n) {
  nprewrite::Interruption never = nprewrite::never_interrupted();
  nprewrite::mandelbrot(nprewrite::Grid<float>{x, y, rows, columns}, maxiter, horizon, z, n, never);
}
