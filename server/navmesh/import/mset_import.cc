#include "navmesh/import/mset_import.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "navmesh/import/stitch.h"
#include "navmesh/mesh/cell_finder.h"
#include "navmesh/mesh/convex_split.h"

namespace repath {
namespace {

constexpr std::int32_t kMsetMagic = 'M' << 24 | 'S' << 16 | 'E' << 8 | 'T';
constexpr std::int32_t kDnavMagic = 'D' << 24 | 'N' << 16 | 'A' << 8 | 'V';
constexpr std::size_t kSetHeader = 40;
constexpr std::size_t kTileHeader = 100;
constexpr std::size_t kPolygonBytes = 32;
constexpr std::size_t kConnectionBytes = 36;
constexpr std::int64_t kCountMax = std::int64_t{1} << 24;  // of any kind of element in a tile
constexpr std::int32_t kSnapSteps = 2;
// To find both ends of a connection: rows of buckets.
constexpr std::uint64_t kUnitsPerLookup = 4096;
constexpr std::uint64_t kUnitsPerCellSeen = 16;  // for each cell examined for an end

absl::Status mset_error(const char* reason, std::size_t tile, std::size_t byte,
                        const std::string& what) {
  return invalid_field(
      reason, "", "tile " + std::to_string(tile) + ", byte " + std::to_string(byte) + ": " + what);
}

template <class T>
T value_at(std::string_view bytes, std::size_t place) {
  T value;
  std::memcpy(&value, bytes.data() + place, sizeof value);
  return value;
}

// Offsets of the parts of a tile in its bytes.
struct TileParts {
  std::size_t vertices = 0, polygons = 0, connections = 0;
  std::int64_t vertex_count = 0, polygon_count = 0, connection_count = 0;
  double climb = 0;
  LatticePoint low{}, high{};
};

// An off-mesh connection: a link that has no cells yet.
struct OffMesh {
  NavLink link;
  double radius = 0;
};

class MsetReader {
 public:
  MsetReader(std::string_view bytes, bool is_wide, WorkMeter* work)
      : bytes_(bytes), is_wide_(is_wide), work_(*work) {}

  absl::StatusOr<MeshSource> run() {
    const auto tiles = value_at<std::int32_t>(bytes_, 8);
    const std::size_t head = is_wide_ ? 16 : 8;
    std::size_t place = kSetHeader;
    if (tiles < 1 ||
        static_cast<std::size_t>(tiles) > (bytes_.size() - place) / (head + kTileHeader))
      return mset_error("MSET_SIZE", 0, 8, "the file is too short for its number of tiles");
    for (std::int32_t t = 0; t < tiles; ++t) {
      tile_ = static_cast<std::size_t>(t);
      if (bytes_.size() - place < head)
        return mset_error("MSET_SIZE", tile_, place,
                          "the file ends here, inside of a tile's header");
      const auto size = value_at<std::int32_t>(bytes_, place + head - (is_wide_ ? 8 : 4));
      place += head;
      if (size < static_cast<std::int32_t>(kTileHeader) ||
          static_cast<std::size_t>(size) > bytes_.size() - place)
        return mset_error("MSET_SIZE", tile_, place, "the tile's size does not fit the file");
      base_ = place;
      data_ = bytes_.substr(place, static_cast<std::size_t>(size));
      place += static_cast<std::size_t>(size);
      if (auto s = read_tile(); !s.ok()) return s;
    }
    if (place != bytes_.size())
      return mset_error("MSET_SIZE", tile_, place, "bytes after the last tile");
    return finish();
  }

 private:
  absl::Status at(const char* reason, std::size_t place, const std::string& what) const {
    return mset_error(reason, tile_, base_ + place, what);
  }

  absl::Status read_tile() {
    if (value_at<std::int32_t>(data_, 0) != kDnavMagic || value_at<std::int32_t>(data_, 4) != 7)
      return at("MSET_SYNTAX", 0, "expected a DNAV tile, version 7");
    TileParts parts;
    if (auto s = find_parts(&parts); !s.ok()) return s;
    if (auto s = read_box(&parts); !s.ok()) return s;
    const auto shift = static_cast<std::uint32_t>(source_.vertices.size());
    if (source_.vertices.size() + static_cast<std::size_t>(parts.vertex_count) > kNavVerticesMax ||
        source_.cells.size() + static_cast<std::size_t>(parts.polygon_count) > kNavCellsMax)
      return make_error(absl::StatusCode::kResourceExhausted, "MESH_TOO_LARGE", "",
                        "more than " + std::to_string(kNavVerticesMax) + " corners or " +
                            std::to_string(kNavCellsMax) + " polygons");
    if (auto s = read_vertices(parts); !s.ok()) return s;
    if (auto s = read_polygons(parts, shift); !s.ok()) return s;
    return read_connections(parts);
  }

