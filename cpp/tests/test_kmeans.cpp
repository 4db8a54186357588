// k-means on points whose clusters are seen by eye.
#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "nprewrite/kmeans.hpp"

namespace {

using Labels = std::vector<std::int64_t>;

template <class Real>
Labels assign(const std::vector<Real>& points, const std::vector<Real>& means, std::int64_t dimensions) {
  const nprewrite::Clustering sizes{std::int64_t(points.size()) / dimensions, std::int64_t(means.size()) / dimensions,
                                    dimensions};
  Labels labels(sizes.points, -7);
  auto never = nprewrite::never_interrupted();
  CHECK(nprewrite::kmeans_assign(points.data(), means.data(), sizes, labels.data(), never));
  return labels;
}

template <class Real>
void nearest_means() {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  CHECK(assign<Real>({0, 0, 9, 9, 4, 4}, {1, 1, 8, 8}, 2) == Labels{0, 1, 0});
  // Halfway between two: the first. A mean that is nan beats all that come after it, as in NumPy's argmin.
  CHECK(assign<Real>({5}, {4, 6}, 1) == Labels{0});
  CHECK(assign<Real>({5}, {9, nan, 5}, 1) == Labels{1});
  CHECK(assign<Real>({5}, {nan, 5}, 1) == Labels{0});
  CHECK(assign<Real>({}, {1, 2}, 2).empty());
  CHECK(assign<Real>(std::vector<Real>(50000, 7), {0, 6, 9}, 1) == Labels(50000, 1));
}

template <class Real>
void means_of_clusters() {
  const std::vector<Real> points{1, 10, 3, 30, 100, 1000};
  const Labels labels{2, 2, 0};
  const nprewrite::Clustering sizes{3, 3, 2};
  std::vector<Real> means(6);
  Labels counts(3, -7);
  auto never = nprewrite::never_interrupted();
  CHECK(nprewrite::kmeans_update(points.data(), labels.data(), sizes, means.data(), counts.data(), never));
  CHECK(counts == Labels{1, 0, 2});
  CHECK(means[0] == 100 && means[1] == 1000 && means[4] == 2 && means[5] == 20);
  CHECK(std::isnan(means[2]) && std::isnan(means[3]));
}

void wrong_labels() {
  CHECK(nprewrite::first_wrong_label(Labels{0, 1, 2}.data(), {3, 3, 1}) == -1);
  CHECK(nprewrite::first_wrong_label(Labels{0, 3, -1}.data(), {3, 3, 1}) == 1);
  CHECK(nprewrite::first_wrong_label(Labels{0, 1, -1}.data(), {3, 3, 1}) == 2);
}

void an_update_is_interrupted() {
  const std::vector<double> points(10000, 1.0);
  const Labels labels(10000, 0);
  std::vector<double> mean(1);
  Labels counts(1);
  int asked = 0;
  nprewrite::Interruption interruption([&] { return ++asked == 3; });
  const nprewrite::Clustering sizes{10000, 1, 1};
  CHECK(!nprewrite::kmeans_update(points.data(), labels.data(), sizes, mean.data(), counts.data(), interruption));
  CHECK(counts[0] < 10000);
}

}  // namespace

int main() {
  nearest_means<float>(), nearest_means<double>();
  means_of_clusters<float>(), means_of_clusters<double>();
  wrong_labels();
  an_update_is_interrupted();
  return failures;
}
