// A world computed from scratch each time, cell by cell and edge by edge, without incremental
// steps. It shares with the server only the plain data of a batch, the table of terrain and the
// rasteriser, which has a model of its own.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "grid/cells/raster.h"
#include "world/content_hash.h"
#include "world/world.h"

namespace repath::test {

struct Edge {
  std::uint32_t from;
  std::uint32_t to;
  Cost cost;
  bool operator==(const Edge&) const = default;
};
// Sorted by (from, to).
using Edges = std::vector<Edge>;

struct NaiveWorld {
  GridMap map;
  double cell_size = 1;
  std::vector<Profile> profiles;
  std::map<ObstacleId, ObstacleSpec> obstacles = {};
  std::uint64_t revision = 1;
  std::map<PlaneKey, std::vector<int>> levels = {};  // levels of each cell

  CellSpans cells_of(const Shape& shape) const {
    return covered_cells(shape, {map.width, map.height, cell_size});
  }

  // Calls change(level) for each of the cells.
  template <class Change>
  void edit_levels(PlaneKey key, const CellSpans& cells, Change&& change) {
    std::vector<int>& plane = levels[key];
    plane.resize(map.cells.size());
    for (const CellSpan& span : cells)
      for (std::int32_t x = span.x0; x < span.x1; ++x)
        change(&plane[static_cast<std::size_t>(span.y * map.width + x)]);
  }

  void apply_influence(const ChangeBatch& batch) {
    const CellRect all{0, 0, map.width, map.height};
    for (const InfluenceDecay& decay : batch.decay_influence)
      edit_levels({decay.team, decay.layer}, cells_of(decay.cells.value_or(all)),
                  [&](int* level) { *level = *level * decay.keep_permille / 1000; });
    for (const InfluenceEdit& edit : batch.influence_edits)
      edit_levels({edit.team, edit.layer}, cells_of(edit.shape), [&](int* level) {
        const bool sets = edit.change.kind == LevelChange::Kind::kSet;
        *level = std::clamp(sets ? edit.change.amount : *level + edit.change.amount, 0, 63936);
      });
  }

  void apply_fog(const ChangeBatch& batch) {
    for (const FogEdit& edit : batch.fog_edits)
      edit_levels({edit.team, PlaneKey::kUnseen}, cells_of(edit.shape),
                  [&](int* level) { *level = edit.hidden ? 1 : 0; });
  }

  std::map<AgentId, Body> bodies = {};

  void apply_bodies(const ChangeBatch& batch) {
    for (const AgentId agent : batch.walk_on) bodies.erase(agent);
    for (const Body& body : batch.stand) bodies[body.agent] = body;
  }

  void apply(const ChangeBatch& batch) {
    for (const Profile& p : batch.add_profiles)
      if (std::find(profiles.begin(), profiles.end(), p) == profiles.end()) profiles.push_back(p);
    for (const TerrainEdit& edit : batch.terrain_edits)
      for (std::int32_t y = std::max(0, edit.cells.y0); y < std::min(map.height, edit.cells.y1);
           ++y)
        for (std::int32_t x = std::max(0, edit.cells.x0); x < std::min(map.width, edit.cells.x1);
             ++x)
          map.cells[static_cast<std::size_t>(y * map.width + x)] = edit.terrain;
    apply_influence(batch);
    apply_fog(batch);
    apply_bodies(batch);
    for (const ObstacleId id : batch.remove_obstacles) obstacles.erase(id);
    for (const ObstacleSwitch& s : batch.switch_obstacles) obstacles.at(s.id).enabled = s.enabled;
    for (const ObstacleSpec& spec : batch.upsert_obstacles) obstacles[spec.id] = spec;
    ++revision;
  }

