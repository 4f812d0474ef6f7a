#include "world/content_hash.h"

#include <cmath>
#include <string_view>

#include "base/hash.h"

namespace repath {
namespace {

// The kind of a part, so that parts of different kinds have different hashes.
enum class Part : std::uint64_t {
  kFrame = 1,
  kProfile,
  kObstacle,
  kTerrain,
  kRevision,
  kLevel,
  kBody,
  kMesh,
  kLink,
  kNode,
  kEdge,
  kBaseRadius,
  kTurningRadius
};

Hasher start(Part part) { return Hasher().add(static_cast<std::uint64_t>(part)); }

std::uint64_t word_of(std::int32_t v) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(v));
}

}  // namespace

std::uint64_t content_hash(const GridMap& map, double cell_size) {
  Hasher h = start(Part::kFrame);
  h.add(word_of(map.width)).add(word_of(map.height)).add(cell_size);
  for (const TerrainClass& c : map.classes) {
    h.add(std::string_view(c.name))
        .add(word_of(c.symbol))
        .add(c.factor)
        .add(std::uint64_t{c.forbidden});
  }
  return h.value();
}

std::uint64_t content_hash(const Profile& profile) {
  Hasher h = start(Part::kProfile);
  h.add(std::string_view(profile.name));
  h.add(static_cast<std::uint64_t>(profile.topology));
  h.add(static_cast<std::uint64_t>(profile.corner_rule)).add(profile.radius);
  for (const TerrainRule& rule : profile.terrain_rules) {
    h.add(std::uint64_t{index(rule.terrain)}).add(rule.factor).add(std::uint64_t{rule.forbidden});
  }
  // A grid's profile has default values here, which add nothing to the hash.
  if (profile.include != Profile{}.include || profile.exclude != 0 || !profile.areas.empty())
    h.add(std::uint64_t{profile.include}).add(std::uint64_t{profile.exclude});
  for (const AreaFactor& rule : profile.areas) h.add(std::uint64_t{rule.area}).add(rule.factor);
  if (profile.turning_radius != 0)
    h.add(static_cast<std::uint64_t>(Part::kTurningRadius)).add(profile.turning_radius);
  return h.value();
}

std::uint64_t content_hash(const ObstacleSpec& spec) {
  Hasher h = start(Part::kObstacle);
  h.add(value(spec.id));
  add_shape(spec.shape, &h);
  h.add(std::uint64_t{spec.effect.blocked}).add(spec.effect.factor);
  h.add(std::uint64_t{spec.teams}).add(std::uint64_t{spec.enabled});
  if (std::isfinite(spec.bottom) || std::isfinite(spec.top)) h.add(spec.bottom).add(spec.top);
  if (spec.effect.area) h.add(std::uint64_t{*spec.effect.area});
  return h.value();
}

std::uint64_t content_hash(const Body& body) {
  Hasher h = start(Part::kBody);
  h.add(value(body.agent));
  add_shape(body.shape, &h);
  return h.value();
}

std::uint64_t content_hash(NodeId node, TerrainId terrain) {
  if (index(terrain) == 0) return 0;
  return mix(static_cast<std::uint64_t>(Part::kTerrain) << 56 | std::uint64_t{index(node)} << 8 |
             index(terrain));
}

std::uint64_t content_hash(PlaneKey plane, NodeId node, Level level) {
  if (level == 0) return 0;
  return mix(static_cast<std::uint64_t>(Part::kLevel) << 56 |
             std::uint64_t{static_cast<std::uint8_t>(plane.team)} << 49 |
             std::uint64_t{plane.number} << 44 | std::uint64_t{index(node)} << 16 | level);
}

std::uint64_t content_hash(const MeshSource& source, double cell_side) {
  Hasher h = start(Part::kMesh);
  h.add(cell_side).add(std::uint64_t{source.vertices.size()});
  for (const MeshSource::Vertex& v : source.vertices)
    h.add(word_of(v.at.x)).add(word_of(v.at.z)).add(v.y);
  h.add(std::uint64_t{source.cells.size()});
  for (const MeshSource::Cell& c : source.cells) {
    h.add(std::uint64_t{c.count}).add(std::uint64_t{index(c.area)}).add(std::uint64_t{c.flags});
    for (std::uint32_t k = 0; k < c.count; ++k) h.add(std::uint64_t{source.corners[c.first + k]});
  }
  return h.value();
}

std::uint64_t base_radius_hash(double base_radius) {
  return base_radius == 0 ? 0 : start(Part::kBaseRadius).add(base_radius).value();
}

std::uint64_t content_hash(const NavLink& link) {
  Hasher h = start(Part::kLink);
  h.add(link.id).add(word_of(link.from.x)).add(word_of(link.from.z)).add(link.from_y);
  h.add(word_of(link.to.x)).add(word_of(link.to.z)).add(link.to_y);
  h.add(std::uint64_t{link.factor}).add(std::uint64_t{index(link.area)});
  h.add(std::uint64_t{link.flags}).add(std::uint64_t{link.both_ways});
  h.add(std::uint64_t{link.enabled});
  return h.value();
}

std::uint64_t content_hash(const GraphNode& node) {
  Hasher h = start(Part::kNode);
  h.add(node.id).add(node.x).add(node.y).add(node.z);
  h.add(std::uint64_t{node.area}).add(std::uint64_t{node.flags}).add(std::uint64_t{node.enabled});
  return h.value();
}

std::uint64_t content_hash(std::uint64_t from, std::uint64_t to, const WaypointGraph::Edge& edge) {
  Hasher h = start(Part::kEdge);
  h.add(from).add(to).add(edge.cost).add(std::uint64_t{edge.area});
  h.add(std::uint64_t{edge.flags}).add(std::uint64_t{edge.enabled});
  if (edge.key != 0 || edge.width != 0)
    h.add(std::uint64_t{edge.key}).add(std::uint64_t{edge.width});
  return h.value();
}

std::uint64_t fold_revision(std::uint64_t content_hash, Revision revision) {
  return start(Part::kRevision).add(content_hash).add(value(revision)).value();
}

}  // namespace repath