  // Reads the counts of the header, and checks that they add up to the tile's bytes.
  absl::Status find_parts(TileParts* parts) const {
    std::int64_t counts[9];  // polygons, vertices, links, detail meshes, vertices, triangles,
                             // boxes, connections, first connection's polygon
    for (std::size_t i = 0; i < 9; ++i) {
      counts[i] = value_at<std::int32_t>(data_, 24 + 4 * i);
      if (counts[i] < 0 || counts[i] > kCountMax)
        return at("MSET_SIZE", 24 + 4 * i, "a count must be in [0, 2^24]");
    }
    const std::int64_t link = is_wide_ ? 16 : 12;
    const std::int64_t sizes[9] = {kTileHeader,      counts[1] * 12, counts[0] * 32,
                                   counts[2] * link, counts[3] * 12, counts[4] * 12,
                                   counts[5] * 4,    counts[6] * 16, counts[7] * 36};
    std::int64_t sum = 0;
    for (const std::int64_t size : sizes) sum += size;
    if (sum != static_cast<std::int64_t>(data_.size()))
      return at("MSET_SIZE", 24,
                "the counts make " + std::to_string(sum) + " bytes, the tile has " +
                    std::to_string(data_.size()));
    parts->vertices = kTileHeader;
    parts->polygons = parts->vertices + static_cast<std::size_t>(sizes[1]);
    parts->connections = data_.size() - static_cast<std::size_t>(sizes[8]);
    parts->polygon_count = counts[0];
    parts->vertex_count = counts[1];
    parts->connection_count = counts[7];
    return absl::OkStatus();
  }

  absl::Status read_box(TileParts* parts) {
    parts->climb = value_at<float>(data_, 68);
    if (!(parts->climb >= 0 && parts->climb <= 1000))
      return at("MSET_EXTENT", 68, "the walkable climb must be in [0, 1000]");
    climb_ = std::max(climb_, parts->climb);
    if (!read_point(72, &parts->low, nullptr) || !read_point(84, &parts->high, nullptr))
      return at("MSET_EXTENT", 72, "the tile's box must be within the extent");
    for (const LatticePoint p : {parts->low, parts->high}) {
      lines_.x.push_back(p.x);
      lines_.z.push_back(p.z);
    }
    return absl::OkStatus();
  }

  // Reads three floats. Returns false if they are beyond the extent.
  bool read_point(std::size_t place, LatticePoint* p, double* y) const {
    const Point at{value_at<float>(data_, place), value_at<float>(data_, place + 8)};
    const double height = value_at<float>(data_, place + 4);
    if (!is_in_extent(at) || !(std::abs(height) <= kHeightMax)) return false;
    *p = to_lattice(at);
    if (y != nullptr) *y = height;
    return true;
  }

  absl::Status read_vertices(const TileParts& parts) {
    const auto snap = [](std::int32_t* c, std::int32_t line) {
      if (std::abs(std::int64_t{*c} - line) <= kSnapSteps) *c = line;
    };
    for (std::int64_t v = 0; v < parts.vertex_count; ++v) {
      const std::size_t place = parts.vertices + static_cast<std::size_t>(v) * 12;
      MeshSource::Vertex vertex;
      if (!read_point(place, &vertex.at, &vertex.y))
        return at("MSET_EXTENT", place, "a corner lies beyond the extent");
      for (const LatticePoint line : {parts.low, parts.high}) {
        snap(&vertex.at.x, line.x);
        snap(&vertex.at.z, line.z);
      }
      source_.vertices.push_back(vertex);
    }
    return absl::OkStatus();
  }

  // Reads the polygons. Detour's polygons run clockwise (x right, z up).
  absl::Status read_polygons(const TileParts& parts, std::uint32_t shift) {
    std::vector<std::vector<std::uint32_t>> pieces;
    for (std::int64_t p = 0; p < parts.polygon_count; ++p) {
      const std::size_t place = parts.polygons + static_cast<std::size_t>(p) * kPolygonBytes;
      const auto kind = value_at<std::uint8_t>(data_, place + 31);
      const auto count = value_at<std::uint8_t>(data_, place + 30);
      if (kind >> 6 == 1) continue;  // polygon of an off-mesh connection
      if (kind >> 6 != 0 || count < 3 || count > 6)
        return at("MSET_SIZE", place, "a polygon has 3 to 6 corners");
      std::vector<std::uint32_t> cell;
      for (std::size_t k = 0; k < count; ++k) {
        const auto v = value_at<std::uint16_t>(data_, place + 4 + 2 * k);
        if (v >= parts.vertex_count)
          return at("MSET_INDEX", place, "names a corner that is not there");
        cell.push_back(shift + v);
      }
      std::reverse(cell.begin(), cell.end());
      pieces.clear();
      append_convex(source_.vertices, cell, &pieces, &work_);
      if (work_.is_over()) return work_.error("tile " + std::to_string(tile_));
      for (const auto& piece : pieces) {
        MeshSource::Cell& made = source_.add_cell(piece);
        made.area = AreaType{static_cast<std::uint8_t>(kind & 0x3f)};
        made.flags = value_at<std::uint16_t>(data_, place + 28);
      }
    }
    return absl::OkStatus();
  }

