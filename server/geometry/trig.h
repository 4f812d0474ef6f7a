// Sine and cosine with the same bits on every machine, compiler and C library.
//
// Source: argument reduction by W. Cody and W. Waite with a three-part pi/2, and the minimax
// kernels of fdlibm (k_sin.c, k_cos.c, Sun Microsystems, 1993; free to use). Uses only + - x and
// floor, so -ffp-contract=off fixes every bit. Pure functions, safe on any thread.
#pragma once

namespace repath {

// Largest |angle| that sin_cos() takes, in radians. Beyond it the reduction would lose bits.
inline constexpr double kAngleMax = 1e4;

struct SinCos {
  double sin = 0;
  double cos = 0;
};

// Returns both within 1e-15 of the true values. REQUIRES: |radians| <= kAngleMax. About 10 ns.
SinCos sin_cos(double radians);

}  // namespace repath
