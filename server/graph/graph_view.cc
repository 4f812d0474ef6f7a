#include "graph/graph_view.h"

#include <tuple>

namespace repath {

GraphDelta graph_delta(const GraphChanges& changes, const GraphFilter& filter) {
  std::vector<TouchedEdge> edges = changes.edges;
  const auto key = [](const TouchedEdge& e) { return std::tuple(e.from, e.to, e.key); };
  std::ranges::stable_sort(edges, {}, key);
  GraphDelta delta;
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t last = i;
    while (last + 1 < edges.size() && key(edges[last + 1]) == key(edges[i])) ++last;
    const GraphEdgeChange change{edges[i].from, edges[i].to, filter.cost(edges[i].before),
                                 filter.cost(edges[last].after), edges[i].key};
    if (change.after > change.before) delta.risen.push_back(change);
    if (change.after < change.before) delta.fallen.push_back(change);
    i = last + 1;
  }
  return delta;
}

}  // namespace repath
