// Which nodes of a graph lead to which, for many questions.
#include <memory>
#include <vector>

#include "routes/graph_ground.h"
#include "routes/parts_reach.h"
#include "routes/strong_parts.h"

namespace repath {
namespace {

class NodesReach final : public PartsReach {
 public:
  explicit NodesReach(const NodeWays& ways) : PartsReach(std::make_unique<StrongParts>(ways)) {}

 private:
  void append_parts(const RoutePlace& place, std::vector<std::uint32_t>* list) const override {
    list->push_back(parts()->part_of(place.cell));
  }
};

}  // namespace

std::unique_ptr<ReachTable> GraphGround::reach_table() const {
  const RouteGraph routes = graph();
  NodeWays ways;
  for (std::uint32_t n = 0; n < routes.node_count(); ++n) {
    routes.for_each_successor(NodeId{n},
                              [&](NodeId to, Cost) { ways.targets.push_back(index(to)); });
    ways.end_node();
  }
  return std::make_unique<NodesReach>(ways);
}

}  // namespace repath
