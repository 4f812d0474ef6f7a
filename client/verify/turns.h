// How far a path of an agent with a turning radius may turn at a waypoint. Lengths in one unit.
// Pure functions.
#pragma once

#include <algorithm>
#include <cmath>

namespace repath::verify {

inline constexpr double kTurnRounded = 1e-4;  // radians by which rounding may turn a leg

// Returns by how many radians the path may turn between two legs: by half of the arc of each, as
// far as it is a chord. A chord is off its arc by at most a 32nd of the radius, and 0.05.
inline double turn_allowed(double in, double on, double radius) {
  const double deviation = std::min(0.05, radius / 32);
  const double longest = 2 * std::sqrt((2 * radius - deviation) * deviation);
  const auto half_of = [&](double leg) { return std::asin(std::min(leg, longest) / (2 * radius)); };
  return half_of(in) + half_of(on) + kTurnRounded;
}

// Returns the turn between the legs (ux, uy) and (vx, vy), radians.
inline double turn_between(double ux, double uy, double vx, double vy) {
  return std::atan2(std::abs(ux * vy - uy * vx), ux * vx + uy * vy);
}

}  // namespace repath::verify
