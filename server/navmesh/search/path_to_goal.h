// The listener of a search for a shortest path to one goal (navmesh/search/cone_steps.h).
//
// A goal's cell makes no cone: the answer is at hand when an edge into it is seen. Dead ends, which
// are whole trees of cells found when the mesh is built, are entered only if the goal lies in one.
// A search that leaves lengths behind (navmesh/search/known_lengths.h) goes on through the goal's
// cell, and into dead ends too if it is asked to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "geometry/point.h"
#include "navmesh/mesh/mesh_place.h"
#include "navmesh/search/cone_core.h"
#include "navmesh/search/stamped.h"

namespace repath {

// A bend of a path, or one of its ends.
struct PathCorner {
  Point at;                                  // world units
  std::uint32_t vertex = ~std::uint32_t{0};  // of the mesh; none at start and goal
  bool operator==(const PathCorner&) const = default;
};

class PathToGoal {
 public:
  using Edge = NavMesh::Edge;
  static constexpr bool kHearsOfAll = false;

  explicit PathToGoal(ConeCore* core) : core_(core) {}

  // Begins. `beyond`: the search shall go on until no way is left that is longer than the shortest
  // by less, lattice steps. Returns true if start and goal share a cell, so that nothing is to be
  // searched. REQUIRES: the core has begun; the place lies in its live cell.
  bool begin(const MeshPlace& goal, double beyond, bool enters_dead_ends);

  bool enters(const Edge& edge) const {
    return !edge.leads_into_dead_end || enters_dead_ends_ || on_way_.knows(edge.neighbour);
  }
  bool hears_of(std::uint32_t cell) const {
    for (const std::uint32_t goal : goal_cells_)
      if (goal == cell) return true;
    return false;
  }
  bool take(const Cone& cone, const Edge& right, const Edge& left) {
    if (!hears_of(right.neighbour)) return true;
    see_goal(cone, right, left);
    return beyond_ > 0;
  }
  bool is_enough(double f) const { return has_path() && f >= best_ + beyond_; }
  bool has_path() const { return best_ < std::numeric_limits<double>::infinity(); }
  void on_expanded(const Cone& /*cone*/, double /*f*/) {}

  const ConeCore& core() const { return *core_; }
  const MeshPlace& goal() const { return goal_; }
  // Length of the shortest path found, lattice steps; infinite if there is none yet.
  double best() const { return best_; }
  // Appends start, bends and goal, in order. REQUIRES: has_path(), and the search is done.
  // O(length).
  void append_path(std::vector<PathCorner>* out) const;
  std::size_t bytes() const {
    return on_way_.bytes() + goal_cells_.capacity() * sizeof(std::uint32_t);
  }

 private:
  struct OnWay {
    std::uint32_t stamp = 0;
  };

  void mark_way_to(std::uint32_t cell);
  void see_goal(const Cone& cone, const Edge& right, const Edge& left);
  void offer(const ConeRoot& from);

  ConeCore* core_;
  MeshPlace goal_;
  double beyond_ = 0;
  bool enters_dead_ends_ = false;
  double best_ = 0;
  std::uint32_t best_root_ = 0;
  std::vector<std::uint32_t> goal_cells_;
  Stamped<OnWay> on_way_;  // cells: known if the way to the goal leads through them
};

}  // namespace repath
