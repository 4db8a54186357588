// The C entry to the assignment of nprewrite/kmeans.hpp: benchmarks/kmeans.py builds it for the processor it runs on,
// and loads it without Python's headers.
#include "nprewrite/kmeans.hpp"

extern "C" void nprewrite_kmeans_assign(const double* points, const double* means, std::int64_t count,
                                        std::int64_t clusters, std::int64_t dimensions, std::int64_t* labels) {
  nprewrite::Interruption never = nprewrite::never_interrupted();
  nprewrite::kmeans_assign(points, means, nprewrite::Clustering{count, clusters, dimensions}, labels, never);
}
