// The C entry to nprewrite/mandelbrot.hpp in single precision, for callers that load a shared library.
#include "nprewrite/mandelbrot.hpp"

extern "C" void nprewrite_mandelbrot_float(const float* x, const float* y, std::int64_t rows, std::int64_t columns,
                                           std::int32_t maxiter, float horizon, std::complex<float>* z,
                                           std::int64_t* n) {
  nprewrite::mandelbrot(x, y, rows, columns, maxiter, horizon, z, n);
}
