// Distances over the ground of a mesh from a few of its vertices, the landmarks, to all of them.
// By the triangle inequality they say what no way between two places can be shorter than.
//
// Source: A. Goldberg, C. Harrelson, "Computing the shortest path: A* search meets graph theory",
// SODA 2005; landmarks are chosen farthest first. We depart in this: distances are any-angle ones
// (AnyAngleSearch::begin_everywhere), and a place within a cell is known by an interval, from the
// distances to the cell's vertices and the straight ones from there.
//
// What they say holds wherever ground is only taken away: for what is left of a base once obstacles
// are carved out of it, where a filter excludes ground, where factors are 1 or more. It does not
// hold for ways over links. Immutable once made; the same mesh gives the same bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/work_meter.h"
#include "navmesh/mesh/nav_mesh.h"

namespace repath {

class Landmarks {
 public:
  static constexpr std::uint32_t kMost = 32;

  Landmarks() = default;  // none
  // At most `count`, at most kMost; none where all ground that a landmark reaches is all but seen
  // from it. Components of less than a 64th of the cells get none. O(count n log n), about: 32 on
  // 37,000 cells take 0.8 s. None, too, if they would take more than half of what `work` (null: no
  // bound) has left, or if that is over.
  Landmarks(const NavMesh& mesh, std::uint32_t count, WorkMeter* work = nullptr);
  // How many pay on such a mesh: kMost, fewer where the table would be too large, 0 on small ones.
  static std::uint32_t worth(const NavMesh& mesh);

  std::uint32_t count() const { return count_; }
  // Lattice steps from each landmark to a vertex, count() of them, to within kRounding of
  // themselves; infinite: there is no way.
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

// How far some places are from each landmark: within [low, high], lattice steps. Both infinite:
// there is no way.
struct LandmarkSpan {
  std::array<double, Landmarks::kMost> low{};
  std::array<double, Landmarks::kMost> high{};
};

// What a base says to who stands on what is left of it: its landmarks, and what it was cut from. A
// copy borrows all of it.
struct LandmarkView {
  const Landmarks* landmarks = nullptr;     // null: none
  const NavMesh* base = nullptr;            // whose vertices they know
  const std::uint32_t* base_of = nullptr;   // the base cell of each cell of the mesh
  const NavMesh* uncut = nullptr;           // what the base was cut from; null: nothing
  const std::uint32_t* uncut_of = nullptr;  // the cell that each base cell is a piece of
  // Nodes that a search expands before it asks landmarks, and before it looks for a way back over
  // the uncut mesh (navmesh/search/way_back.h): most end sooner.
  std::uint32_t nodes_before = 64;
  std::uint32_t nodes_before_way_back = 256;
  // How much longer than over the uncut mesh ways may be to profit from it, of the straight
  // distance; half a unit at least.
  double beyond = 0.02;

  std::uint32_t count() const { return landmarks == nullptr ? 0 : landmarks->count(); }
  bool is_empty() const { return count() == 0; }
  std::size_t bytes() const {
    return (landmarks == nullptr ? 0 : landmarks->bytes()) +
           (uncut == nullptr ? 0 : uncut->bytes() + base->cells_end() * sizeof(std::uint32_t));
  }
  // REQUIRES: uncut. Of a cell of the mesh.
  std::uint32_t uncut_cell(std::uint32_t cell) const { return uncut_of[base_of[cell]]; }
  // Of the places of a base cell that lie within the box, lattice steps; of all if it is larger
  // than the cell. REQUIRES: !is_empty().
  // O(corners of the cell * landmarks).
  LandmarkSpan span_of(std::uint32_t base_cell, double min_x, double max_x, double min_z,
                       double max_z) const;
  // No way between a place of the one and a place of the other is shorter; steps.
  double least(const LandmarkSpan& a, const LandmarkSpan& b) const;

  // Carving rounds corners to the lattice and may leave a hair outside of the base: so many steps
  // are taken off every bound. A millimetre.
  static constexpr double kSlack = 16;
};

}  // namespace repath
