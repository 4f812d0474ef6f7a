// check_source() of navmesh/mesh/mesh_source.h.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/error.h"
#include "geometry/ring.h"
#include "navmesh/mesh/mesh_source.h"

namespace repath {
namespace {

absl::Status check_size(std::size_t size, std::size_t max, const char* field) {
  if (size <= max) return absl::OkStatus();
  return make_error(
      absl::StatusCode::kResourceExhausted, "MESH_TOO_LARGE", field,
      "the mesh has " + std::to_string(size) + "; the limit is " + std::to_string(max));
}

bool is_height(double y) { return std::abs(y) <= kHeightMax; }

absl::Status check_vertices(const MeshSource& source) {
  for (std::size_t i = 0; i < source.vertices.size(); ++i) {
    if (is_in_lattice(source.vertices[i].at) && is_height(source.vertices[i].y)) continue;
    return invalid_field("VERTEX_RANGE", item("vertices", i),
                         "x and z must be within " + std::to_string(kLatticeExtent) +
                             " units of 0, y within " + std::to_string(kHeightMax));
  }
  return absl::OkStatus();
}

absl::Status check_cells(const MeshSource& source) {
  LatticeRing corners;
  for (std::size_t i = 0; i < source.cells.size(); ++i) {
    const MeshSource::Cell& cell = source.cells[i];
    const std::string field = item("cells", i);
    if (cell.count < 3 || cell.count > kCellEdgesMax || cell.first > source.corners.size() ||
        cell.count > source.corners.size() - cell.first) {
      return invalid_field("CELL_SIZE", field,
                           "a cell has 3 to " + std::to_string(kCellEdgesMax) +
                               " corners, and the list of corners has room for them");
    }
    corners.clear();
    for (const std::uint32_t v : source.corners_of(cell)) {
      if (v >= source.vertices.size())
        return invalid_field("CELL_VERTEX", field, "names a vertex that is not there");
      corners.push_back(source.vertices[v].at);
    }
    if (!is_convex_ring(corners))
      return invalid_field("CELL_NOT_CONVEX", field,
                           "corners must run counterclockwise, once around, without a turn right");
    if (index(cell.area) >= kAreaTypes)
      return invalid_field("AREA_RANGE", field + ".area",
                           "must be below " + std::to_string(kAreaTypes));
  }
  return absl::OkStatus();
}

absl::Status check_link(const MeshSource& source, const NavLink& link, const std::string& field) {
  if (link.from_cell >= source.cells.size() || link.to_cell >= source.cells.size())
    return invalid_field("LINK_CELL", field, "names a cell that is not there");
  if (!is_in_lattice(link.from) || !is_in_lattice(link.to) || !is_height(link.from_y) ||
      !is_height(link.to_y) || link.factor < 1000 || link.factor > 1'000'000 ||
      index(link.area) >= kAreaTypes) {
    return invalid_field("LINK_RANGE", field,
                         "the ends must be within the extent, the factor in [1, 1000], the area "
                         "type below " +
                             std::to_string(kAreaTypes));
  }
  if (!source.holds(source.cells[link.from_cell], link.from) ||
      !source.holds(source.cells[link.to_cell], link.to))
    return invalid_field("LINK_CELL", field, "an end lies outside of the cell it names");
  return absl::OkStatus();
}

absl::Status check_links(const MeshSource& source) {
  std::vector<std::uint64_t> ids;
  for (std::size_t i = 0; i < source.links.size(); ++i) {
    if (auto s = check_link(source, source.links[i], item("links", i)); !s.ok()) return s;
    ids.push_back(source.links[i].id);
  }
  std::sort(ids.begin(), ids.end());
  const auto twice = std::adjacent_find(ids.begin(), ids.end());
  if (twice == ids.end()) return absl::OkStatus();
  return invalid_field("LINK_ID", "links", "two links have the id " + std::to_string(*twice));
}

}  // namespace

absl::Status check_source(const MeshSource& source) {
  if (auto s = check_size(source.cells.size(), kNavCellsMax, "cells"); !s.ok()) return s;
  if (auto s = check_size(source.vertices.size(), kNavVerticesMax, "vertices"); !s.ok()) return s;
  if (auto s = check_size(source.corners.size(), kNavEdgesMax, "corners"); !s.ok()) return s;
  if (auto s = check_size(source.links.size(), kNavLinksMax, "links"); !s.ok()) return s;
  if (auto s = check_vertices(source); !s.ok()) return s;
  if (auto s = check_cells(source); !s.ok()) return s;
  return check_links(source);
}

}  // namespace repath
