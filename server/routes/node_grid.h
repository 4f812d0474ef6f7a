// Nodes of a graph by where they are: buckets over the plane, for the nearest one to a point.
//
// Thread rule: const functions on any number of threads, but not beside add() and remove().
// Answers depend on the nodes alone, not on the order in which they came.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "agents/route.h"
#include "base/ids.h"
#include "graph/waypoint_graph.h"
#include "routes/boxes.h"

namespace repath {

class NodeGrid {
 public:
  // O(nodes).
  explicit NodeGrid(const WaypointGraph& graph);

  // Adds a node that is live, or removes one that was live until just before. O(nodes of its
  // bucket); add() is O(nodes) each time their number has grown fourfold.
  void add(const WaypointGraph& graph, NodeId n);
  void remove(const WaypointGraph& graph, NodeId n);

  // Returns the nearest open node in space, at most `radius` away; among equals the lowest id.
  // Adds the number of nodes and buckets that it looked at to `*looks`, if it is given. O(nodes and
  // buckets nearer than it on the plane).
  std::optional<NodeId> nearest(const WaypointGraph& graph, const Spot& at, double radius,
                                std::uint64_t* looks = nullptr) const;
  // Returns all open nodes at most `radius` away, ascending by the clients' ids. O(n log n).
  std::vector<NodeId> within(const WaypointGraph& graph, const Spot& at, double radius) const;

  // Returns all nodes at exactly that place, open or not, ascending by the clients' ids. O(nodes of
  // its bucket).
  std::vector<NodeId> at(const WaypointGraph& graph, const Spot& place) const;

  std::size_t bytes() const;

 private:
  void build(const WaypointGraph& graph);
  std::int64_t column(double x) const;
  std::int64_t row(double z) const;
  std::vector<NodeId>& bucket_of(const GraphNode& node);

  double min_x_ = 0;
  double min_z_ = 0;
  double side_ = 1;
  std::int64_t width_ = 1;
  std::int64_t height_ = 1;
  // Nodes beyond the border are in the buckets along it.
  std::vector<std::vector<NodeId>> buckets_;
  std::size_t count_ = 0;
  std::size_t grown_at_ = 0;
};

inline Spot spot_of(const GraphNode& node) { return {node.x, node.y, node.z}; }

}  // namespace repath
