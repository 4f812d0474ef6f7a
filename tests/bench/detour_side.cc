#include "bench/detour_side.h"

#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include "geometry/lattice.h"

namespace repath::bench {
namespace {

constexpr std::size_t kSides = 6;  // DT_VERTS_PER_POLYGON
constexpr int kPolygonsOfPath = 16384;
constexpr int kPointsOfPath = 4096;
using Corners = std::vector<std::uint32_t>;

bool has_area(const NavMesh& mesh, const Corners& corners) {
  for (std::size_t k = 2; k < corners.size(); ++k)
    if (turn(mesh.vertex(corners[0]).at, mesh.vertex(corners[k - 1]).at,
             mesh.vertex(corners[k]).at) != 0)
      return true;
  return false;
}

// Appends the cell as convex, counterclockwise polygons with at most six corners.
void append_cut(const NavMesh& mesh, Corners cell, std::vector<Corners>* polygons) {
  while (cell.size() > kSides) {
    Corners piece;
    Corners rest;
    for (std::size_t turns = 0; turns < cell.size(); ++turns) {
      piece.assign(cell.begin(), cell.begin() + kSides);
      rest.assign(cell.begin() + kSides - 1, cell.end());
      rest.push_back(cell.front());
      if (has_area(mesh, piece) && has_area(mesh, rest)) break;
      std::rotate(cell.begin(), cell.begin() + 1, cell.end());
    }
    polygons->push_back(piece);
    cell = rest;
  }
  polygons->push_back(cell);
}

// Coordinates as the integers that Detour takes.
struct Tables {
  float low[3] = {0, 0, 0};
  float high[3] = {0, 0, 0};
  float step = 0;
  float step_y = 0;
  double off = 0;  // farthest that a coordinate was moved
  std::vector<unsigned short> vertices;
  std::vector<unsigned short> polygons;
  std::vector<unsigned short> flags;
  std::vector<unsigned char> areas;
};

float power_of_two_above(double size) {
  float step = 1.0F / 1024;
  while (step * 65000.0 < size) step *= 2;
  return step;
}

bool place_vertices(const NavMesh& mesh, Tables* tables) {
  if (mesh.vertices_end() >= 0xfffe) return false;
  const auto at = [&mesh](std::uint32_t v, int axis) {
    const Point p = to_point(mesh.vertex(v).at);
    return axis == 0 ? p.x : axis == 1 ? mesh.vertex(v).y : p.z;
  };
  for (int axis = 0; axis < 3; ++axis) {
    double low = at(0, axis);
    double high = low;
    for (std::uint32_t v = 0; v < mesh.vertices_end(); ++v) {
      low = std::min(low, at(v, axis));
      high = std::max(high, at(v, axis));
    }
    tables->low[axis] = static_cast<float>(std::floor(low));
    tables->high[axis] = static_cast<float>(std::ceil(high) + 1);
  }
  tables->step = power_of_two_above(
      std::max(tables->high[0] - tables->low[0], tables->high[2] - tables->low[2]));
  tables->step_y = power_of_two_above(tables->high[1] - tables->low[1]);
  for (std::uint32_t v = 0; v < mesh.vertices_end(); ++v)
    for (int axis = 0; axis < 3; ++axis) {
      const double step = axis == 1 ? tables->step_y : tables->step;
      const long steps = std::lround((at(v, axis) - tables->low[axis]) / step);
      tables->vertices.push_back(static_cast<unsigned short>(steps));
      const double moved =
          std::abs(tables->low[axis] + static_cast<double>(steps) * step - at(v, axis));
      if (axis != 1) tables->off = std::max(tables->off, moved);
    }
  return true;
}

// Detour's polygons run in the other direction.
bool place_polygons(const NavMesh& mesh, Tables* tables) {
  std::vector<Corners> polygons;
  for (std::uint32_t c = 0; c < mesh.cells_end(); ++c) {
    Corners cell;
    for (const NavMesh::Edge& e : mesh.edges_of(c)) cell.push_back(e.vertex);
    append_cut(mesh, cell, &polygons);
  }
  if (polygons.size() >= 0x7fff) return false;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> owners;
  for (std::size_t p = 0; p < polygons.size(); ++p) {
    std::reverse(polygons[p].begin(), polygons[p].end());
    for (std::size_t k = 0; k < polygons[p].size(); ++k)
      owners[{polygons[p][k], polygons[p][(k + 1) % polygons[p].size()]}] = p;
  }
  for (const Corners& corners : polygons) {
    for (std::size_t k = 0; k < kSides; ++k)
      tables->polygons.push_back(k < corners.size() ? static_cast<unsigned short>(corners[k])
                                                    : 0xffff);
    for (std::size_t k = 0; k < kSides; ++k) {
      const auto across = k < corners.size()
                              ? owners.find({corners[(k + 1) % corners.size()], corners[k]})
                              : owners.end();
      tables->polygons.push_back(
          across != owners.end() ? static_cast<unsigned short>(across->second) : 0xffff);
    }
  }
  tables->flags.assign(polygons.size(), 1);
  tables->areas.assign(polygons.size(), 0);
  return true;
}

}  // namespace

struct DetourSide::Impl {
  dtNavMesh* mesh = dtAllocNavMesh();
  dtNavMeshQuery* query = dtAllocNavMeshQuery();
  dtQueryFilter filter;
  std::size_t polygons = 0;
  double off = 0;
  int points_found = 0;
  std::vector<dtPolyRef> path = std::vector<dtPolyRef>(kPolygonsOfPath);
  std::vector<float> points = std::vector<float>(kPointsOfPath * 3);
  std::vector<unsigned char> flags = std::vector<unsigned char>(kPointsOfPath);
  std::vector<dtPolyRef> refs = std::vector<dtPolyRef>(kPointsOfPath);
  ~Impl() {
    dtFreeNavMeshQuery(query);
    dtFreeNavMesh(mesh);
  }
};

DetourSide::DetourSide() : impl_(std::make_unique<Impl>()) {}
DetourSide::~DetourSide() = default;

std::unique_ptr<DetourSide> DetourSide::make(const NavMesh& mesh, std::string* why) {
  Tables tables;
  if (!place_vertices(mesh, &tables) || !place_polygons(mesh, &tables)) {
    *why = "one tile of Detour holds 65,533 vertices and 32,766 polygons";
    return nullptr;
  }
  dtNavMeshCreateParams params{};
  params.verts = tables.vertices.data();
  params.vertCount = static_cast<int>(tables.vertices.size() / 3);
  params.polys = tables.polygons.data();
  params.polyFlags = tables.flags.data();
  params.polyAreas = tables.areas.data();
  params.polyCount = static_cast<int>(tables.flags.size());
  params.nvp = kSides;
  std::copy(tables.low, tables.low + 3, params.bmin);
  std::copy(tables.high, tables.high + 3, params.bmax);
  params.walkableHeight = 2;
  params.walkableClimb = 0.9F;
  params.cs = tables.step;
  params.ch = tables.step_y;
  params.buildBvTree = true;
  unsigned char* data = nullptr;
  int size = 0;
  std::unique_ptr<DetourSide> side(new DetourSide());
  side->impl_->polygons = tables.flags.size();
  side->impl_->off = tables.off;
  if (!dtCreateNavMeshData(&params, &data, &size) ||
      dtStatusFailed(side->impl_->mesh->init(data, size, DT_TILE_FREE_DATA)) ||
      dtStatusFailed(side->impl_->query->init(side->impl_->mesh, 65535))) {
    *why = "Detour refused the mesh";
    return nullptr;
  }
  return side;
}

DetourSide::Place DetourSide::locate(double x, double y, double z) const {
  const float at[3] = {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
  const float extents[3] = {0.1F, 1, 0.1F};
  Place place;
  impl_->query->findNearestPoly(at, extents, &impl_->filter, &place.polygon, place.at);
  return place;
}

double DetourSide::search(const Place& from, const Place& to) {
  int polygons = 0;
  impl_->query->findPath(from.polygon, to.polygon, from.at, to.at, &impl_->filter,
                         impl_->path.data(), &polygons, kPolygonsOfPath);
  if (polygons == 0 || impl_->path[static_cast<std::size_t>(polygons) - 1] != to.polygon) return -1;
  int points = 0;
  impl_->query->findStraightPath(from.at, to.at, impl_->path.data(), polygons, impl_->points.data(),
                                 impl_->flags.data(), impl_->refs.data(), &points, kPointsOfPath);
  impl_->points_found = points;
  double length = 0;
  for (std::size_t i = 1; i < static_cast<std::size_t>(points); ++i) {
    const float* a = &impl_->points[3 * (i - 1)];
    const float* b = &impl_->points[3 * i];
    length += std::hypot(double{b[0]} - double{a[0]}, double{b[2]} - double{a[2]});
  }
  return length;
}

std::size_t DetourSide::polygons() const { return impl_->polygons; }

double DetourSide::noise() const { return 4 * impl_->off * impl_->points_found; }

}  // namespace repath::bench
