// CHECK(condition): says where a condition fails, and lets the test's main return how many did.
#pragma once

#include <iostream>

inline int failures = 0;

#define CHECK(...)                                                                       \
  do {                                                                                   \
    if (!(__VA_ARGS__)) {                                                                \
      std::cerr << __FILE__ << ":" << __LINE__ << ": failed: " << #__VA_ARGS__ << "\n"; \
      ++failures;                                                                        \
    }                                                                                    \
  } while (false)
