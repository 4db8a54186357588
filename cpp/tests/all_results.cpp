// Writes the bytes of every kernel's results on fixed inputs to a file. Built with and without OpenMP, the two files
// must be equal: no result may depend on threads.
#include <cmath>
#include <fstream>
#include <iostream>
#include <vector>

#include "nprewrite/complex_multiply_add.hpp"
#include "nprewrite/jacobi.hpp"
#include "nprewrite/julia.hpp"
#include "nprewrite/kmeans.hpp"
#include "nprewrite/kuramoto.hpp"
#include "nprewrite/mandelbrot.hpp"
#include "nprewrite/masked_store.hpp"
#include "nprewrite/matrix_sum.hpp"

namespace {

template <class Element>
void write(std::ofstream& file, const std::vector<Element>& values) {
  file.write(reinterpret_cast<const char*>(values.data()), std::streamsize(values.size() * sizeof(Element)));
}

// Numbers between -2 and 2 without order, the same everywhere.
template <class Real>
std::vector<Real> numbers(std::size_t length, std::uint32_t state) {
  std::vector<Real> result(length);
  for (Real& number : result) {
    state = state * 1664525u + 1013904223u;
    number = Real(state >> 8) / Real(1 << 22) - 2;
  }
  return result;
}

template <class Real>
std::vector<std::complex<Real>> complex_numbers(std::size_t length) {
  const auto re = numbers<Real>(length, 1), im = numbers<Real>(length, 2);
  std::vector<std::complex<Real>> result(length);
  for (std::size_t i = 0; i < length; ++i) result[i] = {re[i], im[i]};
  return result;
}

template <class Real>
void all(std::ofstream& file) {
  constexpr std::int64_t rows = 150, columns = 301, points = rows * columns;
  auto never = nprewrite::never_interrupted();
  const auto x = numbers<Real>(columns, 3), y = numbers<Real>(rows, 4), u = numbers<Real>(points, 5);
  const auto omega = numbers<Real>(points, 6), means = numbers<Real>(3 * 7, 7);
  const auto z = complex_numbers<Real>(points);
  const nprewrite::Grid<Real> grid{x.data(), y.data(), rows, columns};
  const nprewrite::Oscillators<Real> lattice{u.data(), omega.data(), rows, columns, Real(0.7)};
  const nprewrite::Clustering sizes{points / 3, 7, 3};
  const std::vector<std::uint8_t> mask(points, 1);

  std::vector<std::complex<Real>> complexes(points), products(points);
  std::vector<Real> reals(points), centres(means.size()), total(1);
  std::vector<std::int64_t> integers(points), labels(points / 3), counts(7);

  nprewrite::mandelbrot(grid, 300, Real(4), complexes.data(), integers.data(), never);
  write(file, complexes), write(file, integers);
  nprewrite::julia(grid, {Real(-0.8), Real(0.156)}, 300, Real(4), complexes.data(), integers.data(), never);
  write(file, complexes), write(file, integers);
  nprewrite::complex_multiply_add(z.data(), complexes.data(), z.data(), points, products.data(), never);
  write(file, products);
  nprewrite::kuramoto(lattice, true, reals.data(), never);
  write(file, reals);
  nprewrite::kuramoto_small_angle(lattice, true, reals.data(), never);
  write(file, reals);
  nprewrite::jacobi_step(u.data(), rows, columns, reals.data(), never);
  write(file, reals);
  nprewrite::masked_store(u.data(), mask.data(), omega.data(), points, reals.data(), never);
  write(file, reals);
  nprewrite::matrix_sum(u.data(), points, total.data(), never);
  write(file, total);
  nprewrite::kmeans_assign(u.data(), means.data(), sizes, labels.data(), never);
  nprewrite::kmeans_update(u.data(), labels.data(), sizes, centres.data(), counts.data(), never);
  write(file, labels), write(file, centres), write(file, counts);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: all_results FILE\n";
    return 2;
  }
  std::ofstream file(arguments[1], std::ios::binary);
  all<float>(file), all<double>(file);
  file.close();
  return file ? 0 : 1;
}
