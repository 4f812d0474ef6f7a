#include "navmesh/import/recast_build.h"

#include <Recast.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "geometry/lattice.h"
#include "navmesh/import/recast_polygons.h"
#include "navmesh/import/stitch.h"
#include "navmesh/mesh/convex_split.h"

namespace repath {
namespace {

constexpr int kRecastSides = 6;

// Measured work units and bytes; see base/work_meter.h.
constexpr std::uint64_t kUnitsPerPair = 16;  // of a triangle and a tile
constexpr std::uint64_t kUnitsPerTriangle = 32;
constexpr std::uint64_t kUnitsPerColumn = 8;
constexpr std::uint64_t kUnitsPerSpanLaid = 8;
constexpr std::uint64_t kUnitsPerSpan = 200;  // of ground, through all steps
constexpr std::uint64_t kBytesPerPair = 24;
constexpr std::uint64_t kBytesPerTile = 32;
constexpr std::uint64_t kBytesPerNumber = 6;  // in an OBJ file
constexpr std::uint64_t kTileSpansMax = std::uint64_t{1} << 23;

using OwnedHeightfield = RecastOwned<rcHeightfield, rcFreeHeightField>;

absl::Status check_parameters(const RecastParameters& p) {
  struct Range {
    const char* field;
    double value, min, max;
  };
  const Range ranges[] = {{"cell_size", p.cell_size, 0.01, 10},
                          {"cell_height", p.cell_height, 0.01, 10},
                          {"agent_radius", p.agent_radius, 0, 100},
                          {"agent_height", p.agent_height, 0.01, 100},
                          {"agent_climb", p.agent_climb, 0, p.agent_height},
                          {"slope_degrees", p.slope_degrees, 0, 89},
                          {"region_min", p.region_min, 0, 150},
                          {"region_merge", p.region_merge, 0, 150},
                          {"edge_length_max", p.edge_length_max, 0, 1000},
                          {"edge_error_max", p.edge_error_max, 0.1, 10},
                          {"tile_voxels", static_cast<double>(p.tile_voxels), 16, 1024}};
  for (const Range& r : ranges)
    if (!(r.value >= r.min && r.value <= r.max))
      return invalid_field(
          "PARAMETER_RANGE", r.field,
          "must be in [" + std::to_string(r.min) + ", " + std::to_string(r.max) + "]");
  const double steps = p.cell_size * kLatticePerUnit;
  if (std::abs(steps - std::round(steps)) > 1e-6)
    return invalid_field("PARAMETER_RANGE", "cell_size", "must be a whole number of 1/16 mm");
  return absl::OkStatus();
}

class RecastBuilder {
 public:
  RecastBuilder(const TriangleSoup& soup, const RecastParameters& parameters, WorkMeter* work)
      : soup_(soup), parameters_(parameters), work_(*work) {}

  absl::StatusOr<MeshSource> run() {
    if (auto s = check_parameters(parameters_); !s.ok()) return s;
    if (auto s = lay_tiles(); !s.ok()) return s;
    if (auto s = sort_triangles(); !s.ok()) return s;
    const auto tiles = static_cast<std::uint32_t>(tiles_x_ * tiles_z_);
    for (std::uint32_t tile = 0; tile < tiles; ++tile) {
      if (!triangles_of_[tile].empty()) {
        if (!build_tile(tile)) return failure_of(tile);
        triangles_of_[tile] = {};
      } else if (!work_.spend(1)) {
        return work_.error(name_of(tile));
      }
      if (source_.vertices.size() > kNavVerticesMax || source_.cells.size() > kNavCellsMax)
        return too_large("the limits of a mesh");
    }
    if (source_.cells.empty())
      return invalid_field("NO_GROUND", "",
                           std::string("no triangle can be walked on") +
                               (faces_down() ? "; most of them face down: seen from above, the "
                                               "corners of ground are counterclockwise"
                                             : ""));
    if (!stitch_tiles(lines_, parameters_.agent_climb, &work_, &source_))
      return work_.error("the tiles' borders");
    return std::move(source_);
  }

 private:
  static absl::Status too_large(const std::string& what) {
    return make_error(absl::StatusCode::kResourceExhausted, "MESH_TOO_LARGE", "",
                      "the triangles need more than " + what);
  }

