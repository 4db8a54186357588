// a*b + c for complex arrays, each part rounded after each operation.
//
// It is the arithmetic of the Mandelbrot iteration, z*z + c, on its own. The product is the textbook's, as in NumPy:
// the recovery of infinities from nan parts that C (Annex G) gives its products is left out.
#pragma once

#include <complex>
#include <cstdint>

#include "nprewrite/blocks.hpp"

namespace nprewrite {

// Writes a[i]*b[i] + c[i] to result[i]; `length` elements each, result overlaps no other. Returns false when it was
// interrupted.
template <class Real>
bool complex_multiply_add(const std::complex<Real>* a, const std::complex<Real>* b, const std::complex<Real>* c,
                          std::int64_t length, std::complex<Real>* result, Interruption& interruption) {
  return for_ranges(length, kBlock, interruption, [=](std::int64_t first, std::int64_t end) {
    for (std::int64_t i = first; i < end; ++i) {
      const Real re = a[i].real() * b[i].real() - a[i].imag() * b[i].imag();
      const Real im = a[i].real() * b[i].imag() + a[i].imag() * b[i].real();
      result[i] = {re + c[i].real(), im + c[i].imag()};
    }
  });
}

}  // namespace nprewrite
