// The sum of a matrix, compensated: see compensated_sum.hpp for the method, its source and its error.
//
// The kernel is the first of A. Srinivasan, "Build You a NumPy: From Dot-Products to Machine Code" (2022), which adds
// plainly and in one row.
#pragma once

#include <cstdint>
#include <vector>

#include "nprewrite/blocks.hpp"
#include "nprewrite/compensated_sum.hpp"

namespace nprewrite {

// Writes the sum of `length` elements to *sum: blocks of fixed size, added up in their order. Returns false when it was
// interrupted.
template <class Real>
bool matrix_sum(const Real* matrix, std::int64_t length, Real* sum, Interruption& interruption) {
  std::vector<CompensatedSum<Real>> partial(length / kBlock + 1);
  const bool finished = for_ranges(length, kBlock, interruption, [&](std::int64_t first, std::int64_t end) {
    CompensatedSum<Real> block;
    for (std::int64_t i = first; i < end; ++i) block.add(matrix[i]);
    partial[first / kBlock] = block;
  });
  CompensatedSum<Real> total;
  for (const auto& block : partial) total.add(block);
  *sum = total.value();
  return finished;
}

}  // namespace nprewrite
