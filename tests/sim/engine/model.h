// The plain model of the simulation: the cells of every revision, and Dijkstra without memory. It
// shares no code with the rooms that it judges, except the cost arithmetic.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "agents/agent.h"
#include "base/cost.h"
#include "base/ids.h"
#include "grid/cells/costs.h"
#include "world/batch.h"
#include "world/profile.h"

namespace repath::test {

// The ground that one (profile, team) sees at one revision.
struct ModelView {
  int width = 0;
  int height = 0;
  Topology topology = Topology::k8;
  CornerRule corner = CornerRule::kNone;
  std::vector<Factor> factor;  // 0: blocked

  int x_of(NodeId n) const { return static_cast<int>(index(n)) % width; }
  int y_of(NodeId n) const { return static_cast<int>(index(n)) / width; }
  NodeId at(int x, int y) const { return NodeId{static_cast<std::uint32_t>(y * width + x)}; }
  bool is_free(int x, int y) const {
    return x >= 0 && y >= 0 && x < width && y < height && factor[index(at(x, y))] != 0;
  }
  bool is_free(NodeId n) const { return factor[index(n)] != 0; }

  Cost step(NodeId a, NodeId b) const {
    const int dx = x_of(b) - x_of(a);
    const int dy = y_of(b) - y_of(a);
    if (std::max(std::abs(dx), std::abs(dy)) != 1 || !is_free(a) || !is_free(b))
      return kUnreachable;
    // Compares centres of hexagons in the plane: odd rows are half a cell further to the right.
    const bool hex = topology == Topology::kHex;
    if (hex && std::abs(dx + (y_of(b) % 2 - y_of(a) % 2) * 0.5) > 1) return kUnreachable;
    const bool diagonal = dx != 0 && dy != 0 && !hex;
    if (diagonal) {
      if (topology == Topology::k4) return kUnreachable;
      const bool one = is_free(x_of(a) + dx, y_of(a));
      const bool other = is_free(x_of(a), y_of(a) + dy);
      if (corner == CornerRule::kNone ? !(one && other) : !(one || other)) return kUnreachable;
    }
    return step_cost(diagonal ? kDiagonalStep : kStraightStep, factor[index(a)], factor[index(b)]);
  }

  // Returns kUnreachable if a step is closed.
  template <class Nodes>
  Cost cost(const Nodes& nodes, std::size_t from = 0) const {
    Cost sum = 0;
    for (std::size_t i = from; i + 1 < nodes.size(); ++i)
      sum = saturating_add(sum, step(nodes[i], nodes[i + 1]));
    return sum;
  }

  std::vector<Cost> distances(NodeId from) const {
    std::vector<Cost> dist(factor.size(), kUnreachable);
    if (!is_free(from)) return dist;
    using Entry = std::pair<Cost, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> todo;
    todo.emplace(dist[index(from)] = 0, index(from));
    while (!todo.empty()) {
      const auto [d, n] = todo.top();
      todo.pop();
      if (d != dist[n]) continue;
      const int x = x_of(NodeId{n});
      const int y = y_of(NodeId{n});
      for (int ny = std::max(0, y - 1); ny <= std::min(height - 1, y + 1); ++ny)
        for (int nx = std::max(0, x - 1); nx <= std::min(width - 1, x + 1); ++nx) {
          const Cost c = step(NodeId{n}, at(nx, ny));
          if (c == kUnreachable || d + c >= dist[index(at(nx, ny))]) continue;
          todo.emplace(dist[index(at(nx, ny))] = d + c, index(at(nx, ny)));
        }
    }
    return dist;
  }