  absl::Status read_connections(const TileParts& parts) {
    for (std::int64_t c = 0; c < parts.connection_count; ++c) {
      const std::size_t place = parts.connections + static_cast<std::size_t>(c) * kConnectionBytes;
      const auto polygon = value_at<std::uint16_t>(data_, place + 28);
      if (polygon >= parts.polygon_count)
        return at("MSET_INDEX", place, "names a polygon that is not there");
      NavLink link;
      if (!read_point(place, &link.from, &link.from_y) ||
          !read_point(place + 12, &link.to, &link.to_y))
        return at("MSET_EXTENT", place, "a connection ends beyond the extent");
      const double radius = value_at<float>(data_, place + 24);
      if (!(radius >= 0 && radius <= 1000))
        return at("MSET_EXTENT", place + 24, "a connection's radius must be in [0, 1000]");
      const std::size_t of = parts.polygons + std::size_t{polygon} * kPolygonBytes;
      link.flags = value_at<std::uint16_t>(data_, of + 28);
      link.area =
          AreaType{static_cast<std::uint8_t>(value_at<std::uint8_t>(data_, of + 31) & 0x3f)};
      link.both_ways = (value_at<std::uint8_t>(data_, place + 30) & 1) != 0;
      links_.push_back({link, radius});
    }
    return absl::OkStatus();
  }

  absl::StatusOr<MeshSource> finish() {
    if (source_.cells.empty()) return mset_error("MSET_SIZE", tile_, 0, "there is no polygon");
    for (auto* lines : {&lines_.x, &lines_.z}) {
      std::sort(lines->begin(), lines->end());
      lines->erase(std::unique(lines->begin(), lines->end()), lines->end());
    }
    if (!stitch_tiles(lines_, climb_, &work_, &source_)) return work_.error("the tiles' borders");
    if (links_.empty()) return std::move(source_);
    const absl::StatusOr<NavMesh> ground = NavMesh::build(source_);
    if (!ground.ok()) return ground.status();
    const CellFinder finder(*ground);
    for (const OffMesh& one : links_) {
      if (source_.links.size() == kNavLinksMax) break;
      const std::uint64_t near = finder.count_near(to_point(one.link.from), one.radius) +
                                 finder.count_near(to_point(one.link.to), one.radius);
      if (!work_.spend(kUnitsPerLookup + near * kUnitsPerCellSeen))
        return work_.error("connection " + std::to_string(&one - links_.data()));
      add_link(*ground, finder, one);
    }
    return std::move(source_);
  }

  void add_link(const NavMesh& ground, const CellFinder& finder, const OffMesh& one) {
    NavLink link = one.link;
    const double reach = std::max(climb_, 0.01);
    const auto from =
        finder.find_nearest(to_point(link.from), link.from_y, one.radius, reach, NavFilter{});
    const auto to =
        finder.find_nearest(to_point(link.to), link.to_y, one.radius, reach, NavFilter{});
    if (!from || !to) return;
    link.id = source_.links.size() + 1;
    link.from_cell = from->place.cell;
    link.to_cell = to->place.cell;
    link.from = lattice_point_in(ground, from->place);
    link.to = lattice_point_in(ground, to->place);
    link.from_y = from->y;
    link.to_y = to->y;
    source_.links.push_back(link);
  }

  // Returns the lattice point nearest to the place, or one nearer to the cell's first corner, that
  // lies in the cell.
  static LatticePoint lattice_point_in(const NavMesh& ground, const MeshPlace& place) {
    const NavMesh::Edge& corner = ground.edges_of(place.cell)[0];
    for (double share = 0; share < 1; share = share == 0 ? 0x1p-20 : share * 2) {
      const double x = std::floor(place.x + share * (corner.x - place.x) + 0.5);
      const double z = std::floor(place.z + share * (corner.z - place.z) + 0.5);
      if (holds(ground, place.cell, x, z))
        return {static_cast<std::int32_t>(x), static_cast<std::int32_t>(z)};
    }
    return {static_cast<std::int32_t>(corner.x), static_cast<std::int32_t>(corner.z)};
  }

  std::string_view bytes_;
  bool is_wide_;
  WorkMeter& work_;
  std::string_view data_;  // bytes of the tile that is being read
  std::size_t base_ = 0;   // offset of the tile in the file
  std::size_t tile_ = 0;
  double climb_ = 0;
  TileLines lines_;
  std::vector<OffMesh> links_;
  MeshSource source_;
};

}  // namespace

absl::StatusOr<MeshSource> import_mset(std::string_view bytes, WorkMeter* work) {
  WorkMeter own({}, bytes.size());
  if (work == nullptr) work = &own;
  if (bytes.size() < kSetHeader || value_at<std::int32_t>(bytes, 0) != kMsetMagic ||
      value_at<std::int32_t>(bytes, 4) != 1)
    return mset_error("MSET_SYNTAX", 0, 0, "expected an MSET file, version 1");
  absl::StatusOr<MeshSource> narrow = MsetReader(bytes, false, work).run();
  if (narrow.ok() || work->is_over()) return narrow;
  absl::StatusOr<MeshSource> wide = MsetReader(bytes, true, work).run();
  return wide.ok() ? std::move(wide) : std::move(narrow);
}

}  // namespace repath
