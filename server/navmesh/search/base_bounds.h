// Lower bounds of a search to a goal (navmesh/search/cone_steps.h): straight distances, and bounds
// from the base of a carved mesh or from an earlier search.
//
// Bounds from elsewhere are used in this order:
//   - Landmarks of the base (navmesh/search/landmarks.h), after some 64 cones.
//   - A way back (navmesh/search/way_back.h), after some 256 cones; both searches run in turns.
//   - Known lengths of an earlier search the other way (navmesh/search/known_lengths.h). Such a
//     search looks back only when all ways that are certain by them have turned out too long.
// No cone has a lower bound than the one it came from: see ConeSteps.
//
// Why known lengths hold. Let a search from s run on ground that lies within the old one, and let a
// way of length w lead from s to a vertex v. Let k be the length noted for v, infinite if v was
// there and was not noted.
//   - If w + k <= certain, k was the true length, and no way on the remaining ground is shorter.
//   - Otherwise v is farther than certain - w from the old start: a shorter length would have been
//     noted.
// So min(k, certain - w) never overestimates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "navmesh/search/cone_core.h"
#include "navmesh/search/known_lengths.h"
#include "navmesh/search/landmarks.h"
#include "navmesh/search/path_to_goal.h"
#include "navmesh/search/stamped.h"
#include "navmesh/search/way_back.h"

namespace repath {

class BaseBounds {
 public:
  using Edge = NavMesh::Edge;
  static constexpr std::uint32_t kLandmarkUnits = 16;  // expansions that asking landmarks costs

  BaseBounds(ConeCore* core, const PathToGoal* path) : core_(core), path_(path) {}

  // Begins a search, after core and path. O(1), and O(known lengths).
  void begin(const LandmarkView& landmarks, const LengthsUse& lengths);

  bool work(std::uint32_t* expansions) { return !looks_back_ || look_back(expansions); }
  void before(double f) {
    if (knows_lengths() && f + 2 * LandmarkView::kSlack >= certain_) forget_known();
  }
  void count(std::uint32_t* expansions);
  double lower(const Cone& cone, const Edge& left, const Edge& right);

  // Nodes of the way back.
  std::uint64_t expanded() const { return expanded_back_; }
  std::size_t bytes() const { return way_back_.bytes() + known_of_.bytes(); }

 private:
  struct Known {
    float steps = 0;
    std::uint32_t stamp = 0;
  };

  bool knows_lengths() const { return known_ != nullptr || uses_way_back_; }
  void begin_way_back();
  bool look_back(std::uint32_t* expansions);
  void forget_known();
  void bound_again();
  double by_way_back(const Cone& cone, const Edge& left, const Edge& right);
  double by_ends(const Cone& cone, const Edge& left, const Edge& right);
  double landmark_rest(const Edge& end, std::uint32_t cell);
  double rest_over(const Edge& end, std::uint32_t cell, double way);
  double known_length(std::uint32_t vertex) const;

  ConeCore* core_;
  const PathToGoal* path_;
  LandmarkView landmarks_;
  GoalBound goal_bound_;  // says nothing before landmarks are asked
  const KnownLengths* known_ = nullptr;
  double certain_ = 0;       // longest way for which known lengths, or the way back, are certain
  Stamped<Known> known_of_;  // by vertex
  WayBack way_back_;
  bool looks_back_ = false;     // the way back is under way
  bool uses_way_back_ = false;  // it is found, and its bends are bounds
  std::uint64_t expanded_back_ = 0;
  std::uint64_t back_until_ = 0;  // expands so many back, then it is the search's own turn
};

}  // namespace repath
