// A sum that keeps the rounding errors of its additions.
//
// Source: A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", ZAMM 54 (1974).
// With n terms and unit roundoff u, |result - exact| <= u |exact| + O(n u^2) sum |x|. Needs -ffp-contract=off and no
// fast-math, which would simplify the errors to zero.
#pragma once

#include <cmath>

namespace nprewrite {

template <class Real>
class CompensatedSum {
 public:
  void add(Real x) {
    const Real total = sum_ + x;
    error_ += std::abs(sum_) >= std::abs(x) ? (sum_ - total) + x : (x - total) + sum_;
    sum_ = total;
  }

  void add(const CompensatedSum& other) {
    add(other.sum_);
    error_ += other.error_;
  }

  // Infinities and nan are as in a plain sum, whose errors are inf - inf and mean nothing.
  Real value() const { return std::isfinite(sum_) ? sum_ + error_ : sum_; }

 private:
  Real sum_ = 0;
  Real error_ = 0;
};

}  // namespace nprewrite
