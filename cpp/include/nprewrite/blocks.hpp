// Work cut into blocks, which OpenMP spreads over threads where the compiler has it.
//
// The cuts depend on the sizes alone, never on the threads: so a kernel whose blocks do not touch each other, or that
// adds up their results in order, gives the same bits with one thread, with many, and without OpenMP.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>

#include "nprewrite/interruption.hpp"

namespace nprewrite {

// About as many elements as a block has: some microseconds of work, and little enough to end soon when asked to.
inline constexpr std::int64_t kBlock = std::int64_t{1} << 14;

// Calls body(block) for 0 <= block < blocks, in any order; returns false when it was interrupted.
template <class Body>
bool for_blocks(std::int64_t blocks, Interruption& interruption, Body body, [[maybe_unused]] bool parallel = true) {
  std::atomic<std::int64_t> done{0};
#pragma omp parallel if (parallel)
  {
#pragma omp for schedule(dynamic) nowait
    for (std::int64_t block = 0; block < blocks; ++block) {
      if (!interruption.requested()) body(block);
      ++done;
    }
    // The one thread that may ask goes on asking while the others finish their blocks.
    while (interruption.is_owner() && done < blocks) {
      interruption.requested();
      std::this_thread::yield();
    }
  }
  return !interruption.requested();
}

// Calls body(first, end) for the ranges of `length` elements, `block` at a time.
template <class Body>
bool for_ranges(std::int64_t length, std::int64_t block, Interruption& interruption, Body body) {
  const std::int64_t blocks = length / block + (length % block != 0);
  return for_blocks(blocks, interruption, [=](std::int64_t index) {
    const std::int64_t first = index * block;
    body(first, first + std::min(block, length - first));
  });
}

// Calls body(row, first, end) for the pieces of every row of a matrix.
template <class Body>
bool for_row_pieces(std::int64_t rows, std::int64_t columns, Interruption& interruption, Body body,
                    bool parallel = true) {
  const std::int64_t pieces = columns / kBlock + (columns % kBlock != 0);
  const auto piece_of_row = [=](std::int64_t index) {
    const std::int64_t first = index % pieces * kBlock;
    body(index / pieces, first, first + std::min(kBlock, columns - first));
  };
  return for_blocks(rows * pieces, interruption, piece_of_row, parallel);
}

}  // namespace nprewrite
