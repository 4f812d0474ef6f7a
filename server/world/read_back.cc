#include "world/read_back.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <type_traits>
#include <variant>

#include "world/piecewise_copy.h"
#include "world/world.h"

namespace repath {
namespace {

constexpr std::size_t kBytesPerEntry = 64;  // of a tile or an obstacle, beside its lists

// Makes a list of equal values one value.
template <class T>
void shorten(std::vector<T>* values) {
  if (std::ranges::all_of(*values, [&](T v) { return v == values->front(); })) {
    values->resize(1);
    values->shrink_to_fit();
  }
}

std::vector<Level> levels_of(const Plane& plane, const TerrainTile& tile) {
  std::vector<Level> levels;
  std::array<Level, kTileSide> row{};
  for (std::int32_t y = tile.y; y < tile.y + tile.height; ++y) {
    if (!plane.row(tile.x >> kTileBits, y, &row)) return {};
    levels.insert(levels.end(), row.begin(), row.begin() + tile.width);
  }
  shorten(&levels);
  if (levels.size() == 1 && levels.front() == 0) levels.clear();
  return levels;
}

bool meets(const PlaneArea& a, const PlaneArea& b) {
  return a.min_x <= b.max_x && b.min_x <= a.max_x && a.min_z <= b.max_z && b.min_z <= a.max_z;
}

// A page that fills up.
class ObstacleFiller {
 public:
  ObstacleFiller(const ObstacleQuestion& question, double cell_size, ObstaclePage* page)
      : question_(question), cell_size_(cell_size), page_(*page) {}

  // Appends the entries after the question's cursor. Returns false if the page is full before the
  // last one.
  template <class Entries, class Spec, class Put>
  bool fill(const Entries& entries, bool are_bodies, Spec spec_of, Put put) {
    auto at = entries.begin();
    if (question_.after && question_.after->is_body == are_bodies)
      at = entries.upper_bound(ObstacleId{question_.after->id});
    for (; at != entries.end(); ++at) {
      const ObstacleSpec& spec = spec_of(at->second);
      if (is_full(bytes_of(spec))) {
        page_.next = last_;
        return false;
      }
      ++looked_at_;
      last_ = {are_bodies, value(at->first)};
      if (question_.area && !meets(bounds_of(spec.shape, cell_size_), *question_.area)) continue;
      ++given_;
      bytes_ += bytes_of(spec);
      put(at->second);
    }
    return true;
  }

 private:
  bool is_full(std::size_t more) const {
    return looked_at_ > 0 && (given_ >= question_.limit || looked_at_ >= kObstaclesLookedAtMax ||
                              bytes_ + more > kReadPageBytes);
  }

