// Copies of navmesh and graph worlds under way (world/piecewise_copy.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "graph/waypoint_graph.h"
#include "world/piecewise_copy.h"
#include "world/world_content.h"

namespace repath {

class GraphWorld;
class NavWorld;
class RouteWorld;

// The copy of a navmesh world. Its ground and links are as they were when the copy began.
class NavCopy {
 public:
  // Begins a copy of the world as it is. Borrows the world. O(links).
  explicit NavCopy(const NavWorld& world);
  // Is called before an obstacle changes, appears (`before` is null) or goes.
  void note_before(ObstacleId id, const ObstacleSpec* before);
  bool advance(std::int64_t* bytes);
  WorldContent take();

 private:
  const NavWorld& world_;
  WorldContent content_;
  PiecewiseCopy<ObstacleId, ObstacleSpec> obstacles_;
};

// The copy of a graph world. A part is a node with the edges that leave it.
class GraphCopy {
 public:
  struct Part {
    GraphNode node;
    std::vector<GraphEdge> edges;
  };
  // Begins a copy of the world as it is. Borrows the world.
  explicit GraphCopy(const GraphWorld& world);
  // Is called before the edits are made.
  void note_before(std::span<const GraphEdit> edits);
  bool advance(std::int64_t* bytes);
  WorldContent take();

 private:
  std::optional<Part> part(std::uint64_t node) const;

  const GraphWorld& world_;
  WorldContent content_;
  PiecewiseCopy<std::uint64_t, Part> parts_;
};

// Returns an edge of a graph as a client describes it, with its cost.
GraphEdge edge_of(const WaypointGraph& graph, NodeId from, const WaypointGraph::Edge& edge);

// Returns a page of nodes and edges; the revision is left open. O(log nodes + entries).
GraphPage read_graph(const WaypointGraph& graph, const GraphQuestion& question);

}  // namespace repath
