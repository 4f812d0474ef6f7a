// The part of convert.h that reads worlds back.
#include <algorithm>
#include <utility>

#include "repath/internal/convert.h"

namespace repath::client {
namespace {

using client::from_proto;

CellRect from_proto(const v1::CellRect& from) {
  return {from.x0(), from.y0(), from.x1(), from.y1()};
}

Cylinder from_proto(const v1::CylinderShape& from) {
  return {from_proto(from.center()), from.radius()};
}

Polygon from_proto(const v1::PolygonShape& from) {
  Polygon polygon;
  for (int i = 0; i + 1 < from.xz_size(); i += 2)
    polygon.corners.push_back({from.xz(i), 0, from.xz(i + 1)});
  return polygon;
}

Obstacle from_proto(const v1::Obstacle& from) {
  Obstacle obstacle;
  obstacle.id = from.id();
  if (from.has_cells()) obstacle.shape = from_proto(from.cells());
  if (from.has_box())
    obstacle.shape = Box{from_proto(from.box().center()), from.box().half_x(), from.box().half_z(),
                         from.box().yaw()};
  if (from.has_cylinder()) obstacle.shape = from_proto(from.cylinder());
  if (from.has_polygon()) obstacle.shape = from_proto(from.polygon());
  if (from.has_capsule())
    obstacle.shape = Capsule{from_proto(from.capsule().from()), from_proto(from.capsule().to()),
                             from.capsule().radius()};
  if (from.has_cost_factor()) obstacle.cost_factor = from.cost_factor();
  if (from.has_area()) obstacle.area = from.area();
  if (from.has_bottom()) obstacle.bottom = from.bottom();
  if (from.has_top()) obstacle.top = from.top();
  obstacle.team_mask = from.team_mask();
  obstacle.enabled = !from.disabled();
  return obstacle;
}

Body from_proto(const v1::Body& from) {
  Body body;
  body.agent_id = from.agent_id();
  if (from.has_cells()) body.shape = from_proto(from.cells());
  if (from.has_cylinder()) body.shape = from_proto(from.cylinder());
  return body;
}

// Returns one value for each cell; the message has one for all if they are equal.
template <class Value>
std::vector<Value> for_each_cell(std::vector<Value> values, const v1::TerrainTile& tile) {
  const auto cells =
      static_cast<std::size_t>(tile.width()) * static_cast<std::size_t>(tile.height());
  if (values.size() == 1) values.resize(cells, values.front());
  return values;
}

TerrainTile from_proto(const v1::TerrainTile& from) {
  TerrainTile tile;
  tile.x = from.x();
  tile.y = from.y();
  tile.width = from.width();
  tile.height = from.height();
  tile.terrain =
      for_each_cell(std::vector<std::uint8_t>(from.terrain().begin(), from.terrain().end()), from);
  tile.changed_revision = from.changed_revision();
  for (const v1::TerrainTile::Plane& plane : from.planes()) {
    std::vector<std::uint16_t> levels;
    for (std::size_t i = 0; i + 1 < plane.levels().size(); i += 2)
      levels.push_back(
          static_cast<std::uint16_t>(static_cast<unsigned char>(plane.levels()[i]) |
                                     static_cast<unsigned char>(plane.levels()[i + 1]) << 8));
    tile.planes.push_back({plane.team(), plane.layer(), for_each_cell(std::move(levels), from)});
  }
  return tile;
}

}  // namespace

TerrainPage from_proto(const v1::GetTerrainResponse& from) {
  TerrainPage page;
  for (const v1::TerrainTile& tile : from.tiles()) page.tiles.push_back(from_proto(tile));
  page.next_page_token = from.next_page_token();
  page.revision = from.revision();
  page.epoch = from.epoch();
  return page;
}

ObstaclePage from_proto(const v1::ListObstaclesResponse& from) {
  ObstaclePage page;
  for (const v1::Obstacle& one : from.obstacles()) page.obstacles.push_back(from_proto(one));
  for (const v1::Body& one : from.bodies()) page.bodies.push_back(from_proto(one));
  page.next_page_token = from.next_page_token();
  page.revision = from.revision();
  return page;
}

GraphPage from_proto(const v1::GetGraphResponse& from) {
  GraphPage page;
  for (const v1::GraphNode& node : from.nodes())
    page.nodes.push_back(
        {node.id(), from_proto(node.position()), node.area(), node.flags(), !node.disabled()});
  for (const v1::GraphEdge& edge : from.edges()) {
    GraphEdge& made = page.edges.emplace_back();
    made.from = edge.from();
    made.to = edge.to();
    made.cost = edge.cost();
    made.area = edge.area();
    made.flags = edge.flags();
    made.enabled = !edge.disabled();
    made.key = edge.key();
    made.width = edge.width();
  }
  page.next_page_token = from.next_page_token();
  page.revision = from.revision();
  return page;
}

}  // namespace repath::client
