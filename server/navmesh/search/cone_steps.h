// The steps of an any-angle search: A* over cones. Each kind of search puts it together from a
// core, bounds and a listener. Inner loops call all three without indirection.
//
// Bounds give lower bounds of the paths through a cone:
//   double lower(cone, left, right)   returns it for a cone and the ends of its edge
//   bool work(expansions)             does its own work; false: the slice was too short
//   void before(f)                    prepares for taking the best waiting cone, or raises its f
//   void count(expansions)            counts a cone that was taken
// A listener knows the question, and keeps the answer:
//   bool enters(edge)                 returns whether the ground behind an edge is wanted
//   bool hears_of(cell)               returns whether take() wants each cone into the cell
//   bool take(cone, right, left)      takes a successor; returns whether it is to be expanded
//   bool is_enough(f)                 returns whether the search may end before cones of this f
//   bool has_path()                   returns whether the search found a path
//   void on_expanded(cone, f)         takes note of a cone that is expanded
//   kHearsOfAll                       a constant: take() wants all cones, the shortest first
#pragma once

#include <algorithm>
#include <cstdint>

#include "navmesh/search/cone_core.h"
#include "navmesh/search/cone_successors.h"

namespace repath {

// Bounds that are the same during the whole search.
struct FixedBounds {
  static bool work(std::uint32_t* /*expansions*/) { return true; }
  static void before(double /*f*/) {}
  static void count(std::uint32_t* /*expansions*/) {}
};

// The length of the way to the nearest point that the cone sees: for searches without a goal that
// take cones shortest first.
struct LeastLengths : FixedBounds {
  static double lower(const Cone& cone, const NavMesh::Edge& left, const NavMesh::Edge& right) {
    return least_length(cone, left, right);
  }
};

// A listener that asks for no path, and wants all ground that can be reached.
struct NoPathAsked {
  static bool enters(const NavMesh::Edge& /*edge*/) { return true; }
  static bool hears_of(std::uint32_t /*cell*/) { return false; }
  static bool has_path() { return false; }
  static void on_expanded(const Cone& /*cone*/, double /*f*/) {}
};

// Lives for one slice of a search.
template <class Bounds, class Listener>
class ConeSteps {
 public:
  using Edge = NavMesh::Edge;

  ConeSteps(ConeCore& core, Bounds& bounds, Listener& listener)
      : core_(core),
        bounds_(bounds),
        listener_(listener),
        successors_(*core.mesh, core.roots, *this) {}

  // Makes the first cones. REQUIRES: the core has begun.
  void open() {
    for (const std::uint32_t cell : core_.start_cells)
      successors_.from_start(core_.start_root(), cell);
    settle_made();
  }

  // Expands at most `*expansions` cones and takes off what it used. O(edges of a cell + log n)
  // each.
  [[nodiscard]] Progress advance(std::uint32_t* expansions) {
    const auto next = [&] {
      if (!bounds_.work(expansions)) return Turn::kNextSlice;
      return core_.has_current || take_next() ? Turn::kNode : Turn::kEnd;
    };
    const auto expand = [&] {
      bounds_.count(expansions);
      expand_current();
    };
    if (!core_.queue.work(expansions, next, expand)) return Progress::kOutOfBudget;
    return listener_.has_path() ? Progress::kPathFound : Progress::kNoPath;
  }

  // For the successors.
  bool enters(const Edge& edge) const { return listener_.enters(edge); }
  void take(const Cone& cone, const Edge& right, const Edge& left) {
    if (listener_.take(cone, right, left)) core_.made.push_back({cone, &left, &right});
  }

 private:
  bool take_next() {
    return core_.take_next([this] {
      bounds_.before(core_.queue.heap.top().f);
      return !listener_.is_enough(core_.queue.heap.top().f);
    });
  }

  void expand_current() {
    if (core_.queue.expanded == core_.compared_after) core_.roots.compare_ends();
    listener_.on_expanded(core_.current, core_.current_f);
    if (!Listener::kHearsOfAll && passes_whole()) return;
    core_.has_current = false;
    successors_.of(core_.current);
    settle_made();
  }

  // Replaces the current cone by its successor, or ends it, if one edge takes in all of it. Returns
  // false if that is not so. Most cones lie between two rays that bend nowhere; this does in less
  // time what the successors and settle_made() would do.
  bool passes_whole() {
    Cone& cone = core_.current;
    if (cone.left_at_vertex || cone.right_at_vertex || cone.root_is_end()) return false;
    const Edge* const entered = core_.mesh->edges() + cone.edge;
    const Edge* const first = entered - entered->place;
    const Edge* const end = first + entered->count;
    const auto after = [first, end](const Edge* e) { return e + 1 == end ? first : e + 1; };
    const Edge* right = after(entered);
    const Edge* left = after(right);
    double x = left->x - cone.root.x;
    double z = left->z - cone.root.z;
    for (;;) {
      const double side = side_of(cone.right_x, cone.right_z, x, z);
      if (side > 0) break;
      if (side == 0) return false;
      right = left;
      left = after(left);
      x = left->x - cone.root.x;
      z = left->z - cone.root.z;
    }
    if (side_of(cone.left_x, cone.left_z, x, z) <= 0) return false;
    if (listener_.hears_of(right->neighbour)) return false;
    core_.has_current = right->twin != kNoEdge && listener_.enters(*right);
    if (!core_.has_current) return true;
    ++core_.queue.generated;
    cone.edge = right->twin;
    prefetch_cell_around(core_.mesh->edges() + right->twin);
    core_.has_current = !core_.roots.is_beaten(cone, *left, *right);
    return true;
  }

  // Expands a single successor next, whatever its f. Several successors wait.
  void settle_made() {
    auto& made = core_.made;
    core_.queue.generated += made.size();
    std::erase_if(made, [this](const ConeCore::Made& one) {
      return core_.roots.is_beaten(one.cone, *one.left, *one.right);
    });
    if (!Listener::kHearsOfAll && made.size() == 1) {
      core_.current = made.front().cone;
      core_.has_current = true;
    } else {
      for (const auto& [cone, left, right] : made) {
        const double f = std::max(core_.current_f, bounds_.lower(cone, *left, *right));
        if (!listener_.is_enough(f)) core_.wait(cone, f);
      }
    }
    made.clear();
  }

  ConeCore& core_;
  Bounds& bounds_;
  Listener& listener_;
  ConeSuccessors<ConeSteps> successors_;
};

// For bounds without memory, and listeners made for one slice.
template <class Bounds, class Listener>
void open_cones(ConeCore& core, Bounds bounds, Listener listener) {
  ConeSteps(core, bounds, listener).open();
}
template <class Bounds, class Listener>
Progress advance_cones(ConeCore& core, Bounds bounds, Listener listener,
                       std::uint32_t* expansions) {
  return ConeSteps(core, bounds, listener).advance(expansions);
}

}  // namespace repath
