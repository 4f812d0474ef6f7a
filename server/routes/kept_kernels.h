// The incremental kernels of search/ on a graph without a least cost of edges, behind the interface
// of search/kept_search.h.
//
// Edges may cost next to nothing, so the field that agents share is D* Lite without a focus; the
// buckets of GoalField are at most as wide as the cheapest edge.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "search/incremental/d_star_lite.h"
#include "search/incremental/lpa_star.h"
#include "search/kept_search.h"

namespace repath {

// D* Lite without a focus, which many starts share.
template <SearchGraph Graph>
class UnfocusedField final : public GoalRooted<DStarLite<Graph>> {
 public:
  UnfocusedField(const Graph& graph, NodeId start, GoalSet goals)
      : GoalRooted<DStarLite<Graph>>(graph, start, std::move(goals), Focus::kNone) {}

  Progress advance(NodeId target, std::uint32_t* expansions) override {
    return this->kernel_.advance_to(target, expansions);
  }
  Cost known_cost(NodeId target) const override { return this->kernel_.cost(target); }
};

// Returns null for a kind that is not incremental. Borrows the graph.
template <SearchGraph Graph>
std::unique_ptr<PathSearch> make_kept_kernel(SearchKind kind, const Graph& graph, NodeId start,
                                             GoalSet goals) {
  switch (kind) {
    case SearchKind::kLpa:
      return std::make_unique<StartRooted<LpaStar<Graph>>>(start, graph, start, std::move(goals));
    case SearchKind::kDStarLite:
      return std::make_unique<DStarLiteKept<Graph>>(graph, start, std::move(goals));
    case SearchKind::kField:
      return std::make_unique<UnfocusedField<Graph>>(graph, start, std::move(goals));
    default:
      return nullptr;
  }
}

}  // namespace repath
