// What can be done to a world of routes, as plain data: one batch takes effect whole, as one
// revision, or not at all.
//
// In this order: profiles, removals, switches, upserts, links, graph edits in their order. Each
// obstacle id at most once in a batch. Errors name fields as repath.v1.ChangeBatch does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/ids.h"
#include "geometry/shapes.h"
#include "graph/graph_source.h"

namespace repath {

// What one kind of agent can do in a world of routes. A name keeps its meaning for the life of the
// world.
struct RouteProfile {
  struct AreaFactor {
    std::uint8_t area = 0;  // [0, 64)
    double factor = 1;      // [1, 1000]: lengths over it count so much
    bool operator==(const AreaFactor&) const = default;
  };
  std::string name = "default";
  double radius = 0;                   // world units, [0, kRouteRadiusMax]: obstacles grow by it
  std::uint16_t include = 0xffff;      // ground, edges and links must have one of these flags
  std::uint16_t exclude = 0;           // and none of these
  std::vector<AreaFactor> areas = {};  // each area at most once
  bool operator==(const RouteProfile&) const = default;
};
inline constexpr double kRouteRadiusMax = 64;

using RouteShape = std::variant<Box, Circle, Polygon>;  // world units

// What an obstacle does to the ground it covers. Where obstacles overlap: what one blocks is
// blocked; factors multiply, 1000 at most with that of the area; of area types that of the greatest
// id counts. What blocks grows by the radius of who walks there; other ground counts for who is on
// it, so that does not.
struct RouteEffect {
  bool blocks = true;
  // Of what does not block, one of both:
  double factor = 1;                   // [1, 1000], kept in thousandths: lengths count so much
  std::optional<std::uint8_t> area{};  // [0, 64): the ground becomes of that type; empty: it stays
  bool operator==(const RouteEffect&) const = default;
};

// Meshes only.
struct RouteObstacle {
  ObstacleId id{};
  RouteShape shape = {};
  // Heights that it reaches from and to, world units: ground outside of them is another floor.
  double bottom = -std::numeric_limits<double>::infinity();
  double top = std::numeric_limits<double>::infinity();
  TeamMask teams = kAllTeams;  // whom it concerns; not 0
  bool enabled = true;
  RouteEffect effect = {};
  bool operator==(const RouteObstacle&) const = default;
};

struct RouteObstacleSwitch {
  ObstacleId id{};
  bool enabled = true;
  bool operator==(const RouteObstacleSwitch&) const = default;
};

// Of a link that the mesh has.
struct LinkSwitch {
  std::uint64_t id = 0;
  bool enabled = true;
  bool operator==(const LinkSwitch&) const = default;
};

// Graph edits; graphs only.
struct RemoveGraphNode {
  std::uint64_t id = 0;
  bool operator==(const RemoveGraphNode&) const = default;
};
struct SwitchGraphNode {
  std::uint64_t id = 0;
  bool enabled = true;
  bool operator==(const SwitchGraphNode&) const = default;
};
// Of the edge from `from` to `to` alone.
struct RemoveGraphEdge {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  bool operator==(const RemoveGraphEdge&) const = default;
};
struct SwitchGraphEdge {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  bool enabled = true;
  bool operator==(const SwitchGraphEdge&) const = default;
};
struct PriceGraphEdge {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  double cost = 0;  // [0, kGraphCostMax]
  bool operator==(const PriceGraphEdge&) const = default;
};
// A GraphNode is new (its id must not be there); a GraphEdge is new or in place of the one there.
using GraphEdit = std::variant<GraphNode, RemoveGraphNode, SwitchGraphNode, GraphEdge,
                               RemoveGraphEdge, SwitchGraphEdge, PriceGraphEdge>;

struct RouteBatch {
  std::vector<RouteProfile> add_profiles = {};
  std::vector<ObstacleId> remove_obstacles = {};
  std::vector<RouteObstacleSwitch> switch_obstacles = {};
  std::vector<RouteObstacle> upsert_obstacles = {};  // new, or in place of the one with that id
  std::vector<LinkSwitch> switch_links = {};
  std::vector<GraphEdit> graph_edits = {};

  std::size_t entries() const {
    return add_profiles.size() + remove_obstacles.size() + switch_obstacles.size() +
           upsert_obstacles.size() + switch_links.size() + graph_edits.size();
  }
  bool operator==(const RouteBatch&) const = default;
};

}  // namespace repath