  Cost metric(NodeId a, int x, int y) const {
    const int dy = std::abs(y_of(a) - y);
    if (topology == Topology::kHex) {
      // Rows first, each with a drift of half a cell; then the rest along the row.
      const double right = std::abs((x + y % 2 * 0.5) - (x_of(a) + y_of(a) % 2 * 0.5));
      return kStraightStep * static_cast<Cost>(dy + std::max(0.0, right - dy * 0.5));
    }
    const int dx = std::abs(x_of(a) - x);
    if (topology == Topology::k4) return kStraightStep * static_cast<Cost>(dx + dy);
    return kDiagonalStep * static_cast<Cost>(std::min(dx, dy)) +
           kStraightStep * static_cast<Cost>(std::max(dx, dy) - std::min(dx, dy));
  }
};

// Returns the cells where an agent may end.
inline std::vector<NodeId> goal_nodes(const ModelView& v, const AgentSpec& spec) {
  std::vector<NodeId> nodes;
  for (const MapPoint& g : spec.goals)
    for (int y = 0; y < v.height; ++y)
      for (int x = 0; x < v.width; ++x) {
        const double dx = x + 0.5 - g.x;
        const double dy = y + 0.5 - g.y;
        const bool own = x == static_cast<int>(g.x) && y == static_cast<int>(g.y);
        if (own || dx * dx + dy * dy <= spec.goal_radius * spec.goal_radius + 1e-9)
          nodes.push_back(v.at(x, y));
      }
  return nodes;
}

inline Cost optimum(const ModelView& v, NodeId from, const AgentSpec& spec) {
  const auto dist = v.distances(from);
  Cost best = kUnreachable;
  for (const NodeId goal : goal_nodes(v, spec)) best = std::min(best, dist[index(goal)]);
  return best;
}

// Returns the metric distance to the nearest goal, walls ignored.
inline Cost distance_to(const ModelView& v, NodeId n, const AgentSpec& spec) {
  Cost near = kUnreachable;
  for (const MapPoint& g : spec.goals)
    near = std::min(near, v.metric(n, static_cast<int>(g.x), static_cast<int>(g.y)));
  return near;
}

// Returns the least reachable node by (metric distance to the goals' cells, cost, id).
inline std::tuple<Cost, Cost, NodeId> partial_end(const ModelView& v, NodeId from,
                                                  const AgentSpec& spec) {
  const auto dist = v.distances(from);
  std::tuple best{kUnreachable, kUnreachable, kNoNode};
  for (std::uint32_t n = 0; n < dist.size(); ++n) {
    if (dist[n] == kUnreachable) continue;
    best = std::min(best, std::tuple(distance_to(v, NodeId{n}, spec), dist[n], NodeId{n}));
  }
  return best;
}

// Returns the free cell nearest to n's centre within 64 cells, ties by id; kNoNode if there is
// none.
inline NodeId nearest_free(const ModelView& v, NodeId n) {
  std::pair best{64 * 64 + 1, kNoNode};
  for (std::uint32_t m = 0; m < v.factor.size(); ++m) {
    const int dx = v.x_of(NodeId{m}) - v.x_of(n);
    const int dy = v.y_of(NodeId{m}) - v.y_of(n);
    if (v.is_free(NodeId{m})) best = std::min(best, std::pair(dx * dx + dy * dy, NodeId{m}));
  }
  return best.second;
}

// Terrain and rectangular obstacles as plain data; keeps the views of every revision.
class ModelWorld {
 public:
  ModelWorld(const GridMap& map, std::vector<Profile> profiles)
      : map_(map), profiles_(std::move(profiles)) {
    keep();
  }

  // Cells.
  double turning_radius(const AgentSpec& spec) const {
    return find_profile(profiles_, spec.profile)->turning_radius;
  }

  void apply(const ChangeBatch& batch) {
    for (const TerrainEdit& edit : batch.terrain_edits)
      for (int y = std::max(0, edit.cells.y0); y < std::min(map_.height, edit.cells.y1); ++y)
        for (int x = std::max(0, edit.cells.x0); x < std::min(map_.width, edit.cells.x1); ++x)
          map_.cells[static_cast<std::size_t>(y * map_.width + x)] = edit.terrain;
    for (const ObstacleId id : batch.remove_obstacles) obstacles_.erase(id);
    for (const ObstacleSwitch& s : batch.switch_obstacles) obstacles_.at(s.id).enabled = s.enabled;
    for (const ObstacleSpec& o : batch.upsert_obstacles) obstacles_[o.id] = o;
    keep();
  }

