// A world that is a waypoint graph (graph/waypoint_graph.h). Its batches edit nodes and edges;
// obstacles and links are for meshes. All teams see the same.
//
// Places are open nodes, that is nodes switched on. A node that opens or closes is a change at its
// point: agents nearby may stand on another node afterwards. If several routes cost the same, the
// one found also depends on the order of edits; costs do not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "routes/graph_ground.h"
#include "routes/route_views.h"
#include "routes/route_world.h"

namespace repath {

// Greatest sum, in world units, of the dearest edge out of each node, times the greatest factor of
// any profile. It keeps every route's cost within the limit of search/graph.h.
inline constexpr double kGraphDearnessMax = 5e8;

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

  const std::string& name() const override { return name_; }
  WorldKind kind() const override { return WorldKind::kGraph; }
  Revision revision() const override { return revision_; }
  std::uint64_t state_hash() const override;
  const std::vector<Profile>& profiles() const override { return profiles_; }
  std::size_t obstacle_count() const override { return 0; }
  // O(1), but O(nodes) after the removal of a node on the border.
  RouteBox bounds() const override;
  std::uint64_t bytes() const override;

  absl::StatusOr<RouteViewId> acquire_view(std::string_view profile, TeamId team) override;
  void release_view(RouteViewId view) override;
  const GraphGround& ground(RouteViewId view) const override { return *views_.at(view); }
  std::shared_ptr<const RouteGround> keep(RouteViewId view) override {
    return keep_for_queries(view);
  }
  std::shared_ptr<const QueryGround> keep_for_queries(RouteViewId view) override;

  // Also fails with GRAPH_TOO_DEAR.
  absl::StatusOr<RouteCommit> apply(const ChangeBatch& batch) override;
  std::unique_ptr<RouteWorld> clone() const override;

  const WaypointGraph& graph() const { return space_->graph; }

 private:
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
  };

  GraphWorld(Source source, WaypointGraph graph, const WorldLimits& limits);
  GraphWorld(const GraphWorld& other);
  absl::Status check(const ChangeBatch& batch) const;
  void edit(const GraphEdit& edit, Edited* edited);
  void add_node(const GraphNode& node, Edited* edited);
  void remove_node(std::uint64_t id, Edited* edited);
  void switch_node(const SwitchGraphNode& edit, Edited* edited);
  template <class Change>
  void change_edges(std::uint64_t from, std::uint64_t to, Edited* edited, Change&& change);
  void note_edges(const GraphChanges& changes, Edited* edited) const;
  std::uint64_t hash_between(NodeId from, NodeId to) const;
  Cost dearest_from(NodeId n) const;
  RouteDelta delta_for(RouteViewId view, const Edited& edited) const;

  std::string name_;
  WorldLimits limits_;
  Revision revision_{1};
  std::vector<Profile> profiles_;
  std::unique_ptr<GraphSpace> space_;
  RouteViews<std::unique_ptr<GraphGround>> views_;
  std::shared_ptr<const GraphSpace> kept_;
  std::uint64_t content_hash_ = 0;
  Cost dearest_ = 0;   // the dearest edges out of all nodes, units of the graph
  double factor_ = 1;  // the greatest
  mutable RouteBox bounds_;
  mutable bool is_bounds_old_ = true;
};

}  // namespace repath