  // Returns whether more triangles face down than up, of those that are less steep than 45 degrees.
  bool faces_down() const {
    std::int64_t up = 0;
    for (std::size_t t = 0; t < soup_.triangle_count(); ++t) {
      const auto corner = [&](std::size_t k, std::size_t axis) {
        const auto v = static_cast<std::size_t>(soup_.triangles[3 * t + k]);
        return double{soup_.vertices[3 * v + axis]};
      };
      double a[3];
      double b[3];
      for (std::size_t axis = 0; axis < 3; ++axis) {
        a[axis] = corner(1, axis) - corner(0, axis);
        b[axis] = corner(2, axis) - corner(0, axis);
      }
      const double x = a[1] * b[2] - a[2] * b[1];
      const double y = a[2] * b[0] - a[0] * b[2];
      const double z = a[0] * b[1] - a[1] * b[0];
      if (y * y >= x * x + z * z && y != 0) up += y > 0 ? 1 : -1;
    }
    return up < 0;
  }

  std::string name_of(std::uint32_t tile) const {
    return "tile (" + std::to_string(tile % tiles_x_) + ", " + std::to_string(tile / tiles_x_) +
           ")";
  }

  // Lays out the tiles. The grid of voxels begins at a whole voxel, so that its lines are lattice
  // lines.
  absl::Status lay_tiles() {
    step_ = static_cast<std::int64_t>(std::lround(parameters_.cell_size * kLatticePerUnit));
    for (int axis = 0; axis < 3; ++axis) {
      low_[axis] = high_[axis] = soup_.vertices[static_cast<std::size_t>(axis)];
      for (std::size_t i = static_cast<std::size_t>(axis); i < soup_.vertices.size(); i += 3) {
        low_[axis] = std::min(low_[axis], soup_.vertices[i]);
        high_[axis] = std::max(high_[axis], soup_.vertices[i]);
      }
    }
    const double size = parameters_.cell_size;
    first_x_ = static_cast<std::int64_t>(std::floor(low_[0] / size));
    first_z_ = static_cast<std::int64_t>(std::floor(low_[2] / size));
    const auto columns_x = static_cast<std::int64_t>(std::ceil(high_[0] / size)) - first_x_ + 1;
    const auto columns_z = static_cast<std::int64_t>(std::ceil(high_[2] / size)) - first_z_ + 1;
    if (columns_x * columns_z > kVoxelColumnsMax)
      return too_large(std::to_string(kVoxelColumnsMax) + " columns of voxels");
    tiles_x_ = (columns_x + parameters_.tile_voxels - 1) / parameters_.tile_voxels;
    tiles_z_ = (columns_z + parameters_.tile_voxels - 1) / parameters_.tile_voxels;
    const std::int64_t end_x = (first_x_ + tiles_x_ * parameters_.tile_voxels) * step_;
    const std::int64_t end_z = (first_z_ + tiles_z_ * parameters_.tile_voxels) * step_;
    if (std::max(end_x, end_z) > kLatticeMax ||
        std::min(first_x_, first_z_) * step_ < -std::int64_t{kLatticeMax})
      return invalid_field("MESH_EXTENT", "", "the tiles reach beyond the extent of meshes");
    for (std::int64_t i = 1; i < tiles_x_; ++i)
      lines_.x.push_back(line_at(first_x_ + i * parameters_.tile_voxels));
    for (std::int64_t i = 1; i < tiles_z_; ++i)
      lines_.z.push_back(line_at(first_z_ + i * parameters_.tile_voxels));
    return absl::OkStatus();
  }
  std::int32_t line_at(std::int64_t voxel) const {
    return static_cast<std::int32_t>(voxel * step_);
  }

  int border() const {
    return static_cast<int>(std::ceil(parameters_.agent_radius / parameters_.cell_size)) + 3;
  }

  struct TileRange {
    std::int64_t left, right, top, bottom;  // all inclusive
  };