  Revision revision() const { return Revision{history_.size()}; }
  const std::map<ObstacleId, ObstacleSpec>& obstacles() const { return obstacles_; }
  const ModelView& view(Revision r, const AgentSpec& spec) const {
    std::size_t p = 0;
    while (profiles_[p].name != spec.profile) ++p;
    return history_.at(value(r) - 1).at(p * 2 + static_cast<std::size_t>(spec.team));
  }
  const ModelView& now(const AgentSpec& spec) const { return view(revision(), spec); }

 private:
  void keep() {
    history_.emplace_back();
    for (const Profile& profile : profiles_)
      for (int team = 0; team < 2; ++team)
        history_.back().push_back(look(profile, static_cast<TeamId>(team)));
  }

  // Returns whether the cell's centre is nearer than `radius` to a blocked square or the outside.
  bool is_near_blocked(const std::vector<double>& ground, int cell, const Profile& profile) const {
    const double radius = profile.radius;
    const int x = cell % map_.width;
    const int y = cell / map_.width;
    const int reach = static_cast<int>(std::ceil(radius));
    for (int v = y - reach; v <= y + reach; ++v)
      for (int u = x - reach; u <= x + reach; ++u) {
        const bool on_map = u >= 0 && v >= 0 && u < map_.width && v < map_.height;
        if (on_map && ground[static_cast<std::size_t>(v * map_.width + u)] != 0) continue;
        if (profile.topology == Topology::kHex) {  // REQUIRES: a radius in (0.5, 1 / sqrt(3)]
          const double right = std::abs((u + (v & 1) * 0.5) - (x + (y & 1) * 0.5));
          if (std::abs(v - y) <= 1 && right <= 1) return true;
          continue;
        }
        const double dx = std::max(0.0, std::abs(u - x) - 0.5);
        const double dy = std::max(0.0, std::abs(v - y) - 0.5);
        if (dx * dx + dy * dy < radius * radius - 1e-9) return true;
      }
    return false;
  }

  ModelView look(const Profile& profile, TeamId team) const {
    ModelView v{map_.width, map_.height, profile.topology, profile.corner_rule, {}};
    std::vector<double> factor;
    for (const TerrainId terrain : map_.cells) {
      const TerrainClass& cls = map_.classes[index(terrain)];
      double f = cls.forbidden ? 0 : cls.factor;
      for (const TerrainRule& rule : profile.terrain_rules)
        if (rule.terrain == terrain) f = rule.forbidden ? 0 : rule.factor;
      factor.push_back(f);
    }
    for (const auto& [id, o] : obstacles_) {
      if (!o.enabled || !concerns(o.teams, team)) continue;
      const CellRect rect = std::get<CellRect>(o.shape);
      for (int y = rect.y0; y < rect.y1; ++y)
        for (int x = rect.x0; x < rect.x1; ++x)
          factor[static_cast<std::size_t>(y * map_.width + x)] *=
              o.effect.blocked ? 0 : o.effect.factor;
    }
    const std::vector<double> ground = factor;
    for (int i = 0; i < map_.width * map_.height; ++i)
      if (is_near_blocked(ground, i, profile)) factor[static_cast<std::size_t>(i)] = 0;
    for (const double f : factor) v.factor.push_back(f == 0 ? 0 : to_factor(std::min(f, 1000.0)));
    return v;
  }

  GridMap map_;
  std::vector<Profile> profiles_;
  std::map<ObstacleId, ObstacleSpec> obstacles_;
  std::vector<std::vector<ModelView>> history_;  // by revision - 1, then profile * 2 + team
};

}  // namespace repath::test
