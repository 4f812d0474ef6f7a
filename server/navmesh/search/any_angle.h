// Any-angle search: a shortest path over the ground of a mesh, turning at corners only.
//
// Source: M. Cui, D. Harabor, A. Grastien, "Compromise-free pathfinding on a navigation mesh"
// (Polyanya), IJCAI 2017: A* over intervals of edges, each seen from one root (the start or a
// corner), pruned by the best known length to the root. Each file of the search says where it
// departs from the paper: the core (cone*.h), the bounds (base_bounds.h) and the listener
// (path_to_goal.h). cone_steps.h says how they are put together.
//
// Lengths are horizontal, at factor 1, over the ground alone: links are not taken. The path is a
// shortest one among such paths, to rounding: lengths are sums of IEEE doubles, by + - x / and
// square root. If two cones have equal f, the one made later comes first, so a run replays bit for
// bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "navmesh/search/base_bounds.h"
#include "navmesh/search/cone_core.h"
#include "navmesh/search/known_lengths.h"
#include "navmesh/search/path_to_goal.h"

namespace repath {

class AnyAngleSearch {
 public:
  // Borrows the core, which no other search may use while this one runs or is asked.
  explicit AnyAngleSearch(ConeCore* core) : core_(core), path_(core), bounds_(core, &path_) {}
  AnyAngleSearch(const AnyAngleSearch&) = delete;
  AnyAngleSearch& operator=(const AnyAngleSearch&) = delete;

  // Begins a search; forgets the last one. `landmarks` are those of the base of the mesh; they must
  // not change before the search is done. `lengths.known` come from a search with the same goal,
  // when the ground was no smaller (a millimetre aside). REQUIRES: both places lie in their live
  // cells. O(1), O(way out of the goal's dead end), O(known lengths), and O(vertices) when the mesh
  // has grown.
  void begin(const NavMesh& mesh, const MeshPlace& start, const MeshPlace& goal,
             const LandmarkView& landmarks = {}, const LengthsUse& lengths = {});

  // Number of cones expanded before cones are compared with the ends of their edges: most searches
  // are over before that pays.
  static constexpr std::uint64_t kConesUncompared = 512;
  // Sets another number, from the next begin() on; 0 for tests on small meshes.
  void compare_ends_after(std::uint64_t cones) { uncompared_ = cones; }

  // Appends cones as they are expanded, at most `most`, until the next begin(). Borrows the list.
  void log_expanded(std::vector<SeenCone>* log, std::size_t most) {
    path_.log = log;
    path_.log_max = most;
  }
  // Appends the cones that wait, at most `most`. Returns false if there are more.
  bool append_waiting(std::size_t most, std::vector<SeenCone>* out) const;

  // Expands at most `*expansions` cones and takes off what it used. O(edges of a cell + log n)
  // each.
  [[nodiscard]] Progress advance(std::uint32_t* expansions);

  // World units. REQUIRES: kPathFound.
  double path_length() const;
  // Appends start, bends and goal, in order. REQUIRES: kPathFound. O(length).
  void append_path(std::vector<PathCorner>* out) const { path_.append_path(out); }
  // Appends the lengths that the search leaves to later ones. Returns false, and appends nothing,
  // if start and goal share a cell. REQUIRES: begun with `lengths.beyond`, and kPathFound.
  // O(vertices seen).
  bool append_lengths(KnownLengths* out) const;

  // Cones, and the nodes of the way back: a search from the goal that only bounds.
  std::uint64_t expanded() const { return cones_expanded() + bounds_.expanded(); }
  std::uint64_t cones_expanded() const { return core_->queue.expanded; }
  std::uint64_t generated() const { return core_->queue.generated; }
  std::size_t bytes() const { return core_->bytes() + path_.bytes() + bounds_.bytes(); }

 private:
  struct LoggedPath : PathToGoal {
    using PathToGoal::PathToGoal;
    void on_expanded(const Cone& cone, double f) {
      if (log != nullptr && log->size() < log_max) log->push_back(seen(cone, f));
    }
    SeenCone seen(const Cone& cone, double f) const;
    std::vector<SeenCone>* log = nullptr;  // null: nobody looks
    std::size_t log_max = 0;
  };

  ConeCore* core_;
  LoggedPath path_;
  BaseBounds bounds_;
  double beyond_ = 0;
  std::uint64_t uncompared_ = kConesUncompared;
};

}  // namespace repath
