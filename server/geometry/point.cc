#include "geometry/point.h"

#include <array>
#include <cmath>
#include <cstddef>

namespace repath {
namespace {

// (3 + 16 e) e, e = 2^-53: Shewchuk's bound A.
constexpr double kFilterBound = 3.3306690738754716e-16;

int sign(double v) { return (v > 0) - (v < 0); }

// A sum of doubles that do not overlap, smallest first. Its sign is the sign of the last double
// that is not zero.
class Expansion {
 public:
  // Adds a * b exactly.
  void add_product(double a, double b) {
    const double product = a * b;
    const double error = std::fma(a, b, -product);
    add(error);
    add(product);
  }

  int sign_of_sum() const {
    for (std::size_t i = size_; i-- > 0;)
      if (terms_[i] != 0) return sign(terms_[i]);
    return 0;
  }

 private:
  // Shewchuk's Grow-Expansion with Knuth's Two-Sum.
  void add(double term) {
    double carry = term;
    for (std::size_t i = 0; i < size_; ++i) {
      const double sum = carry + terms_[i];
      const double virtual_term = sum - carry;
      terms_[i] = (carry - (sum - virtual_term)) + (terms_[i] - virtual_term);
      carry = sum;
    }
    terms_[size_++] = carry;
  }

  std::array<double, 12> terms_{};
  std::size_t size_ = 0;
};

// (ax - cx)(by - cy) - (ay - cy)(bx - cx), multiplied out; cx cy cancels.
int exact_orientation(Point a, Point b, Point c) {
  Expansion sum;
  sum.add_product(a.x, b.z);
  sum.add_product(-a.x, c.z);
  sum.add_product(-c.x, b.z);
  sum.add_product(-a.z, b.x);
  sum.add_product(a.z, c.x);
  sum.add_product(c.z, b.x);
  return sum.sign_of_sum();
}

}  // namespace

int orientation(Point a, Point b, Point c) {
  const double left = (a.x - c.x) * (b.z - c.z);
  const double right = (a.z - c.z) * (b.x - c.x);
  const double determinant = left - right;
  if (std::abs(determinant) > kFilterBound * (std::abs(left) + std::abs(right))) {
    return sign(determinant);
  }
  return exact_orientation(a, b, c);
}

}  // namespace repath
