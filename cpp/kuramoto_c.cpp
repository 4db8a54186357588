// The C entries to nprewrite/kuramoto.hpp: benchmarks/kuramoto.py builds them for the processor it runs on, and loads
// them without Python's headers.
#include "nprewrite/kuramoto.hpp"

namespace {

template <class Real>
void rate_of(const Real* theta, const Real* omega, std::int64_t rows, std::int64_t columns, Real coupling, Real* rate) {
  nprewrite::Interruption never = nprewrite::never_interrupted();
  const nprewrite::Oscillators<Real> lattice{theta, omega, rows, columns, coupling};
  nprewrite::kuramoto(lattice, true, rate, never);
}

}  // namespace

extern "C" void nprewrite_kuramoto_float(const float* theta, const float* omega, std::int64_t rows,
                                         std::int64_t columns, float coupling, float* rate) {
  rate_of(theta, omega, rows, columns, coupling, rate);
}

extern "C" void nprewrite_kuramoto_double(const double* theta, const double* omega, std::int64_t rows,
                                          std::int64_t columns, double coupling, double* rate) {
  rate_of(theta, omega, rows, columns, coupling, rate);
}