  // Returns the tiles whose boxes, including borders, meet the box of triangle t.
  TileRange tiles_of(std::size_t t) const {
    const auto range = [&](int axis, std::int64_t first, std::int64_t tiles) {
      float low = 1e30F;
      float high = -1e30F;
      for (std::size_t k = 0; k < 3; ++k) {
        const auto v = static_cast<std::size_t>(soup_.triangles[3 * t + k]);
        const float c = soup_.vertices[3 * v + static_cast<std::size_t>(axis)];
        low = std::min(low, c);
        high = std::max(high, c);
      }
      const auto tile_of = [&](double c, std::int64_t margin) {
        const auto voxel =
            static_cast<std::int64_t>(std::floor(c / parameters_.cell_size)) - first + margin;
        return std::clamp(voxel >= 0 ? voxel / parameters_.tile_voxels : 0, std::int64_t{0},
                          tiles - 1);
      };
      const std::int64_t margin = border() + 1;
      return std::pair(tile_of(low, -margin), tile_of(high, margin));
    };
    const auto [left, right] = range(0, first_x_, tiles_x_);
    const auto [top, bottom] = range(2, first_z_, tiles_z_);
    return {left, right, top, bottom};
  }

  // Sorts the triangles into tiles. Before it makes a list, it checks the memory for the lists and
  // for the tiles' columns.
  absl::Status sort_triangles() {
    const std::int64_t side = parameters_.tile_voxels + 2 * std::int64_t{border()};
    if (side * side > kTileColumnsMax)
      return make_error(absl::StatusCode::kResourceExhausted, "IMPORT_TOO_LARGE", "agent_radius",
                        "a tile with its border, which is as wide as the agent's radius, has " +
                            std::to_string(side * side) + " columns of voxels; the limit is " +
                            std::to_string(kTileColumnsMax));
    std::uint64_t pairs = 0;  // of a triangle and a tile
    std::vector<bool> is_met(static_cast<std::size_t>(tiles_x_ * tiles_z_), false);
    for (std::size_t t = 0; t < soup_.triangle_count(); ++t) {
      const TileRange r = tiles_of(t);
      const auto met = static_cast<std::uint64_t>((r.right - r.left + 1) * (r.bottom - r.top + 1));
      if (!work_.spend(kUnitsPerPair * met + kUnitsPerTriangle))
        return work_.error("triangle " + std::to_string(t));
      pairs += met;
      for (std::int64_t z = r.top; z <= r.bottom; ++z)
        for (std::int64_t x = r.left; x <= r.right; ++x)
          is_met[static_cast<std::size_t>(z * tiles_x_ + x)] = true;
    }
    const auto tiles = static_cast<std::uint64_t>(std::ranges::count(is_met, true));
    const std::uint64_t bytes = pairs * kBytesPerPair + is_met.size() * kBytesPerTile;
    if (auto s = work_.check_memory(bytes, "tile_voxels"); !s.ok()) return s;
    const std::uint64_t units = tiles * static_cast<std::uint64_t>(side * side) * kUnitsPerColumn;
    if (!work_.affords(units)) return work_.error("cell_size", units);
    triangles_of_.resize(is_met.size());
    for (std::size_t t = 0; t < soup_.triangle_count(); ++t) {
      const TileRange r = tiles_of(t);
      for (std::int64_t z = r.top; z <= r.bottom; ++z)
        for (std::int64_t x = r.left; x <= r.right; ++x)
          for (std::size_t k = 0; k < 3; ++k)
            triangles_of_[static_cast<std::size_t>(z * tiles_x_ + x)].push_back(
                soup_.triangles[3 * t + k]);
    }
    return absl::OkStatus();
  }

  rcConfig config_of(std::uint32_t tile) const {
    rcConfig c{};
    const auto voxels = [](double length, double size) {
      return static_cast<int>(std::ceil(length / size - 1e-9));
    };
    c.cs = static_cast<float>(parameters_.cell_size);
    c.ch = static_cast<float>(parameters_.cell_height);
    c.walkableSlopeAngle = static_cast<float>(parameters_.slope_degrees);
    c.walkableHeight = std::max(3, voxels(parameters_.agent_height, parameters_.cell_height));
    c.walkableClimb =
        static_cast<int>(std::floor(parameters_.agent_climb / parameters_.cell_height + 1e-9));
    c.walkableRadius = voxels(parameters_.agent_radius, parameters_.cell_size);
    c.maxEdgeLen = static_cast<int>(parameters_.edge_length_max / parameters_.cell_size);
    c.maxSimplificationError = static_cast<float>(parameters_.edge_error_max);
    c.minRegionArea = static_cast<int>(parameters_.region_min * parameters_.region_min);
    c.mergeRegionArea = static_cast<int>(parameters_.region_merge * parameters_.region_merge);
    c.maxVertsPerPoly = kRecastSides;
    c.tileSize = parameters_.tile_voxels;
    c.borderSize = border();
    c.width = c.height = c.tileSize + 2 * c.borderSize;
    const std::int64_t x = first_x_ + (tile % tiles_x_) * c.tileSize - c.borderSize;
    const std::int64_t z = first_z_ + (tile / tiles_x_) * c.tileSize - c.borderSize;
    c.bmin[0] = static_cast<float>(static_cast<double>(x) * parameters_.cell_size);
    c.bmin[1] = low_[1];
    c.bmin[2] = static_cast<float>(static_cast<double>(z) * parameters_.cell_size);
    c.bmax[0] = static_cast<float>(static_cast<double>(x + c.width) * parameters_.cell_size);
    c.bmax[1] = high_[1];
    c.bmax[2] = static_cast<float>(static_cast<double>(z + c.height) * parameters_.cell_size);
    return c;
  }