  std::uint64_t state_hash() const {
    std::uint64_t sum = content_hash(map, cell_size);
    for (std::size_t i = 0; i < map.cells.size(); ++i)
      sum += content_hash(NodeId{static_cast<std::uint32_t>(i)}, map.cells[i]);
    for (const Profile& p : profiles) sum += content_hash(p);
    for (const auto& [id, spec] : obstacles) sum += content_hash(spec);
    for (const auto& [key, plane] : levels)
      for (std::size_t i = 0; i < plane.size(); ++i)
        sum +=
            content_hash(key, NodeId{static_cast<std::uint32_t>(i)}, static_cast<Level>(plane[i]));
    for (const auto& [agent, body] : bodies) sum += content_hash(body);
    return fold_revision(sum, Revision{revision});
  }

  // Returns the distance from the centre of cell (x, y) to the square or hexagon of cell (u, v).
  static double gap(Topology topology, std::int32_t x, std::int32_t y, std::int32_t u,
                    std::int32_t v) {
    if (x == u && y == v) return 0;
    if (topology != Topology::kHex) {
      const double dx = x + 0.5 - std::clamp(x + 0.5, double(u), double(u + 1));
      const double dy = y + 0.5 - std::clamp(y + 0.5, double(v), double(v + 1));
      return std::hypot(dx, dy);
    }
    const double right = (u + (v & 1) * 0.5) - (x + (y & 1) * 0.5);
    const double down = (v - y) * std::sqrt(0.75);
    double least = 1e9;
    for (int side = 0; side < 6; ++side) {
      const double a = 0.5235987755982988 + side * 1.0471975511965976;
      const double ax = right + std::cos(a) / std::sqrt(3.0);
      const double ay = down + std::sin(a) / std::sqrt(3.0);
      const double bx = right + std::cos(a + 1.0471975511965976) / std::sqrt(3.0);
      const double by = down + std::sin(a + 1.0471975511965976) / std::sqrt(3.0);
      const double squared = (bx - ax) * (bx - ax) + (by - ay) * (by - ay);
      const double t = std::clamp(-(ax * (bx - ax) + ay * (by - ay)) / squared, 0.0, 1.0);
      least = std::min(least, std::hypot(ax + t * (bx - ax), ay + t * (by - ay)));
    }
    return least;
  }

  // Returns the factors without cells whose centre is nearer than the radius to a blocked cell or
  // to the outside.
  std::vector<double> grown(const std::vector<double>& factor, const Profile& profile) const {
    std::vector<double> out = factor;
    const double radius = profile.radius / cell_size;
    const auto reach = static_cast<std::int32_t>(std::ceil(radius * 1.2)) + 1;
    struct Bar {
      std::int32_t odd;
      std::int32_t dx;
      std::int32_t dy;
    };
    std::vector<Bar> bars;
    for (const std::int32_t odd : {0, 1})
      for (std::int32_t dy = -reach; dy <= reach; ++dy)
        for (std::int32_t dx = -reach; dx <= reach; ++dx)
          if (gap(profile.topology, 0, odd, dx, odd + dy) < radius - 1e-9)
            bars.push_back({odd, dx, dy});
    for (std::int32_t y = 0; y < map.height; ++y)
      for (std::int32_t x = 0; x < map.width; ++x)
        for (const Bar& bar : bars) {
          if (bar.odd != y % 2) continue;
          const std::int32_t u = x + bar.dx;
          const std::int32_t v = y + bar.dy;
          const bool on_map = u >= 0 && v >= 0 && u < map.width && v < map.height;
          if (!on_map || factor[static_cast<std::size_t>(v * map.width + u)] == 0)
            out[static_cast<std::size_t>(y * map.width + x)] = 0;
        }
    return out;
  }

