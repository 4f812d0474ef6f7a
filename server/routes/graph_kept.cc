// Searches on a graph that their owners keep (KeptRouteSearch), by routes/kept_kernels.h.
#include <memory>
#include <utility>
#include <vector>

#include "base/check.h"
#include "routes/graph_ground.h"
#include "routes/kept_kernels.h"

namespace repath {
namespace {

class KeptGraphSearch final : public KeptRouteSearch {
 public:
  KeptGraphSearch(SearchKind kind, const GraphGround& ground, NodeId start, GoalSet goals)
      : graph_(&ground.waypoints()),
        filter_(&ground.filter()),
        routes_(graph_, filter_, &work_),
        search_(make_kept_kernel(kind, routes_, start, std::move(goals))) {}

  void read(const RouteGround& ground) override {
    const auto& graph_ground = static_cast<const GraphGround&>(ground);
    graph_ = &graph_ground.waypoints();
    filter_ = &graph_ground.filter();
    routes_ = RouteGraph(graph_, filter_, &work_);
  }
  void on_edges_changed(std::span<const NodeId> nodes) override {
    for (const NodeId node : nodes) search_->on_edges_changed(node);
  }
  Progress advance(const RoutePlace& from, std::uint32_t* expansions) override {
    return advance_counted(work_, expansions, [&](std::uint32_t* one) {
      return search_->advance(NodeId{from.cell}, one);
    });
  }
  std::uint64_t take_edge_units() override { return work_.take(); }
  Cost cost(const RoutePlace& from) const override { return search_->path_cost(NodeId{from.cell}); }
  void append_route(const RoutePlace& from, std::vector<RoutePoint>* out) const override {
    std::vector<NodeId> nodes;
    REPATH_CHECK(search_->append_path(NodeId{from.cell}, &nodes));
    append_points(*graph_, *filter_, nodes, out);
  }
  std::size_t bytes() const override { return sizeof *this + search_->bytes(); }

 private:
  const WaypointGraph* graph_;
  const GraphFilter* filter_;
  EdgeWork work_;
  RouteGraph routes_;  // borrowed by the kernel
  std::unique_ptr<PathSearch> search_;
};

}  // namespace

std::unique_ptr<KeptRouteSearch> GraphGround::kept_search(SearchKind kind, const RoutePlace& from,
                                                          std::span<const RoutePlace> goals) const {
  if (!is_incremental(kind)) return nullptr;
  REPATH_CHECK(!goals.empty() && goals.size() <= kRouteGoalsMax);
  std::vector<NodeId> nodes;
  for (const RoutePlace& goal : goals) nodes.push_back(NodeId{goal.cell});
  return std::make_unique<KeptGraphSearch>(kind, *this, NodeId{from.cell},
                                           GoalSet(std::move(nodes)));
}

}  // namespace repath
