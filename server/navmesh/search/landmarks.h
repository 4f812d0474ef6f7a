// Distances over the ground of a mesh from a few of its vertices, the landmarks, to all vertices.
// By the triangle inequality they give lower bounds of the ways between any two places.
//
// Source: A. Goldberg, C. Harrelson, "Computing the shortest path: A* search meets graph theory",
// SODA 2005; landmarks are chosen farthest first. We depart in this: distances are any-angle ones
// (navmesh/search/lengths_from.h). A place within a cell has an interval of distances, which
// follows from those of the cell's vertices and the straight lines between.
//
// The bounds stay true as long as ground is only taken away or made dearer. They are not true of
// ways over links. Immutable once made; the same mesh gives the same bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/work_meter.h"
#include "navmesh/mesh/mesh_place.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

class Landmarks {
 public:
  static constexpr std::uint32_t kMost = 32;

  Landmarks() = default;  // none
  // Makes at most `count` landmarks, at most kMost. It makes none on open ground, where straight
  // distances give nearly the same bounds, and none on components of less than a 64th of the cells.
  // It gives up if they would take more than half of the rest of `work` (null: no bound).
  // O(count n log n).
  Landmarks(const NavMesh& mesh, std::uint32_t count, WorkMeter* work = nullptr);
  // Returns how many landmarks pay on such a mesh: kMost; fewer where the table would be too large;
  // 0 on small meshes.
  static std::uint32_t worth(const NavMesh& mesh);

  std::uint32_t count() const { return count_; }
  // Returns count() distances, from each landmark to the vertex, in lattice steps. They are exact
  // to within kRounding of themselves, and infinite if there is no way.
  const float* to(std::uint32_t vertex) const {
    return distances_.data() + std::size_t{vertex} * count_;
  }
  std::size_t bytes() const { return distances_.capacity() * sizeof(float); }

  static constexpr double kRounding = 0x1p-23;

 private:
  bool is_open(const NavMesh& mesh, const std::vector<std::uint32_t>& chosen) const;

  std::uint32_t count_ = 0;
  std::vector<float> distances_;  // by vertex, then by landmark
};

// Distances from each landmark to some places: within [low, high], lattice steps; both infinite if
// there is no way.
struct LandmarkSpan {
  std::array<double, Landmarks::kMost> low{};
  std::array<double, Landmarks::kMost> high{};
};

// The part of a base that searches over a carved mesh ask: its landmarks, and the mesh that it was
// cut from. A copy borrows all of it.
struct LandmarkView {
  const Landmarks* landmarks = nullptr;     // null: none
  const NavMesh* base = nullptr;            // the mesh of the landmarks
  const std::uint32_t* base_of = nullptr;   // the base cell of each cell of the mesh
  const NavMesh* uncut = nullptr;           // the mesh that the base was cut from; null: none
  const std::uint32_t* uncut_of = nullptr;  // the cell that each base cell is a piece of

  // Number of nodes that a search expands before it asks landmarks, and before it looks for a way
  // back over the uncut mesh (navmesh/search/way_back.h). Most searches end sooner.
  std::uint32_t nodes_before = 64;
  std::uint32_t nodes_before_way_back = 256;
  // The way back bounds ways that are only a little longer than the one over the uncut mesh: by at
  // most this share of the straight distance, or half a unit if that is more.
  double beyond = 0.02;

  std::uint32_t count() const { return landmarks == nullptr ? 0 : landmarks->count(); }
  bool is_empty() const { return count() == 0; }
  std::size_t bytes() const {
    return (landmarks == nullptr ? 0 : landmarks->bytes()) +
           (uncut == nullptr ? 0 : uncut->bytes() + base->cells_end() * sizeof(std::uint32_t));
  }
  // Returns the cell of the uncut mesh in which the cell lies. REQUIRES: uncut.
  std::uint32_t uncut_cell(std::uint32_t cell) const { return uncut_of[base_of[cell]]; }
  // Returns the distances of the places of a base cell that lie within the box, lattice steps.
  // REQUIRES: !is_empty(). O(corners of the cell * landmarks).
  LandmarkSpan span_of(std::uint32_t base_cell, double min_x, double max_x, double min_z,
                       double max_z) const;
  // Returns a lower bound of the ways between places of the one and places of the other, in steps.
  double least(const LandmarkSpan& a, const LandmarkSpan& b) const;

  // Carving rounds corners to the lattice and may leave a hair outside the base. Therefore every
  // bound is reduced by so many steps, a millimetre.
  static constexpr double kSlack = 16;
};

// Lower bounds of ways to one goal, from those landmarks that give the best ones. It is made for a
// search that asks at thousands of places.
class GoalBound {
 public:
  static constexpr std::uint32_t kMost = 4;  // landmarks asked; fewer expand more nodes

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
