// A world that is a waypoint graph (graph/waypoint_graph.h). Its batches edit nodes and edges;
// obstacles and links are for meshes. All teams see the same.
//
// Places are open nodes, that is nodes switched on. A node that opens or closes is a change at its
// point: agents nearby may stand on another node afterwards. If several routes cost the same, the
// one found also depends on the order of edits; costs do not.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "routes/graph_ground.h"
#include "routes/route_copies.h"
#include "routes/route_world.h"

namespace repath {

// Greatest sum over all nodes, in world units. The cost of a node's dearest edge out counts, times
// the greatest factor of any profile, but at most kGraphCostMax as for every walker. It keeps every
// route's cost within the limit of search/graph.h.
inline constexpr double kGraphDearnessMax = 5e8;

// Checks whether all edits can be applied to the graph one after the other. Errors are those of
// WaypointGraph's edits, with fields such as "graph_edits[3].node.id", and NODE_EXISTS for a node
// that exists already. After OK, the graph refuses none of the edits. Adds up in `brought` what
// edges that are made or priced may cost a walker with that factor, in world units. O(n log n).
absl::Status check_graph_edits(const WaypointGraph& graph, std::span<const GraphEdit> edits,
                               double factor, double* brought);

class GraphWorld final : public RouteWorld {
 public:
  struct Source {
    std::string name;
    GraphSource graph;
    std::vector<Profile> profiles = {};  // "default" is added if it is missing
  };
  // Makes a world at revision 1. Errors: those of WaypointGraph::build ("graph.edges[3].cost") and
  // of profiles ("profiles[0].radius"); RESOURCE_EXHAUSTED with GRAPH_TOO_DEAR (kGraphDearnessMax)
  // or WORLD_MEMORY. O(n log n).
  static absl::StatusOr<std::unique_ptr<GraphWorld>> create(Source source,
                                                            const WorldLimits& limits = {});

  WorldKind kind() const override { return WorldKind::kGraph; }
  // A node that is added, or an edge that lowers WaypointGraph::ratio(), makes another shape.
  Revision shape_since() const override { return shape_since_; }
  std::uint64_t node_count() const override { return space_->graph.node_count(); }
  // O(1), but O(nodes) after the removal of a node on the border.
  RouteBox bounds() const override;
  std::uint64_t bytes() const override;

  std::shared_ptr<const QueryGround> keep(RouteViewId view) override;

  // Also fails with GRAPH_TOO_DEAR.
  absl::StatusOr<std::unique_ptr<StagedRoutes>> stage(const ChangeBatch& batch) override;
  std::unique_ptr<RouteWorld> clone() const override;

  const WaypointGraph& graph() const { return space_->graph; }
  std::optional<GraphPage> read_graph(const GraphQuestion& question) const override;
  absl::StatusOr<CopyId> begin_copy() override;
  std::optional<WorldContent> advance_copy(CopyId id, std::size_t bytes) override;
  void end_copy(CopyId id) override { copies_.end(id); }

 private:
  class Staged;
  // The effect of a batch so far. Changes of edges are cut where a node is added after another was
  // removed, because it may have taken the removed node's index.
  struct Edited {
    struct Part {
      GraphChanges changes;
      std::map<NodeId, Spot> ends;  // of those edges
    };
    std::vector<Part> parts;
    std::map<std::tuple<double, double, double, std::uint64_t>, int>
        opened;  // by x, z, y, id: + or -
    bool has_removed = false;
    bool changes_shape = false;
  };

  GraphWorld(Source source, WaypointGraph graph, const WorldLimits& limits);
  GraphWorld(const GraphWorld& other);
  absl::StatusOr<std::unique_ptr<QueryGround>> make_ground(const Profile& profile,
                                                           TeamId team) override;
  absl::Status check(const ChangeBatch& batch) const;
  RouteCommit commit(const ChangeBatch& batch);
  void edit(const GraphEdit& edit, Edited* edited);
  void add_node(const GraphNode& node, Edited* edited);
  void remove_node(std::uint64_t id, Edited* edited);
  void switch_node(const SwitchGraphNode& edit, Edited* edited);
  template <class Change>
  void change_edges(std::uint64_t from, std::uint64_t to, Edited* edited, Change&& change);
  void note_edges(const GraphChanges& changes, Edited* edited) const;
  std::uint64_t hash_of(NodeId from, const WaypointGraph::Edge& edge) const;
  std::uint64_t hash_between(NodeId from, NodeId to) const;  // of all edges
  Cost dearest_from(NodeId n, double factor) const;
  Cost dearest_at(double factor) const;
  RouteDelta delta_for(RouteViewId view, const GraphFilter& filter, const Edited& edited) const;

  std::unique_ptr<GraphSpace> space_;
  std::shared_ptr<const GraphSpace> kept_;
  Cost dearest_ = 0;   // dearest_at(factor_), units of the graph
  double factor_ = 1;  // the greatest
  Revision shape_since_{1};
  mutable RouteBox bounds_;
  mutable bool is_bounds_old_ = true;
  CopiesUnderWay<GraphCopy> copies_;
};

}  // namespace repath
