// The shortest ways from a goal over uncut ground: the mesh that a base was cut from, without
// obstacles. It has few cells, so a search over it costs little. The lengths that it finds are all
// but those of the ways to the goal over the carved mesh.
//
// Source: A* bounded by true distances of a relaxed problem, as in R. Holte, M. Perez, R. Zimmer,
// A. MacDonald, "Hierarchical A*: searching abstraction hierarchies efficiently", AAAI 1996. We
// depart in this: each query makes one search from the goal, as far as the start and `beyond` it.
// It leaves, by cell, the last bends of the ways into the cell instead of lengths. So the bound of
// any interval in the cell is exact (BaseBounds::lower).
//
// Why no way is shorter than the bends say: no way over carved ground is shorter than one over the
// uncut ground. Let p be a place on a way that is no longer than certain(), and r the last bend of
// a shortest way over uncut ground from the goal to p. If the cone of r came into p's cell, it lies
// on a way as short, so the search expanded it and r is listed. Otherwise r is a corner of the
// cell; a bend before r is listed, and its bound is lower. The search enters dead ends only if the
// start lies in one. A way over carved ground may go into a dead end and out again, past an
// obstacle in its mouth. It is in the cell outside the mouth before and after, so the bends of that
// cell give lower bounds for the cells inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "navmesh/mesh/mesh_place.h"
#include "navmesh/mesh/nav_mesh.h"
#include "navmesh/search/cone_core.h"
#include "navmesh/search/path_to_goal.h"
#include "navmesh/search/stamped.h"

namespace repath {

class WayBack {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // Begins a search; forgets the last one. `beyond` in lattice steps, above 0. The mesh must not
  // change before the last question. REQUIRES: both places lie in their cells of the uncut mesh.
  // O(1), and O(way out of a dead end).
  void begin(const NavMesh& uncut, const MeshPlace& goal, const MeshPlace& start, double beyond);
  // As AnyAngleSearch::advance(), but returns kNoPath also if both places lie in one cell, because
  // straight distances are as good then. The functions below REQUIRE kPathFound.
  [[nodiscard]] Progress advance(std::uint32_t* expansions);

  // Returns the length of the shortest way to the start, plus `beyond`, in steps.
  double certain() const { return certain_; }
  // The last bend of some ways from the goal, or the goal itself. Lattice steps.
  struct Bend {
    double x = 0;
    double z = 0;
    double g = 0;                // length of the shortest way to it
    std::uint32_t root = 0;      // vertex of the uncut mesh; its vertices_end(): the goal
    std::uint32_t next = kNone;  // of the same cell; kNone: it is the last
  };
  const Bend& bend(std::uint32_t bend) const { return bends_[bend]; }
  std::uint32_t bends() const { return static_cast<std::uint32_t>(bends_.size()); }
  // Returns the first bend of an uncut cell; kNone if all ways through it are longer than
  // certain(). O(1), and once O(way out of a dead end).
  std::uint32_t first_bend(std::uint32_t cell) {
    return first_of_.knows(cell) ? first_of_[cell].bend : first_bend_outside(cell);
  }

  // Number of nodes.
  std::uint64_t expanded() const { return core_.queue.expanded; }
  std::size_t bytes() const;

 private:
  struct First {
    std::uint32_t bend = kNone;
    std::uint32_t stamp = 0;
  };
  // A root, and a cell that it looks into.
  struct SeenRoot {
    std::uint32_t cell = 0;
    std::uint32_t root = 0;  // vertex; vertices_end(): the goal
  };
  struct PathAndRoots : PathToGoal {
    using PathToGoal::PathToGoal;
    void on_expanded(const Cone& cone, double /*f*/) {
      seen.push_back({core().mesh->cell_of(cone.edge), cone.root.vertex});
    }
    std::vector<SeenRoot> seen;  // some more than once
  };

  void list_bends();
  std::uint32_t first_bend_outside(std::uint32_t cell);
  std::uint32_t cell_outside(std::uint32_t cell) const;
  void add(std::uint32_t cell, const Bend& bend);

  ConeCore core_;
  PathAndRoots path_{&core_};  // from the goal to the start
  double beyond_ = 0;
  double certain_ = 0;
  std::vector<Bend> bends_;
  Stamped<First> first_of_;            // by cell
  std::vector<std::uint32_t> inside_;  // a path of cells out of a dead end
};

}  // namespace repath
