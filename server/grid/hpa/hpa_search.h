// HPA*: a path to one of the goals that is near the cheapest, over the abstraction of a layer; what
// it may be dearer is said of each. "No path" is exact.
//
// Source: A. Botea, M. Müller, J. Schaeffer, 2004 (grid/hpa/hpa_map.h). Three phases: start and
// goals are joined to the nodes of their clusters, and an A* goes from one to the other on the
// highest level on which both are kStepsApart clusters apart; its steps become cells, level by
// level; the path is made shorter (grid/hpa/hpa_smooth.h). Which of several goals it leads to is
// not said to be the nearest. Facts of clusters that nobody asked for yet are found on the way and
// are no part of the figures, so that these do not depend on who asked before. Not thread-safe.
// Borrows the map, which must not change before the search is done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/cost.h"
#include "base/ids.h"
#include "grid/hpa/hpa_level_search.h"
#include "grid/hpa/hpa_map.h"
#include "grid/hpa/hpa_reach.h"
#include "grid/hpa/hpa_smooth.h"
#include "search/classic/a_star.h"
#include "search/goal_set.h"
#include "search/graph.h"

namespace repath {

class HpaSearch {
 public:
  static constexpr std::int32_t kStepsApart = 2;

  // Joins start and goals to their clusters. A weight above 1 makes the A* over nodes a weighted
  // one: a dearer path, sooner, and past most of the clusters that nobody asked for yet. REQUIRES:
  // they are nodes of the layer. O(clusters with goals x their size).
  HpaSearch(const HpaMap& map, NodeId start, const GoalSet& goals,
            AStarWeight weight = AStarWeight(1));

  // Expands about `*expansions` nodes and cells, a step or a window beyond at most, and takes off
  // what it used. Ends a slice early when it had to find the facts of many clusters. kNoPath: no
  // goal can be reached.
  [[nodiscard]] Progress advance(std::uint32_t* expansions);

  // kNoNode, kUnreachable before kPathFound.
  NodeId goal() const { return is_found() ? path().back() : kNoNode; }
  Cost path_cost() const { return is_found() ? smoother_->cost() : kUnreachable; }
  // No path to any goal costs less than this. REQUIRES: kPathFound.
  Cost lower_bound() const { return lower_bound_; }
  // Appends every cell from the start to goal(), both included. REQUIRES: kPathFound. O(length).
  void append_path(std::vector<NodeId>* out) const;

  // Every node the main search reached, ascending by id.
  template <class Visit>
  void for_each_touched(Visit&& visit) const {
    for (const TouchedNode& node : touched()) visit(node);
  }

  // Nodes and cells.
  std::uint64_t expanded() const;
  // Edges between nodes looked at.
  std::uint64_t generated() const;
  std::size_t bytes() const;

 private:
  bool is_found() const { return phase_ == Phase::kFound; }
  const std::vector<NodeId>& path() const { return smoother_->path(); }
  int level_for(NodeId start, const GoalSet& goals) const;
  void join_goals(const GoalSet& goals);
  void try_within_cluster(NodeId start, const GoalSet& goals);
  void join_start();
  void begin_steps();
  void take_step(std::uint32_t* expansions);
  std::vector<TouchedNode> touched() const;

  enum class Phase : std::uint8_t { kSearch, kSteps, kSmooth, kFound, kNoPath };

  const HpaMap* map_;
  HpaBound bound_;
  Cost lower_bound_;
  int level_;
  HpaLevelSearch search_;
  HpaEffort effort_;
  std::optional<HpaReach> from_start_;
  std::vector<HpaReach> to_goals_;  // by cluster
  std::vector<NodeId> within_;      // the way within the start's cluster, if there is one
  Phase phase_ = Phase::kSearch;
  std::vector<NodeId> way_;  // the nodes of the best path
  std::size_t next_ = 0;     // of them, to be reached
  std::vector<NodeId> cells_;
  std::optional<HpaSmoother> smoother_;
};

}  // namespace repath
