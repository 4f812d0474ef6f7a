// Boxes on the plane, closed, with a margin for what rounding moves. Plain functions.
#pragma once

#include <algorithm>
#include <cmath>

#include "agents/route.h"

namespace repath {

// Distance that counts as touching, in world units: 32 lattice steps of meshes.
inline constexpr double kBoxMargin = 0.002;
// Greatest distance on the plane at which two places are one, in world units.
inline constexpr double kSamePlace = 1e-5;

inline bool is_empty(const RouteBox& box) { return box.min_x > box.max_x; }

inline void add_to(RouteBox* box, const Spot& at) {
  box->min_x = std::min(box->min_x, at.x);
  box->min_z = std::min(box->min_z, at.z);
  box->max_x = std::max(box->max_x, at.x);
  box->max_z = std::max(box->max_z, at.z);
}

inline void add_to(RouteBox* box, const RouteBox& other) {
  box->min_x = std::min(box->min_x, other.min_x);
  box->min_z = std::min(box->min_z, other.min_z);
  box->max_x = std::max(box->max_x, other.max_x);
  box->max_z = std::max(box->max_z, other.max_z);
}

inline RouteBox box_of(const Spot& at) { return {at.x, at.z, at.x, at.z}; }

inline RouteBox box_of(const Spot& a, const Spot& b) {
  RouteBox box = box_of(a);
  add_to(&box, b);
  return box;
}

// Returns whether the boxes come nearer than the margin. False if one is empty.
inline bool meet(const RouteBox& a, const RouteBox& b, double margin = kBoxMargin) {
  return a.min_x <= b.max_x + margin && b.min_x <= a.max_x + margin &&
         a.min_z <= b.max_z + margin && b.min_z <= a.max_z + margin;
}

// Returns whether the leg from `a` to `b` comes nearer to the box than the margin, or only little
// farther.
inline bool leg_meets(const Spot& a, const Spot& b, const RouteBox& box,
                      double margin = kBoxMargin) {
  double first = 0;
  double last = 1;
  const auto clip = [&](double from, double to, double low, double high) {
    const double step = to - from;
    if (step == 0) return from >= low && from <= high;
    const double t0 = (low - from) / step;
    const double t1 = (high - from) / step;
    first = std::max(first, std::min(t0, t1));
    last = std::min(last, std::max(t0, t1));
    return first <= last;
  };
  return clip(a.x, b.x, box.min_x - margin, box.max_x + margin) &&
         clip(a.z, b.z, box.min_z - margin, box.max_z + margin);
}

inline double plane_length(double dx, double dz) { return std::sqrt(dx * dx + dz * dz); }

// Returns the distance between the boxes; 0 if they meet.
inline double distance_between(const RouteBox& a, const RouteBox& b) {
  const double dx = std::max({0.0, b.min_x - a.max_x, a.min_x - b.max_x});
  const double dz = std::max({0.0, b.min_z - a.max_z, a.min_z - b.max_z});
  return plane_length(dx, dz);
}

inline double plane_distance_squared(const Spot& a, const Spot& b) {
  const double dx = a.x - b.x;
  const double dz = a.z - b.z;
  return dx * dx + dz * dz;
}

inline double distance_between(const Spot& a, const Spot& b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double dz = b.z - a.z;
  return std::sqrt(dx * dx + dy * dy + dz * dz);
}

inline double space_distance_squared(const Spot& a, const Spot& b) {
  return plane_distance_squared(a, b) + (a.y - b.y) * (a.y - b.y);
}

}  // namespace repath
