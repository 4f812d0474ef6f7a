#include "rpc/content_messages.h"

#include <charconv>
#include <cmath>
#include <string_view>
#include <type_traits>
#include <variant>

namespace repath {
namespace {

void fill_rect(const CellRect& rect, v1::CellRect* out) {
  out->set_x0(rect.x0);
  out->set_y0(rect.y0);
  out->set_x1(rect.x1);
  out->set_y1(rect.y1);
}

void fill_plane_point(Point at, v1::Vec3* out) {
  out->set_x(at.x);
  out->set_z(at.z);
}

void fill_circle(const Circle& circle, v1::CylinderShape* out) {
  fill_plane_point(circle.center, out->mutable_center());
  out->set_radius(circle.radius);
}

void fill_shape(const Shape& shape, v1::Obstacle* out) {
  const auto fill = [out](const auto& one) {
    using Kind = std::decay_t<decltype(one)>;
    if constexpr (std::is_same_v<Kind, CellRect>) {
      fill_rect(one, out->mutable_cells());
    } else if constexpr (std::is_same_v<Kind, Box>) {
      fill_plane_point(one.center, out->mutable_box()->mutable_center());
      out->mutable_box()->set_half_x(one.half_x);
      out->mutable_box()->set_half_z(one.half_z);
      out->mutable_box()->set_yaw(one.yaw);
    } else if constexpr (std::is_same_v<Kind, Circle>) {
      fill_circle(one, out->mutable_cylinder());
    } else if constexpr (std::is_same_v<Kind, Polygon>) {
      for (const Point corner : one.points) {
        out->mutable_polygon()->add_xz(corner.x);
        out->mutable_polygon()->add_xz(corner.z);
      }
    } else {
      static_assert(std::is_same_v<Kind, Capsule>);
      fill_plane_point(one.from, out->mutable_capsule()->mutable_from());
      fill_plane_point(one.to, out->mutable_capsule()->mutable_to());
      out->mutable_capsule()->set_radius(one.radius);
    }
  };
  std::visit(fill, shape);
}

std::string bytes_of_levels(const std::vector<Level>& levels) {
  std::string bytes;
  bytes.reserve(levels.size() * 2);
  for (const Level level : levels) {
    bytes.push_back(static_cast<char>(level & 0xff));
    bytes.push_back(static_cast<char>(level >> 8));
  }
  return bytes;
}

absl::Status wrong_token(const Field& field) {
  return refuse(field, "PAGE_TOKEN", "must be the next_page_token of an answer to this call");
}

// Reads a number that fills the whole text.
template <class Number>
bool read_number(std::string_view text, Number* out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

void fill_obstacle(const ObstacleSpec& spec, v1::Obstacle* out) {
  out->set_id(value(spec.id));
  fill_shape(spec.shape, out);
  if (spec.effect.blocked) {
    out->set_blocked(true);
  } else if (spec.effect.area) {
    out->set_area(*spec.effect.area);
  } else {
    out->set_cost_factor(spec.effect.factor);
  }
  out->set_team_mask(spec.teams == kAllTeams ? 0 : spec.teams);
  out->set_disabled(!spec.enabled);
  if (std::isfinite(spec.bottom)) out->set_bottom(spec.bottom);
  if (std::isfinite(spec.top)) out->set_top(spec.top);
}

void fill_body(const Body& body, v1::Body* out) {
  out->set_agent_id(value(body.agent));
  if (const auto* rect = std::get_if<CellRect>(&body.shape)) {
    fill_rect(*rect, out->mutable_cells());
  } else {
    fill_circle(std::get<Circle>(body.shape), out->mutable_cylinder());
  }
}

void fill_node(const GraphNode& node, v1::GraphNode* out) {
  out->set_id(node.id);
  out->mutable_position()->set_x(node.x);
  out->mutable_position()->set_y(node.y);
  out->mutable_position()->set_z(node.z);
  out->set_area(node.area);
  out->set_flags(node.flags);
  out->set_disabled(!node.enabled);
}

void fill_edge(const GraphEdge& edge, v1::GraphEdge* out) {
  out->set_from(edge.from);
  out->set_to(edge.to);
  if (edge.cost) out->set_cost(*edge.cost);
  out->set_area(edge.area);
  out->set_flags(edge.flags);
  out->set_both(edge.both);
  out->set_disabled(!edge.enabled);
  out->set_key(edge.key);
  out->set_width(edge.width);
}

void fill_tile(const TerrainTile& tile, v1::TerrainTile* out) {
  out->set_x(tile.x);
  out->set_y(tile.y);
  out->set_width(tile.width);
  out->set_height(tile.height);
  out->set_changed_revision(value(tile.changed));
  std::string* terrain = out->mutable_terrain();
  terrain->reserve(tile.terrain.size());
  for (const TerrainId id : tile.terrain) terrain->push_back(static_cast<char>(id));
  for (const TerrainTile::PlanePart& plane : tile.planes) {
    v1::TerrainTile::Plane* message = out->add_planes();
    message->set_team(static_cast<std::uint32_t>(plane.key.team));
    message->set_layer(plane.key.number);
    message->set_levels(bytes_of_levels(plane.levels));
  }
}

std::string token_of(const ObstacleCursor& cursor) {
  return (cursor.is_body ? "body-" : "obstacle-") + std::to_string(cursor.id);
}

std::string token_of(const GraphCursor& cursor) {
  const std::string node = "node-" + std::to_string(cursor.node);
  return cursor.edge ? node + "-" + std::to_string(*cursor.edge) : node;
}

std::string token_of(std::uint32_t tile) { return "tile-" + std::to_string(tile); }

absl::Status read_token(const std::string& token, const Field& field,
                        std::optional<ObstacleCursor>* out) {
  if (token.empty()) return absl::OkStatus();
  ObstacleCursor cursor;
  cursor.is_body = token.starts_with("body-");
  const std::string_view prefix = cursor.is_body ? "body-" : "obstacle-";
  if (!token.starts_with(prefix) ||
      !read_number(std::string_view(token).substr(prefix.size()), &cursor.id))
    return wrong_token(field);
  *out = cursor;
  return absl::OkStatus();
}

absl::Status read_token(const std::string& token, const Field& field,
                        std::optional<GraphCursor>* out) {
  if (token.empty()) return absl::OkStatus();
  constexpr std::string_view kPrefix = "node-";
  if (!token.starts_with(kPrefix)) return wrong_token(field);
  const std::string_view rest = std::string_view(token).substr(kPrefix.size());
  const std::size_t dash = rest.find('-');
  GraphCursor cursor;
  if (!read_number(rest.substr(0, dash), &cursor.node)) return wrong_token(field);
  if (dash != std::string_view::npos) {
    std::uint32_t edge = 0;
    if (!read_number(rest.substr(dash + 1), &edge)) return wrong_token(field);
    cursor.edge = edge;
  }
  *out = cursor;
  return absl::OkStatus();
}

absl::Status read_token(const std::string& token, const Field& field, std::uint32_t* tile) {
  constexpr std::string_view kPrefix = "tile-";
  if (token.empty()) return absl::OkStatus();
  if (token.starts_with(kPrefix) &&
      read_number(std::string_view(token).substr(kPrefix.size()), tile))
    return absl::OkStatus();
  return wrong_token(field);
}

}  // namespace repath
