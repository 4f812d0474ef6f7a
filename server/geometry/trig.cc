#include "geometry/trig.h"

#include <cmath>

#include "base/check.h"

namespace repath {
namespace {

// pi/2 = kHalfPi1 + kHalfPi2 + kHalfPi3. The first two have 33 bits, so that their product with k
// is exact for |k| < 2^20.
constexpr double kHalfPi1 = 0x1.921fb544p+0;
constexpr double kHalfPi2 = 0x1.0b4611a6p-34;
constexpr double kHalfPi3 = 0x1.3198a2e037073p-69;
constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;

// Returns sin(x + low) for |x| <= pi/4.
double kernel_sin(double x, double low) {
  constexpr double kS1 = -1.66666666666666324348e-01;
  constexpr double kS2 = 8.33333333332248946124e-03;
  constexpr double kS3 = -1.98412698298579493134e-04;
  constexpr double kS4 = 2.75573137070700676789e-06;
  constexpr double kS5 = -2.50507602534068634195e-08;
  constexpr double kS6 = 1.58969099521155010221e-10;
  const double z = x * x;
  const double v = z * x;
  const double r = kS2 + z * (kS3 + z * (kS4 + z * (kS5 + z * kS6)));
  return x - ((z * (0.5 * low - v * r) - low) - v * kS1);
}

// Returns cos(x + low) for |x| <= pi/4.
double kernel_cos(double x, double low) {
  constexpr double kC1 = 4.16666666666666019037e-02;
  constexpr double kC2 = -1.38888888888741095749e-03;
  constexpr double kC3 = 2.48015872894767294178e-05;
  constexpr double kC4 = -2.75573143513906633035e-07;
  constexpr double kC5 = 2.08757232129817482790e-09;
  constexpr double kC6 = -1.13596475577881948265e-11;
  const double z = x * x;
  const double r = z * (kC1 + z * (kC2 + z * (kC3 + z * (kC4 + z * (kC5 + z * kC6)))));
  const double half = 0.5 * z;
  const double w = 1.0 - half;
  return w + (((1.0 - w) - half) + (z * r - x * low));
}

}  // namespace

SinCos sin_cos(double radians) {
  REPATH_CHECK(radians >= -kAngleMax && radians <= kAngleMax);
  const double k = std::floor(radians * kTwoOverPi + 0.5);
  const double head = radians - k * kHalfPi1;
  const double middle = k * kHalfPi2;
  const double rest = head - middle;
  const double lost = ((head - rest) - middle) - k * kHalfPi3;
  const double x = rest + lost;
  const double low = (rest - x) + lost;
  const double s = kernel_sin(x, low);
  const double c = kernel_cos(x, low);
  switch (static_cast<int>(k) & 3) {
    case 0:
      return {s, c};
    case 1:
      return {c, -s};
    case 2:
      return {-s, -c};
    default:
      return {-c, s};
  }
}

}  // namespace repath
