#include "routes/route_hash.h"

#include <string_view>
#include <variant>

#include "base/hash.h"

namespace repath {
namespace {

// Parts of different kinds never hash alike.
enum class RoutePart : std::uint64_t {
  kMesh = 0x100,
  kLink,
  kProfile,
  kObstacle,
  kNode,
  kEdge,
  kRevision
};

Hasher start_part(RoutePart part) { return Hasher().add(static_cast<std::uint64_t>(part)); }

std::uint64_t word_from(std::int32_t v) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(v));
}

struct AddRouteShape {
  Hasher& h;
  void operator()(const Box& b) const {
    h.add(b.center.x).add(b.center.z).add(b.half_x).add(b.half_z).add(b.yaw);
  }
  void operator()(const Circle& c) const { h.add(c.center.x).add(c.center.z).add(c.radius); }
  void operator()(const Polygon& p) const {
    h.add(std::uint64_t{p.points.size()});
    for (const Point& point : p.points) h.add(point.x).add(point.z);
  }
};

}  // namespace

std::uint64_t route_hash(const MeshSource& source, double cell_side) {
  Hasher h = start_part(RoutePart::kMesh);
  h.add(cell_side).add(std::uint64_t{source.vertices.size()});
  for (const MeshSource::Vertex& v : source.vertices)
    h.add(word_from(v.at.x)).add(word_from(v.at.z)).add(v.y);
  h.add(std::uint64_t{source.cells.size()});
  for (const MeshSource::Cell& c : source.cells) {
    h.add(std::uint64_t{c.count}).add(std::uint64_t{index(c.area)}).add(std::uint64_t{c.flags});
    for (std::uint32_t k = 0; k < c.count; ++k) h.add(std::uint64_t{source.corners[c.first + k]});
  }
  return h.value();
}

std::uint64_t route_hash(const NavLink& link) {
  Hasher h = start_part(RoutePart::kLink);
  h.add(link.id).add(word_from(link.from.x)).add(word_from(link.from.z)).add(link.from_y);
  h.add(word_from(link.to.x)).add(word_from(link.to.z)).add(link.to_y);
  h.add(std::uint64_t{link.factor}).add(std::uint64_t{index(link.area)});
  h.add(std::uint64_t{link.flags}).add(std::uint64_t{link.both_ways});
  h.add(std::uint64_t{link.enabled});
  return h.value();
}

std::uint64_t route_hash(const RouteProfile& profile) {
  Hasher h = start_part(RoutePart::kProfile);
  h.add(std::string_view(profile.name)).add(profile.radius);
  h.add(std::uint64_t{profile.include}).add(std::uint64_t{profile.exclude});
  for (const RouteProfile::AreaFactor& rule : profile.areas)
    h.add(std::uint64_t{rule.area}).add(rule.factor);
  return h.value();
}

std::uint64_t route_hash(const RouteObstacle& obstacle) {
  Hasher h = start_part(RoutePart::kObstacle);
  h.add(value(obstacle.id)).add(std::uint64_t{obstacle.shape.index()});
  std::visit(AddRouteShape{h}, obstacle.shape);
  h.add(obstacle.bottom).add(obstacle.top);
  h.add(std::uint64_t{obstacle.teams}).add(std::uint64_t{obstacle.enabled});
  if (obstacle.effect.blocks) return h.value();
  h.add(obstacle.effect.factor).add(std::uint64_t{obstacle.effect.area.has_value()});
  h.add(std::uint64_t{obstacle.effect.area.value_or(0)});
  return h.value();
}

std::uint64_t route_hash(const GraphNode& node) {
  Hasher h = start_part(RoutePart::kNode);
  h.add(node.id).add(node.x).add(node.y).add(node.z);
  h.add(std::uint64_t{node.area}).add(std::uint64_t{node.flags}).add(std::uint64_t{node.enabled});
  return h.value();
}

std::uint64_t route_hash(std::uint64_t from, std::uint64_t to, const WaypointGraph::Edge& edge) {
  Hasher h = start_part(RoutePart::kEdge);
  h.add(from).add(to).add(edge.cost).add(std::uint64_t{edge.area});
  h.add(std::uint64_t{edge.flags}).add(std::uint64_t{edge.enabled});
  return h.value();
}

std::uint64_t fold_route_revision(std::uint64_t content_hash, Revision revision) {
  return start_part(RoutePart::kRevision).add(content_hash).add(value(revision)).value();
}

}  // namespace repath
