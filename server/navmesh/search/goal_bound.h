// Lower bounds of ways to one goal, from those landmarks that give the best ones. It is made for a
// search that asks at thousands of places.
#pragma once

#include <array>
#include <cstdint>

#include "navmesh/mesh/mesh_place.h"
#include "navmesh/search/landmarks.h"

namespace repath {

class GoalBound {
 public:
  static constexpr std::uint32_t kMost = 4;  // landmarks asked; see README.md

  GoalBound() = default;  // all bounds are 0
  // Both places lie on the mesh of the view. O(landmarks).
  GoalBound(const LandmarkView& view, const MeshPlace& start, const MeshPlace& goal);

  bool is_empty() const { return count_ == 0; }
  // Returns the lower bound of the way from a place of the cell, in lattice steps, 0 or more.
  // O(corners of the base cell).
  double at(std::uint32_t cell, double x, double z) const;

 private:
  struct Asked {
    std::uint32_t landmark;
    double goal_low, goal_high;
  };
  LandmarkView view_;
  std::array<Asked, kMost> asked_{};
  std::uint32_t count_ = 0;
};

}  // namespace repath