  // Builds one tile. Returns false if the meter is over, Recast is out of memory or its numbers
  // overflow, or the tile is folded.
  bool build_tile(std::uint32_t tile) {
    const rcConfig c = config_of(tile);
    OwnedCompact compact = walkable_ground(c, triangles_of_[tile]);
    if (!compact) return false;
    OwnedPolygons polygons;
    ground_ = polygons_of(c, compact.get(), &work_, &polygons);
    if (ground_ != TileGround::kBuilt) return false;
    append(tile, *polygons);
    return !work_.is_over();
  }

  absl::Status failure_of(std::uint32_t tile) const {
    if (work_.is_over()) return work_.error(name_of(tile));
    if (ground_ != TileGround::kFolded) return too_large("memory for voxels");
    return invalid_field("GROUND_FOLDED", "",
                         "Recast cannot divide the ground of " + name_of(tile) +
                             " into cells that do not overlap; another cell_size, tile_voxels or "
                             "edge_error_max may help");
  }

  // Adds the triangles to the field one by one, as long as the spans are few enough.
  bool rasterize(const rcConfig& c, const std::vector<std::int32_t>& triangles,
                 const std::vector<unsigned char>& areas, rcHeightfield* field) {
    const auto columns = static_cast<std::uint64_t>(c.width) * static_cast<std::uint64_t>(c.height);
    const rcSpanPool* counted = nullptr;
    std::uint64_t pools = 0;
    std::uint64_t laid = 0;  // columns of all triangles so far
    for (std::size_t t = 0; t < areas.size(); ++t) {
      const auto corner = [&](std::size_t k) {
        return &soup_.vertices[3 * static_cast<std::size_t>(triangles[3 * t + k])];
      };
      const std::uint64_t met = columns_of(c, corner(0), corner(1), corner(2));
      const std::uint64_t depth = std::min<std::uint64_t>(4 * laid / columns, 4096);
      laid += met;
      if (!work_.spend(kUnitsPerTriangle + met * (kUnitsPerSpanLaid + depth))) return false;
      if (pools * RC_SPANS_PER_POOL + met > kTileSpansMax) return false;
      if (!rcRasterizeTriangle(&context_, corner(0), corner(1), corner(2), areas[t], *field,
                               c.walkableClimb))
        return false;
      const rcSpanPool* newest = field->pools;
      for (const rcSpanPool* p = newest; p != counted; p = p->next) ++pools;
      counted = newest;
    }
    return true;
  }

  // Returns the number of the tile's columns in a triangle's box.
  static std::uint64_t columns_of(const rcConfig& c, const float* a, const float* b,
                                  const float* d) {
    std::uint64_t product = 1;
    for (const int axis : {0, 2}) {
      const double low = std::min({a[axis], b[axis], d[axis]});
      const double high = std::max({a[axis], b[axis], d[axis]});
      const double from =
          std::clamp((low - c.bmin[axis]) / c.cs, 0.0, static_cast<double>(c.width));
      const double to = std::clamp((high - c.bmin[axis]) / c.cs, 0.0, static_cast<double>(c.width));
      product *= static_cast<std::uint64_t>(to - from) + 1;
    }
    return product;
  }

  // Returns the work of filters and of finding neighbours: each span is compared with all spans of
  // the columns beside it.
  static std::uint64_t units_of(const rcHeightfield& field) {
    std::uint64_t units = 0;
    for (int i = 0; i < field.width * field.height; ++i) {
      std::uint64_t depth = 0;
      for (const rcSpan* s = field.spans[i]; s != nullptr; s = s->next) ++depth;
      units += depth * (kUnitsPerSpan + 4 * depth);
    }
    return units;
  }

