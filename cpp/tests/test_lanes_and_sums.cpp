// The elementwise kernels and the sum.
#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "nprewrite/complex_multiply_add.hpp"
#include "nprewrite/masked_store.hpp"
#include "nprewrite/matrix_sum.hpp"

namespace {

void masked_store() {
  auto never = nprewrite::never_interrupted();
  const std::vector<double> target{1, 2, 3, 4}, values{10, 20, 30, 40};
  const std::vector<std::uint8_t> mask{0, 1, 0, 255};
  std::vector<double> stored(4);
  CHECK(nprewrite::masked_store(target.data(), mask.data(), values.data(), 4, stored.data(), never));
  CHECK(stored == std::vector<double>{1, 20, 3, 40});
}

template <class Real>
void complex_multiply_add() {
  using Complex = std::complex<Real>;
  const Real inf = std::numeric_limits<Real>::infinity();
  const std::vector<Complex> a{{1, 2}, {inf, 0}}, b{{3, 4}, {0, 1}}, c{{10, 20}, {0, 0}};
  std::vector<Complex> result(2);
  auto never = nprewrite::never_interrupted();
  CHECK(nprewrite::complex_multiply_add(a.data(), b.data(), c.data(), 2, result.data(), never));
  CHECK(result[0] == Complex(5, 30));
  // inf * i is nan + inf*i by the textbook; with the recovery of Annex G the real part would be a number.
  CHECK(std::isnan(result[1].real()) && result[1].imag() == inf);
}

template <class Real>
Real sum(const std::vector<Real>& values) {
  Real total = -7;
  auto never = nprewrite::never_interrupted();
  CHECK(nprewrite::matrix_sum(values.data(), std::int64_t(values.size()), &total, never));
  return total;
}

template <class Real>
void sums() {
  using Limits = std::numeric_limits<Real>;
  const Real inf = Limits::infinity(), tiny = Limits::epsilon() / 4;
  CHECK(sum<Real>({}) == 0);
  CHECK(sum<Real>({1, 2, 3}) == 6);
  // A plain sum of these is 1, twice over: small terms are lost, and so is a 1 between large ones.
  CHECK(sum<Real>({1, tiny, tiny, tiny, tiny}) == 1 + Limits::epsilon());
  CHECK(sum<Real>({1, 1 / tiny / tiny, 1, -1 / tiny / tiny}) == 2);
  CHECK(sum<Real>({1, inf, 2}) == inf && std::isnan(sum<Real>({inf, 1, -inf})));
  CHECK(std::isnan(sum<Real>({1, Limits::quiet_NaN()})));
  CHECK(sum<Real>({Limits::max(), Limits::max()}) == inf);

  // Over several blocks: 2^17 tenths, rounded once.
  const std::size_t length = 1 << 17;
  CHECK(sum(std::vector<Real>(length, Real(0.1))) == Real(0.1) * Real(length));
}

void a_sum_is_interrupted() {
  const std::vector<float> values(1 << 20, 1);
  float total = 0;
  int asked = 0;
  nprewrite::Interruption interruption([&] { return ++asked > 0; });
  CHECK(!nprewrite::matrix_sum(values.data(), 1 << 20, &total, interruption));
  // Once the answer was yes, nobody asks again.
  CHECK(asked == 1);
}

}  // namespace

int main() {
  masked_store();
  complex_multiply_add<float>(), complex_multiply_add<double>();
  sums<float>(), sums<double>();
  a_sum_is_interrupted();
  return failures;
}
