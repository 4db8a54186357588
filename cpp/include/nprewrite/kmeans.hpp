// One step of k-means (Lloyd's algorithm): to each point the nearest mean, to each mean the mean of its points.
//
// The assignment is the program of E. Burovski, R. Gommers and M. Lezcano, "Compiling NumPy code into C++ or CUDA via
// torch.compile"; the update is the other half of S. Lloyd, "Least squares quantization in PCM", IEEE Trans. Inf.
// Theory 28 (1982).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "nprewrite/blocks.hpp"
#include "nprewrite/compensated_sum.hpp"

namespace nprewrite {

// Points and means are rows of `dimensions` coordinates.
struct Clustering {
  std::int64_t points;
  std::int64_t clusters;
  std::int64_t dimensions;
};

// The Euclidean distance, by the plain sum of squares in the order of the coordinates: overflows where the squares do.
template <class Real>
Real distance(const Real* a, const Real* b, std::int64_t dimensions) {
  Real squares = 0;
  for (std::int64_t i = 0; i < dimensions; ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(squares);
}

// The first of the nearest means; like NumPy's argmin, the first whose distance is nan, where there is one.
template <class Real>
std::int64_t nearest(const Real* point, const Real* means, const Clustering& sizes) {
  std::int64_t label = 0;
  Real best = distance(point, means, sizes.dimensions);
  for (std::int64_t cluster = 1; cluster < sizes.clusters && !std::isnan(best); ++cluster) {
    const Real other = distance(point, means + cluster * sizes.dimensions, sizes.dimensions);
    if (other >= best) continue;
    best = other;
    label = cluster;
  }
  return label;
}

// Writes the index of the nearest mean of every point to labels. At least one cluster. Returns false when interrupted.
template <class Real>
bool kmeans_assign(const Real* points, const Real* means, const Clustering& sizes, std::int64_t* labels,
                   Interruption& interruption) {
  const std::int64_t work = std::max<std::int64_t>(1, sizes.clusters * sizes.dimensions);
  const std::int64_t block = std::max<std::int64_t>(1, kBlock / work);
  return for_ranges(sizes.points, block, interruption, [=, &sizes](std::int64_t first, std::int64_t end) {
    for (std::int64_t i = first; i < end; ++i) labels[i] = nearest(points + i * sizes.dimensions, means, sizes);
  });
}

// The first point whose label is no cluster, or -1.
inline std::int64_t first_wrong_label(const std::int64_t* labels, const Clustering& sizes) {
  for (std::int64_t i = 0; i < sizes.points; ++i)
    if (labels[i] < 0 || labels[i] >= sizes.clusters) return i;
  return -1;
}

// Writes the mean of the points of every label to means, and how many they are to counts. The mean of no point is nan.
// All labels are clusters. The sums are compensated and go in the order of the points, on one thread: threads that
// share the sums would let chance decide the order. Returns false when it was interrupted.
template <class Real>
bool kmeans_update(const Real* points, const std::int64_t* labels, const Clustering& sizes, Real* means,
                   std::int64_t* counts, Interruption& interruption) {
  const std::int64_t dimensions = sizes.dimensions;
  std::vector<CompensatedSum<Real>> sums(sizes.clusters * dimensions);
  std::fill_n(counts, sizes.clusters, 0);
  for (std::int64_t i = 0; i < sizes.points; ++i) {
    if (i % 1024 == 0 && interruption.requested()) return false;
    ++counts[labels[i]];
    for (std::int64_t k = 0; k < dimensions; ++k) sums[labels[i] * dimensions + k].add(points[i * dimensions + k]);
  }
  for (std::int64_t i = 0; i < sizes.clusters * dimensions; ++i) {
    const std::int64_t count = counts[i / dimensions];
    means[i] = count ? sums[i].value() / static_cast<Real>(count) : std::numeric_limits<Real>::quiet_NaN();
  }
  return !interruption.requested();
}

}  // namespace nprewrite
