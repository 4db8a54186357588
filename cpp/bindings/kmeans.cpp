#include <limits>

#include "nprewrite/kmeans.hpp"

#include "arguments.hpp"
#include "module.hpp"
#include "run.hpp"

namespace nprewrite::python {

namespace {

py::object kmeans_assign_(const py::object& points_argument, const py::object& means_argument) {
  const py::array points = array_argument({points_argument, "points"}, 2);
  const py::array means = array_argument({means_argument, "means"}, 2);
  return for_real(points, "points", [&](auto real) -> py::object {
    using Real = decltype(real);
    expect_dtype(means, "means", points.dtype());
    expect_shape(means, "means", {means.shape(0), points.shape(1)});
    if (means.shape(0) == 0) throw py::value_error("argument 'means' must have at least one row, got none");
    const Clustering sizes{points.shape(0), means.shape(0), points.shape(1)};
    py::array_t<std::int64_t> labels(sizes.points);
    const auto result = labels.mutable_data();
    run([&](Interruption& interruption) {
      return kmeans_assign(elements<Real>(points), elements<Real>(means), sizes, result, interruption);
    });
    return labels;
  });
}

void expect_labels(const py::array& labels, const Clustering& sizes) {
  const auto wrong = first_wrong_label(elements<std::int64_t>(labels), sizes);
  if (wrong < 0) return;
  const std::string label = std::to_string(elements<std::int64_t>(labels)[wrong]);
  throw py::value_error("argument 'labels' must hold labels from 0 to " + std::to_string(sizes.clusters - 1) +
                        " (clusters - 1), got " + label + " at " + std::to_string(wrong));
}

py::object kmeans_update_(const py::object& points_argument, const py::object& labels_argument,
                          const py::object& clusters) {
  const py::array points = array_argument({points_argument, "points"}, 2);
  const py::array labels = array_argument({labels_argument, "labels"}, 1);
  return for_real(points, "points", [&](auto real) -> py::object {
    using Real = decltype(real);
    expect_dtype(labels, "labels", py::dtype::of<std::int64_t>());
    expect_shape(labels, "labels", {points.shape(0)});
    const auto count = integer_argument({clusters, "clusters"}, 0, std::numeric_limits<std::int32_t>::max());
    const Clustering sizes{points.shape(0), count, points.shape(1)};
    expect_labels(labels, sizes);
    py::array_t<Real> means(Shape{sizes.clusters, sizes.dimensions});
    py::array_t<std::int64_t> counts(sizes.clusters);
    const auto mean = means.mutable_data();
    const auto number = counts.mutable_data();
    run([&](Interruption& interruption) {
      return kmeans_update(elements<Real>(points), elements<std::int64_t>(labels), sizes, mean, number, interruption);
    });
    return py::make_tuple(means, counts);
  });
}

}  // namespace

void add_kmeans(py::module_& module) {
  using namespace pybind11::literals;
  module.def("kmeans_assign", kmeans_assign_, "points"_a, "means"_a, "The index of the nearest mean of every point.");
  module.def("kmeans_update", kmeans_update_, "points"_a, "labels"_a, "clusters"_a, "The mean of every cluster.");
}

}  // namespace nprewrite::python
