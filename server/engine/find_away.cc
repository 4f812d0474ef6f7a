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

// Looks at the cells of a search in the order in which they are settled. So the first cell that is
// far enough is the cheapest to reach. If several cells are farthest, the first is the cheapest of
// them.
class FarCells {
 public:
  FarCells(const Snapshot& world, const AwayQuery& query)
      : world_(world), query_(query), enough_(query.distance * query.distance) {}

  // Returns true if `node` is far enough.
  bool look_at(NodeId node) {
    const double squared = squared_to_threats(query_.threats, place_of(world_.layer, node));
    if (squared > most_) {
      most_ = squared;
      farthest_ = node;
    }
    return squared >= enough_;
  }
  // Returns the farthest cell looked at so far, including one that is far enough; kNoNode: none
  // yet.
  NodeId farthest() const { return farthest_; }
  double distance() const { return std::sqrt(most_); }

 private:
  const Snapshot& world_;
  const AwayQuery& query_;
  double enough_;
  double most_ = -1;
  NodeId farthest_ = kNoNode;
};

// Settles cells until one is far enough: kPathFound. Returns kNoPath if no reachable cell is far
// enough.
Progress flee(Dijkstra<GridGraph>& kernel, FarCells& cells, std::uint32_t* expansions) {
  for (;;) {
    std::uint32_t one = std::min(*expansions, 1u);
    *expansions -= one;
    const std::size_t settled = kernel.settled().size();
    const Progress progress = kernel.advance(&one);
    if (kernel.settled().size() == settled) return progress;
    if (cells.look_at(kernel.settled().back())) return Progress::kPathFound;
  }
}

void take_path(const Dijkstra<GridGraph>& kernel, const FarCells& cells, AwayAnswer* answer) {
  answer->distance = cells.distance();
  answer->path.cost = kernel.cost(cells.farthest());
  kernel.append_path(cells.farthest(), &answer->path.nodes);
}

}  // namespace

AwayAnswer find_away(const Snapshot& world, const AwayQuery& query, const QueryLimits& limits) {
  AwayAnswer answer;
  QueryState& state = answer.path.state;
  const QueryStart<NodeId> start = find_start(world.layer, query.from, query.snap_start);
  if (start.is_blocked) state = QueryState::kStartBlocked;
  if (!start.place) return answer;
  const Source source{*start.place, 0};
  const GridGraph graph = world.graph();
  Dijkstra<GridGraph> kernel(graph, {&source, 1});
  FarCells cells(world, query);
  QueryRun run(limits);
  const Progress progress =
      run.to_end([&](std::uint32_t* expansions) { return flee(kernel, cells, expansions); });
  add_effort(kernel, &answer.path);
  state = query_state(progress);
  if (progress == Progress::kOutOfBudget) return answer;
  if (progress == Progress::kNoPath && query.allow_partial) state = QueryState::kPartial;
  if (start.is_blocked) state = QueryState::kStartBlocked;
  if (progress == Progress::kPathFound || query.allow_partial) take_path(kernel, cells, &answer);
  return answer;
}

}  // namespace repath
