// A store through a mask, target[mask] = values[mask], as a full store of a select.
//
// It is the step from boolean indices to np.where of the tutorial that takes the Mandelbrot program through
// torch.compile (steps_to_compile_mandelbrot, 2023).
#pragma once

#include <cstdint>

#include "nprewrite/blocks.hpp"

namespace nprewrite {

// Writes values[i] where mask[i] is not 0, else target[i], to stored[i]; `length` elements each, stored overlaps no
// other. Bytes, not bool: a byte that is neither 0 nor 1 is no bool in C++. Returns false when it was interrupted.
template <class Element>
bool masked_store(const Element* target, const std::uint8_t* mask, const Element* values, std::int64_t length,
                  Element* stored, Interruption& interruption) {
  return for_ranges(length, kBlock, interruption, [=](std::int64_t first, std::int64_t end) {
    for (std::int64_t i = first; i < end; ++i) stored[i] = mask[i] ? values[i] : target[i];
  });
}

}  // namespace nprewrite