  const ObstacleQuestion& question_;
  double cell_size_;
  ObstaclePage& page_;
  ObstacleCursor last_;
  std::size_t given_ = 0;
  std::size_t looked_at_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace

std::size_t TerrainTile::bytes() const {
  std::size_t sum = kBytesPerEntry + terrain.size();
  for (const PlanePart& plane : planes) sum += kBytesPerEntry + plane.levels.size() * sizeof(Level);
  return sum;
}

std::size_t bytes_of(const ObstacleSpec& spec) {
  return 2 * kBytesPerEntry + points_kept(spec.shape) * sizeof(Point);
}

Body body_of(const Obstacle& kept) { return {AgentId{value(kept.spec.id)}, kept.spec.shape}; }

PlaneArea bounds_of(const Shape& shape, double cell_size) {
  PlaneArea area{HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  const auto add = [&area](Point p, double reach) {
    area.min_x = std::min(area.min_x, p.x - reach);
    area.min_z = std::min(area.min_z, p.z - reach);
    area.max_x = std::max(area.max_x, p.x + reach);
    area.max_z = std::max(area.max_z, p.z + reach);
  };
  const auto add_shape = [&](const auto& one) {
    using Kind = std::decay_t<decltype(one)>;
    if constexpr (std::is_same_v<Kind, CellRect>) {
      add({one.x0 * cell_size, one.y0 * cell_size}, 0);
      add({one.x1 * cell_size, one.y1 * cell_size}, 0);
    } else if constexpr (std::is_same_v<Kind, Box>) {
      for (const Point corner : box_corners(one)) add(corner, 0);
    } else if constexpr (std::is_same_v<Kind, Circle>) {
      add(one.center, one.radius);
    } else if constexpr (std::is_same_v<Kind, Polygon>) {
      for (const Point corner : one.points) add(corner, 0);
    } else {
      add(one.from, one.radius);
      add(one.to, one.radius);
    }
  };
  std::visit(add_shape, shape);
  return area;
}

TerrainTile read_tile(const World& world, std::uint32_t tile, const PlanesWanted& wanted) {
  TerrainTile out;
  out.x = static_cast<std::int32_t>(tile) % world.tiles_x() << kTileBits;
  out.y = static_cast<std::int32_t>(tile) / world.tiles_x() << kTileBits;
  out.width = std::min(kTileSide, world.width() - out.x);
  out.height = std::min(kTileSide, world.height() - out.y);
  out.terrain.reserve(out.cells());
  for (std::int32_t y = out.y; y < out.y + out.height; ++y) {
    const std::span<const TerrainId> row = world.terrain_row(out.x, y, out.width);
    out.terrain.insert(out.terrain.end(), row.begin(), row.end());
  }
  shorten(&out.terrain);
  out.changed = world.tile_changed(tile, !wanted.is_none());
  if (wanted.is_none()) return out;
  for (const auto& [key, plane] : world.planes()) {
    if (!wanted.includes(key)) continue;
    std::vector<Level> levels = levels_of(plane, out);
    if (!levels.empty()) out.planes.push_back({key, std::move(levels)});
  }
  return out;
}

TerrainPage read_terrain(const World& world, const TerrainQuestion& question) {
  const PlanesWanted wanted{.of_team = question.team};
  const CellRect area = question.area.value_or(CellRect{0, 0, world.width(), world.height()});
  const auto is_wanted = [&](std::uint32_t tile) {
    const std::int32_t tx = static_cast<std::int32_t>(tile) % world.tiles_x();
    if (tx < area.x0 >> kTileBits || tx > (area.x1 - 1) >> kTileBits) return false;
    return world.tile_changed(tile, !wanted.is_none()) > question.changed_since;
  };
  const auto row_of = [&](std::int32_t y) {
    return static_cast<std::uint32_t>((y >> kTileBits) * world.tiles_x());
  };
  TerrainPage page;
  page.revision = world.revision();
  std::size_t bytes = 0;
  const std::uint32_t end = row_of(area.y1 - 1) + static_cast<std::uint32_t>(world.tiles_x());
  for (std::uint32_t t = std::max(question.first_tile, row_of(area.y0)); t < end; ++t) {
    if (!is_wanted(t)) continue;
    if (page.tiles.size() >= question.tiles_max || bytes >= kReadPageBytes) {
      page.next_tile = t;
      break;
    }
    page.tiles.push_back(read_tile(world, t, wanted));
    bytes += page.tiles.back().bytes();
  }
  return page;
}

ObstaclePage read_obstacles(const World& world, const ObstacleQuestion& question) {
  ObstaclePage page;
  ObstacleFiller filler(question, world.cell_size(), &page);
  const auto spec_of = [](const Obstacle& kept) -> const ObstacleSpec& { return kept.spec; };
  const bool is_in_bodies = question.after && question.after->is_body;
  const auto put = [&](const Obstacle& kept) { page.obstacles.push_back(kept.spec); };
  if (!is_in_bodies && !filler.fill(world.obstacle_index().by_id(), false, spec_of, put))
    return page;
  filler.fill(world.bodies().by_id(), true, spec_of,
              [&](const Obstacle& kept) { page.bodies.push_back(body_of(kept)); });
  return page;
}

ObstaclePage read_obstacles(const std::map<ObstacleId, ObstacleSpec>& obstacles,
                            const ObstacleQuestion& question) {
  ObstaclePage page;
  ObstacleFiller filler(question, 1, &page);
  if (question.after && question.after->is_body) return page;
  filler.fill(
      obstacles, false, [](const ObstacleSpec& spec) -> const ObstacleSpec& { return spec; },
      [&](const ObstacleSpec& spec) { page.obstacles.push_back(spec); });
  return page;
}

}  // namespace repath