  OwnedCompact walkable_ground(const rcConfig& c, const std::vector<std::int32_t>& triangles) {
    const auto side = static_cast<std::uint64_t>(c.width);
    if (!work_.spend(side * side * kUnitsPerColumn)) return nullptr;
    const OwnedHeightfield field(rcAllocHeightfield());
    if (!field ||
        !rcCreateHeightfield(&context_, *field, c.width, c.height, c.bmin, c.bmax, c.cs, c.ch))
      return nullptr;
    const auto count = static_cast<int>(triangles.size() / 3);
    std::vector<unsigned char> areas(triangles.size() / 3, 0);
    const auto vertices = static_cast<int>(soup_.vertices.size() / 3);
    rcMarkWalkableTriangles(&context_, c.walkableSlopeAngle, soup_.vertices.data(), vertices,
                            triangles.data(), count, areas.data());
    if (!rasterize(c, triangles, areas, field.get()) || !work_.spend(units_of(*field)))
      return nullptr;
    rcFilterLowHangingWalkableObstacles(&context_, c.walkableClimb, *field);
    rcFilterLedgeSpans(&context_, c.walkableHeight, c.walkableClimb, *field);
    rcFilterWalkableLowHeightSpans(&context_, c.walkableHeight, *field);
    OwnedCompact compact(rcAllocCompactHeightfield());
    if (!compact ||
        !rcBuildCompactHeightfield(&context_, c.walkableHeight, c.walkableClimb, *field, *compact))
      return nullptr;
    return compact;
  }

  // Appends the polygons of a tile. Recast's polygons run clockwise (x right, z up).
  void append(std::uint32_t tile, const rcPolyMesh& polygons) {
    const auto shift = static_cast<std::uint32_t>(source_.vertices.size());
    const std::int64_t x = first_x_ + (tile % tiles_x_) * parameters_.tile_voxels;
    const std::int64_t z = first_z_ + (tile / tiles_x_) * parameters_.tile_voxels;
    for (int v = 0; v < polygons.nverts; ++v) {
      const unsigned short* at = &polygons.verts[3 * v];
      source_.vertices.push_back({{line_at(x + at[0]), line_at(z + at[2])},
                                  double{polygons.bmin[1]} + at[1] * parameters_.cell_height});
    }
    std::vector<std::vector<std::uint32_t>> pieces;
    for (int p = 0; p < polygons.npolys; ++p) {
      std::vector<std::uint32_t> cell;
      const unsigned short* corners = &polygons.polys[2 * polygons.nvp * p];
      for (int k = 0; k < polygons.nvp && corners[k] != RC_MESH_NULL_IDX; ++k)
        cell.push_back(shift + corners[k]);
      std::reverse(cell.begin(), cell.end());
      pieces.clear();
      append_convex(source_.vertices, cell, &pieces, &work_);  // leaves out a polygon without area
      for (const auto& piece : pieces) source_.add_cell(piece);
    }
  }

  const TriangleSoup& soup_;
  const RecastParameters& parameters_;
  WorkMeter& work_;
  rcContext context_{false};
  TileGround ground_ = TileGround::kBuilt;  // of the last tile
  std::int64_t step_ = 0;                   // size of a voxel in lattice steps
  float low_[3] = {0, 0, 0};
  float high_[3] = {0, 0, 0};
  std::int64_t first_x_ = 0;  // voxels from the origin
  std::int64_t first_z_ = 0;
  std::int64_t tiles_x_ = 0;
  std::int64_t tiles_z_ = 0;
  TileLines lines_;
  std::vector<std::vector<std::int32_t>> triangles_of_;
  MeshSource source_;
};

}  // namespace

absl::StatusOr<MeshSource> build_with_recast(const TriangleSoup& soup,
                                             const RecastParameters& parameters, WorkMeter* work) {
  if (soup.triangles.empty()) return invalid_field("NO_GROUND", "", "there are no triangles");
  WorkMeter own({}, kBytesPerNumber * (soup.vertices.size() + soup.triangles.size()));
  return RecastBuilder(soup, parameters, work == nullptr ? &own : work).run();
}

}  // namespace repath