  // Returns for each cell the factor in fixed point, 0 for blocked.
  std::vector<Factor> factors(const Profile& profile, TeamId team,
                              std::optional<AgentId> without) const {
    std::vector<double> factor(map.cells.size());
    for (std::size_t i = 0; i < factor.size(); ++i) {
      const TerrainClass& c = map.classes[index(map.cells[i])];
      factor[i] = c.forbidden ? 0 : c.factor;
      for (const TerrainRule& rule : profile.terrain_rules)
        if (rule.terrain == map.cells[i]) factor[i] = rule.forbidden ? 0 : rule.factor;
    }
    for (const auto& [id, spec] : obstacles) {
      if (!spec.enabled || (spec.teams >> static_cast<int>(team)) % 2 == 0) continue;
      for (const CellSpan& span : covered_cells(spec.shape, {map.width, map.height, cell_size}))
        for (std::int32_t x = span.x0; x < span.x1; ++x)
          factor[static_cast<std::size_t>(span.y * map.width + x)] *=
              spec.effect.blocked ? 0 : spec.effect.factor;
    }
    for (const auto& [agent, body] : bodies)
      for (const CellSpan& span : cells_of(body.shape))
        for (std::int32_t x = span.x0; agent != without && x < span.x1; ++x)
          factor[static_cast<std::size_t>(span.y * map.width + x)] = 0;
    if (const auto unseen = levels.find({team, PlaneKey::kUnseen}); unseen != levels.end())
      for (std::size_t i = 0; i < factor.size(); ++i)
        if (unseen->second[i] != 0) factor[i] = 1;
    for (const auto& [key, plane] : levels)
      for (std::size_t i = 0; i < plane.size(); ++i)
        if (key.team == team && key.number < 16) factor[i] *= 1 + plane[i] / 64.0;
    if (profile.radius > 0) factor = grown(factor, profile);
    std::vector<Factor> rounded;
    for (const double f : factor)
      rounded.push_back(f == 0 ? 0
                               : static_cast<Factor>(std::llround(std::min(f, 1000.0) * 1048576)));
    return rounded;
  }

  // Returns the cells that each obstacle covers.
  std::map<ObstacleId, CellSpans> marks() const {
    std::map<ObstacleId, CellSpans> marks;
    for (const auto& [id, spec] : obstacles)
      marks[id] = covered_cells(spec.shape, {map.width, map.height, cell_size});
    return marks;
  }

  Edges edges(const Profile& profile, TeamId team, std::optional<AgentId> without) const {
    const std::vector<Factor> factor = factors(profile, team, without);
    const auto at = [&](std::int32_t x, std::int32_t y) {
      return factor[static_cast<std::size_t>(y * map.width + x)];
    };
    Edges edges;
    for (std::int32_t y = 0; y < map.height; ++y)
      for (std::int32_t x = 0; x < map.width; ++x)
        for (std::int32_t v = std::max(0, y - 1); v <= std::min(map.height - 1, y + 1); ++v)
          for (std::int32_t u = std::max(0, x - 1); u <= std::min(map.width - 1, x + 1); ++u) {
            const int steps = std::abs(u - x) + std::abs(v - y);
            if (steps == 0 || at(x, y) == 0 || at(u, v) == 0) continue;
            if (steps == 2 && profile.topology == Topology::k4) continue;
            const bool hex = profile.topology == Topology::kHex;
            // Compares centres in the plane: odd rows are half a cell further to the right.
            if (hex && std::abs((u + v % 2 * 0.5) - (x + y % 2 * 0.5)) > 1) continue;
            const int free_flanks = (at(u, y) != 0) + (at(x, v) != 0);
            if (steps == 2 && !hex &&
                free_flanks < (profile.corner_rule == CornerRule::kNone ? 2 : 1))
              continue;
            const double length =
                static_cast<double>(steps == 2 && !hex ? kDiagonalStep : kStraightStep);
            // Exact in doubles, because the product is below 2^53 before the division.
            const double cost =
                length * (static_cast<double>(at(x, y)) + at(u, v)) / (2 * 1048576.0);
            edges.push_back({static_cast<std::uint32_t>(y * map.width + x),
                             static_cast<std::uint32_t>(v * map.width + u),
                             static_cast<Cost>(std::floor(cost + 0.5))});
          }
    return edges;
  }
};

}  // namespace repath::test
