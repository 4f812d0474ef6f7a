#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/queries.h"
#include "engine/query_run.h"
#include "grid/cells/place.h"
#include "grid/cells/snap.h"
#include "search/classic/dijkstra.h"

namespace repath {
namespace {

// Returns the squared distance, in cells, between a cell's centre and the nearest threat.
double squared_to_threats(std::span<const MapPoint> threats, Place place) {
  const MapPoint centre = centre_of(place);
  double least = std::numeric_limits<double>::infinity();
  for (const MapPoint& threat : threats) least = std::min(least, squared_distance(centre, threat));
  return least;
}

// Settles cells until one is far enough. Cells are settled in the order of their cost, so the first
// one that is far enough is the cheapest to reach. If several cells are farthest, the first is the
// cheapest of them.
class Flight {
 public:
  Flight(const Snapshot& world, const GridGraph& graph, const Source& source,
         const AwayQuery& query)
      : world_(world), query_(query), kernel_(graph, {&source, 1}) {}

  // Returns kNoPath if no reachable cell is far enough.
  Progress advance(std::uint32_t* expansions) {
    for (;;) {
      std::uint32_t one = std::min(*expansions, 1u);
      *expansions -= one;
      const std::size_t settled = kernel_.settled().size();
      const Progress progress = kernel_.advance(&one);
      if (kernel_.settled().size() == settled) return progress;
      if (is_far_enough(kernel_.settled().back())) return Progress::kPathFound;
    }
  }
  const Dijkstra<GridGraph>& kernel() const { return kernel_; }
  // Takes the path to the farthest cell settled. REQUIRES: advance() has ended.
  void take_path(AwayAnswer* answer) const {
    answer->distance = std::sqrt(most_);
    answer->path.cost = kernel_.cost(farthest_);
    kernel_.append_path(farthest_, &answer->path.nodes);
  }

 private:
  bool is_far_enough(NodeId node) {
    const double squared = squared_to_threats(query_.threats, place_of(world_.layer, node));
    if (squared > most_) {
      most_ = squared;
      farthest_ = node;
    }
    return squared >= query_.distance * query_.distance;
  }

  const Snapshot& world_;
  const AwayQuery& query_;
  Dijkstra<GridGraph> kernel_;
  double most_ = -1;
  NodeId farthest_ = kNoNode;
};

}  // namespace

AwayAnswer find_away(const Snapshot& world, const AwayQuery& query, const QueryLimits& limits) {
  AwayAnswer answer;
  QueryState& state = answer.path.state;
  const QueryStart<NodeId> start = find_start(world.layer, query.from, query.snap_start);
  if (start.is_blocked) state = QueryState::kStartBlocked;
  if (!start.place) return answer;
  const Source source{*start.place, 0};
  const GridGraph graph = world.graph();
  Flight flight(world, graph, source, query);
  const Progress progress = QueryRun(limits).to_end(flight);
  add_effort(flight.kernel(), &answer.path);
  state = query_state(progress);
  if (progress == Progress::kOutOfBudget) return answer;
  if (progress == Progress::kNoPath && query.allow_partial) state = QueryState::kPartial;
  if (start.is_blocked) state = QueryState::kStartBlocked;
  if (progress == Progress::kPathFound || query.allow_partial) flight.take_path(&answer);
  return answer;
}

}  // namespace repath
