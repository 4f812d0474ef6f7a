// Which nodes of a graph lead to which, for many questions.
#include <memory>
#include <utility>
#include <vector>

#include "routes/graph_ground.h"
#include "routes/parts_reach.h"
#include "routes/strong_parts.h"

namespace repath {
namespace {

class NodesReach final : public PartsReach {
 public:
  explicit NodesReach(std::unique_ptr<const StrongParts> parts) : PartsReach(std::move(parts)) {}

 private:
  void append_parts(const RoutePlace& place, std::vector<std::uint32_t>* list) const override {
    list->push_back(parts()->part_of(place.cell));
  }
};

}  // namespace

std::unique_ptr<ReachTable> GraphGround::reach_table(WorkMeter* meter) const {
  const RouteGraph routes = graph();
  NodeWays ways;
  ways.reserve(routes.node_count(), space_->graph.edge_count());
  for (std::uint32_t n = 0; n < routes.node_count(); ++n) {
    if (!meter->spend(StrongParts::kUnitsToList * (1 + space_->graph.edges_from(NodeId{n}).size())))
      return nullptr;
    routes.for_each_successor(NodeId{n},
                              [&](NodeId to, Cost) { ways.targets.push_back(index(to)); });
    ways.end_node();
  }
  std::unique_ptr<const StrongParts> parts = StrongParts::find(ways, meter);
  if (parts == nullptr) return nullptr;
  return std::make_unique<NodesReach>(std::move(parts));
}

std::uint64_t GraphGround::reach_bytes() const {
  return StrongParts::bytes_to_find(space_->graph.node_count(), space_->graph.edge_count());
}

bool GraphGround::reaches_as(const RouteGround& other) const {
  const auto& ground = static_cast<const GraphGround&>(other);
  return space_ == ground.space_ && filter_.include == ground.filter_.include &&
         filter_.exclude == ground.filter_.exclude && filter_.width == ground.filter_.width;
}

}  // namespace repath
