// The shortest ways from a goal over uncut ground: the mesh that a base was cut from, with nothing
// carved out of it. Its cells are few, so a search over it costs little; and what it finds is all
// but what is left of the way to the goal from anywhere on what is carved.
//
// Source: A* bounded by true distances of a relaxed problem, as in R. Holte, M. Perez, R. Zimmer,
// A. MacDonald, "Hierarchical A*: searching abstraction hierarchies efficiently", AAAI 1996. We
// depart in this: one search from the goal, for each query, as far as the start and `beyond` it;
// and it leaves no lengths but, by cell, the last bends of ways into it, so that the bound of any
// interval in the cell is exact (AnyAngleSearch::lower_bound).
//
// Why no way is shorter than its bends say: no way over what is left is shorter than one over the
// uncut ground. Let p be a place on a way that is no longer than certain(), and r the last bend of
// a shortest way over uncut ground from the goal to p. If the cone of r came into p's cell, it lies
// on a way as short, so the search expanded it and r is listed; else r is a corner of the cell, and
// a bend before it is listed and says less. The search enters dead ends only if the start lies in
// one. But a way over what is left may go into one and out again, past an obstacle in its mouth: it
// is in the cell outside of the mouth before and after, so that one's bends say no more than is
// true of the cells inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "navmesh/mesh/mesh_place.h"
#include "navmesh/mesh/nav_mesh.h"
#include "navmesh/search/any_angle.h"

namespace repath {

class WayBack {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // Begins; forgets the last one. Both places lie in their cells of the uncut mesh, which must not
  // change before the last question. `beyond`: lattice steps, above 0. O(1) but for dead ends.
  void begin(const NavMesh& uncut, const MeshPlace& goal, const MeshPlace& start, double beyond);
  // As AnyAngleSearch::advance(), but kNoPath also says that both lie in one cell: straight
  // distances are as good then. What follows is for after kPathFound.
  [[nodiscard]] Progress advance(std::uint32_t* expansions);

  // Steps: the shortest way to the start, and `beyond`.
  double certain() const { return certain_; }
  // A last bend of ways from the goal, or the goal itself. Lattice steps.
  struct Bend {
    double x = 0;
    double z = 0;
    double g = 0;                // of the shortest way to it
    std::uint32_t root = 0;      // vertex of the uncut mesh; its vertices_end(): the goal
    std::uint32_t next = kNone;  // of the same cell; kNone: it is the last
  };
  const Bend& bend(std::uint32_t bend) const { return bends_[bend]; }
  std::uint32_t bends() const { return static_cast<std::uint32_t>(bends_.size()); }
  // Of an uncut cell; kNone: no way through it is as short as certain(). O(1), but for the way out
  // of a dead end once.
  std::uint32_t first_bend(std::uint32_t cell) {
    const First& first = first_of_[cell];
    return first.stamp == stamp_ ? first.bend : first_bend_outside(cell);
  }

  // Nodes.
  std::uint64_t expanded() const { return search_.expanded(); }
  std::size_t bytes() const;

 private:
  struct First {
    std::uint32_t bend = kNone;
    std::uint32_t stamp = 0;  // meaningless unless it is that of this query
  };

  void list_bends();
  std::uint32_t first_bend_outside(std::uint32_t cell);
  std::uint32_t cell_outside(std::uint32_t cell) const;
  void add(std::uint32_t cell, const Bend& bend);

  AnyAngleSearch search_;
  const NavMesh* uncut_ = nullptr;
  MeshPlace goal_;
  double beyond_ = 0;
  double certain_ = 0;
  std::vector<AnyAngleSearch::CellRoot> seen_;
  std::vector<std::uint32_t> around_;  // cells of the goal
  std::vector<Bend> bends_;
  std::vector<First> first_of_;        // by cell
  std::vector<std::uint32_t> inside_;  // a path of cells out of a dead end
  std::uint32_t stamp_ = 0;
};

}  // namespace repath
