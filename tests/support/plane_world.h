// A plain world: a rectangle of even ground with blocks on it, searched by a visibility graph. For
// tests of the rooms above routes/route_world.h. It is slow and simple on purpose, so that it also
// serves as a model.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.h"
#include "routes/query_ground.h"
#include "routes/route_world.h"
#include "world/checks.h"

namespace repath::test {

// Paths may lead along its sides, but not through it.
struct PlaneBlock {
  double x0 = 0;
  double z0 = 0;
  double x1 = 0;
  double z1 = 0;
};

inline double plane_length(const Spot& a, const Spot& b) {
  return std::hypot(a.x - b.x, a.z - b.z);
}

inline Cost plane_cost(double length) {
  return static_cast<Cost>(std::llround(length * kRouteCostUnit));
}

class PlaneGround;

// Dijkstra over start, corners and goals; charges `work` expansions for each node.
class PlaneSearch final : public RouteSearch {
 public:
  PlaneSearch(const PlaneGround* ground, const Spot& from, std::span<const RoutePlace> goals,
              std::uint32_t work, double bound_ratio);
  Progress advance(std::uint32_t* expansions) override;
  void append_route(std::vector<RoutePoint>* out) const override;
  Cost cost() const override { return cost_of_end_; }
  Cost lower_bound() const override {
    return static_cast<Cost>(bound_ratio_ * static_cast<double>(cost_of_end_));
  }
  std::uint64_t expanded() const override { return expanded_; }

 private:
  struct Node {
    Spot at;
    bool is_goal = false;
    bool is_closed = false;
    Cost g = kUnreachable;
    std::size_t parent = 0;
  };
  bool expand_next();

  const PlaneGround* ground_;
  std::vector<Node> nodes_;
  std::uint32_t work_;
  std::uint32_t owed_ = 0;
  double bound_ratio_;
  std::uint64_t expanded_ = 0;
  std::optional<std::size_t> end_;
  bool is_exhausted_ = false;
  Cost cost_of_end_ = 0;
};

class PlaneGround final : public QueryGround {
 public:
  double width = 100;
  double depth = 100;
  std::vector<PlaneBlock> blocks = {};
  TeamId team{};           // of the view in a PlaneWorld
  std::uint32_t work = 1;  // expansions for each node
  double bound_ratio = 1;  // bound that a search claims: 1 means optimal

  bool holds(double x, double z) const {
    if (!(x >= 0 && x <= width && z >= 0 && z <= depth)) return false;
    return std::ranges::none_of(
        blocks, [&](const PlaneBlock& b) { return x > b.x0 && x < b.x1 && z > b.z0 && z < b.z1; });
  }
  // Returns whether the leg avoids the inside of all blocks.
  bool is_open(const Spot& a, const Spot& b) const {
    constexpr double kEdge = 1e-7;
    return std::ranges::none_of(blocks, [&](const PlaneBlock& block) {
      double first = 0;
      double last = 1;
      const auto clip = [&](double from, double to, double low, double high) {
        if (from == to) return from > low && from < high;
        const double t0 = (low - from) / (to - from);
        const double t1 = (high - from) / (to - from);
        first = std::max(first, std::min(t0, t1));
        last = std::min(last, std::max(t0, t1));
        return first < last;
      };
      return clip(a.x, b.x, block.x0 + kEdge, block.x1 - kEdge) &&
             clip(a.z, b.z, block.z0 + kEdge, block.z1 - kEdge);
    });
  }
  // Returns the corners where an agent can stand.
  std::vector<Spot> corners() const {
    std::vector<Spot> out;
    for (const PlaneBlock& b : blocks)
      for (const auto& [x, z] : {std::pair(b.x0, b.z0), std::pair(b.x0, b.z1),
                                 std::pair(b.x1, b.z0), std::pair(b.x1, b.z1)})
        if (holds(x, z)) out.push_back({x, 0, z});
    return out;
  }
  // Returns the start, and every corner that a path leads to from there.
  std::vector<Spot> reachable_from(const Spot& start) const {
    std::vector<Spot> left = corners();
    std::vector<Spot> met{start};
    for (std::size_t i = 0; i < met.size(); ++i)
      std::erase_if(left, [&, from = met[i]](const Spot& corner) {
        const bool is_met = is_open(from, corner);
        if (is_met) met.push_back(corner);
        return is_met;
      });
    return met;
  }

  bool is_continuous() const override { return true; }
  std::optional<RoutePlace> locate(const Spot& at, std::uint64_t* = nullptr) const override {
    if (!holds(at.x, at.z)) return std::nullopt;
    return RoutePlace{{at.x, 0, at.z}, 0};
  }
  std::optional<RoutePlace> nearest(const Spot& at, double radius,
                                    std::uint64_t* = nullptr) const override {
    if (auto here = locate(at)) return here;
    std::vector<double> xs{at.x, std::clamp(at.x, 0.0, width)};
    std::vector<double> zs{at.z, std::clamp(at.z, 0.0, depth)};
    for (const PlaneBlock& b : blocks) {
      xs.insert(xs.end(), {b.x0, b.x1});
      zs.insert(zs.end(), {b.z0, b.z1});
    }
    std::optional<RoutePlace> best;
    for (const double x : xs)
      for (const double z : zs) {
        const Spot spot{x, 0, z};
        if (!holds(x, z) || plane_length(spot, at) > radius) continue;
        const auto rank = [&](const Spot& p) { return std::tuple(plane_length(p, at), p.x, p.z); };
        if (!best || rank(spot) < rank(best->at)) best = RoutePlace{spot, 0};
      }
    return best;
  }
  RouteWalk walk(std::span<const RoutePoint> route) const override {
    if (!holds(route[0].at.x, route[0].at.z)) return {kUnreachable, 0};
    RouteWalk walk;
    for (std::size_t i = 1; i < route.size(); ++i) {
      const Spot& to = route[i].at;
      if (!holds(to.x, to.z) || !is_open(route[i - 1].at, to)) return {kUnreachable, i};
      walk.cost += plane_cost(plane_length(route[i - 1].at, to));
    }
    return walk;
  }
  bool may_reach(const RoutePlace& from, const RoutePlace& to) const override {
    return std::ranges::any_of(reachable_from(from.at),
                               [&](const Spot& spot) { return is_open(spot, to.at); });
  }
  std::unique_ptr<ReachTable> reach_table(WorkMeter* meter) const override;
  // Chooses among the start and the corners, which is enough for tests.
  RoutePlace nearest_reachable(const RoutePlace& from,
                               std::span<const RoutePlace> goals) const override {
    std::optional<RoutePlace> best;
    double best_distance = 0;
    for (const Spot& spot : reachable_from(from.at)) {
      double distance = std::numeric_limits<double>::infinity();
      for (const RoutePlace& goal : goals)
        distance = std::min(distance, plane_length(spot, goal.at));
      if (best &&
          std::tuple(best_distance, best->at.x, best->at.z) <= std::tuple(distance, spot.x, spot.z))
        continue;
      best = RoutePlace{spot, 0};
      best_distance = distance;
    }
    return *best;
  }
  Cost least_cost(const RouteBox& a, const RouteBox& b) const override {
    const double dx = std::max({0.0, a.min_x - b.max_x, b.min_x - a.max_x});
    const double dz = std::max({0.0, a.min_z - b.max_z, b.min_z - a.max_z});
    const Cost cost = plane_cost(std::hypot(dx, dz));
    return cost > 0 ? cost - 1 : 0;
  }
  std::unique_ptr<RouteSearch> search_by(const SearchWish&, const RoutePlace& from,
                                         std::span<const RoutePlace> goals) const override {
    return std::make_unique<PlaneSearch>(this, from.at, goals, work, bound_ratio);
  }
  // A plane has no pieces.
  std::unique_ptr<RouteFlood> flood(const RoutePlace&, Cost) const override { return nullptr; }
  std::unique_ptr<RouteFlood> flood_to(std::span<const RoutePlace>, Cost) const override {
    return nullptr;
  }
  std::unique_ptr<RouteAway> away(const RoutePlace&, std::span<const Spot>, double) const override {
    return nullptr;
  }
  RoutePlace farthest_reachable(const RoutePlace& from, std::span<const Spot>) const override {
    return from;
  }
  double distance_from(const Spot& threat, const Spot& at) const override {
    return plane_length(threat, at);
  }
  std::optional<RouteRay> cast_ray(const RoutePlace&, const Spot&) const override {
    return std::nullopt;
  }
  std::optional<RoutePlace> random_place(const Spot&, double, Random*) const override {
    return std::nullopt;
  }
};

class PlaneReach final : public ReachTable {
 public:
  explicit PlaneReach(const PlaneGround* ground) : ground_(ground) {}
  bool answer(std::span<const ReachQuestion> questions,
              std::span<const std::span<const RoutePlace>> goals, WorkMeter* meter,
              std::vector<bool>* leads) override {
    leads->clear();
    for (const ReachQuestion& question : questions) {
      if (!meter->spend(1)) return false;
      leads->push_back(std::ranges::any_of(goals[question.goals], [&](const RoutePlace& goal) {
        return ground_->may_reach(question.from, goal);
      }));
    }
    return true;
  }

 private:
  const PlaneGround* ground_;
};

inline std::unique_ptr<ReachTable> PlaneGround::reach_table(WorkMeter*) const {
  return std::make_unique<PlaneReach>(this);
}

inline PlaneSearch::PlaneSearch(const PlaneGround* ground, const Spot& from,
                                std::span<const RoutePlace> goals, std::uint32_t work,
                                double bound_ratio)
    : ground_(ground), work_(work), bound_ratio_(bound_ratio) {
  nodes_.push_back({from, false, false, 0, 0});
  for (const RoutePlace& goal : goals) nodes_.push_back({goal.at, true, false, kUnreachable, 0});
  for (const Spot& corner : ground->corners()) nodes_.push_back({corner});
}

inline Progress PlaneSearch::advance(std::uint32_t* expansions) {
  while (!end_ && !is_exhausted_) {
    if (owed_ == 0) owed_ = work_;
    const std::uint32_t paid = std::min(owed_, *expansions);
    *expansions -= paid;
    owed_ -= paid;
    expanded_ += paid;
    if (owed_ > 0) return Progress::kOutOfBudget;
    if (!expand_next()) is_exhausted_ = true;
  }
  return end_ ? Progress::kPathFound : Progress::kNoPath;
}

inline bool PlaneSearch::expand_next() {
  std::optional<std::size_t> next;
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (!nodes_[i].is_closed && nodes_[i].g != kUnreachable &&
        (!next || nodes_[i].g < nodes_[*next].g))
      next = i;
  if (!next) return false;
  nodes_[*next].is_closed = true;
  const Node here = nodes_[*next];
  if (here.is_goal) {
    end_ = next;
    cost_of_end_ = here.g;
    return true;
  }
  for (Node& node : nodes_) {
    if (node.is_closed || !ground_->is_open(here.at, node.at)) continue;
    const Cost g = here.g + plane_cost(plane_length(here.at, node.at));
    if (g >= node.g) continue;
    node.g = g;
    node.parent = *next;
  }
  return true;
}

inline void PlaneSearch::append_route(std::vector<RoutePoint>* out) const {
  const std::size_t first = out->size();
  for (std::size_t i = *end_;; i = nodes_[i].parent) {
    out->push_back({nodes_[i].at, 0, 0, {}});
    if (i == 0) break;
  }
  std::reverse(out->begin() + static_cast<std::ptrdiff_t>(first), out->end());
}

// Obstacles are upright boxes; all profiles are alike.
class PlaneWorld final : public RouteWorld {
 public:
  explicit PlaneWorld(PlaneGround ground, const Profile& profile = {})
      : RouteWorld("plane", {profile}, WorldLimits{}), bare_(std::move(ground)) {}
  PlaneWorld(const PlaneWorld& other)
      : RouteWorld(other), bare_(other.bare_), obstacles_(other.obstacles_) {
    copy_views<PlaneGround>(
        other, [](const PlaneGround& ground) { return std::make_unique<PlaneGround>(ground); });
  }

  WorldKind kind() const override { return WorldKind::kNavmesh; }
  std::size_t obstacle_count() const override { return obstacles_.size(); }
  RouteBox bounds() const override { return {0, 0, bare_.width, bare_.depth}; }
  std::uint64_t bytes() const override { return 0; }

  std::shared_ptr<const QueryGround> keep(RouteViewId view) override {
    return std::make_shared<const PlaneGround>(static_cast<const PlaneGround&>(ground(view)));
  }

  absl::StatusOr<std::unique_ptr<StagedRoutes>> stage(const ChangeBatch& batch) override {
    for (const ObstacleSwitch& one : batch.switch_obstacles)
      if (!obstacles_.contains(one.id))
        return make_error(absl::StatusCode::kNotFound, "OBSTACLE_UNKNOWN", "switch_obstacles",
                          "unknown");
    return std::make_unique<Staged>(this, &batch);
  }
  RouteCommit commit(const ChangeBatch& batch) {
    std::map<ObstacleId, ObstacleSpec> before = obstacles_;
    for (const ObstacleId id : batch.remove_obstacles) obstacles_.erase(id);
    for (const ObstacleSwitch& one : batch.switch_obstacles)
      obstacles_[one.id].enabled = one.enabled;
    for (const ObstacleSpec& one : batch.upsert_obstacles) obstacles_[one.id] = one;
    RouteCommit commit = begin_commit();
    for_each_view<PlaneGround>([&](RouteViewId id, PlaneGround& ground) {
      RouteDelta delta{id, changes_since(before, ground.team)};
      ground = made_for(ground.team);
      commit.changed += delta.changes.size();
      if (!delta.changes.empty()) commit.views.push_back(std::move(delta));
    });
    return commit;
  }
  std::unique_ptr<RouteWorld> clone() const override { return std::make_unique<PlaneWorld>(*this); }
  absl::StatusOr<CopyId> begin_copy() override { return too_many_copies(); }
  std::optional<WorldContent> advance_copy(CopyId, std::size_t) override { return std::nullopt; }
  void end_copy(CopyId) override {}

 private:
  class Staged final : public StagedRoutes {
   public:
    Staged(PlaneWorld* world, const ChangeBatch* batch) : world_(*world), batch_(*batch) {}
    RouteCommit commit() override { return world_.commit(batch_); }

   private:
    PlaneWorld& world_;
    const ChangeBatch& batch_;
  };
  using Obstacles = std::map<ObstacleId, ObstacleSpec>;

  static std::optional<PlaneBlock> block_of(const Obstacles& obstacles, ObstacleId id,
                                            TeamId team) {
    const auto it = obstacles.find(id);
    if (it == obstacles.end() || !it->second.enabled || !concerns(it->second.teams, team))
      return std::nullopt;
    const Box& box = std::get<Box>(it->second.shape);
    return PlaneBlock{box.center.x - box.half_x, box.center.z - box.half_z,
                      box.center.x + box.half_x, box.center.z + box.half_z};
  }
  absl::StatusOr<std::unique_ptr<QueryGround>> make_ground(const Profile&, TeamId team) override {
    return std::make_unique<PlaneGround>(made_for(team));
  }
  PlaneGround made_for(TeamId team) const {
    PlaneGround ground = bare_;
    ground.team = team;
    for (const auto& [id, obstacle] : obstacles_)
      if (const auto block = block_of(obstacles_, id, team)) ground.blocks.push_back(*block);
    return ground;
  }
  std::vector<RouteChange> changes_since(const Obstacles& before, TeamId team) const {
    std::set<ObstacleId> ids;
    for (const auto& [id, obstacle] : before) ids.insert(id);
    for (const auto& [id, obstacle] : obstacles_) ids.insert(id);
    std::vector<RouteChange> changes;
    const auto add = [&](ObstacleId id, const PlaneBlock& b, bool rose) {
      const RouteBox box{b.x0, b.z0, b.x1, b.z1};
      changes.push_back({.from = box, .to = box, .rose = rose, .fell = !rose, .cause = id});
    };
    for (const ObstacleId id : ids) {
      const auto was = block_of(before, id, team);
      const auto is = block_of(obstacles_, id, team);
      const auto key = [](const PlaneBlock& b) { return std::tuple(b.x0, b.z0, b.x1, b.z1); };
      if (was && is && key(*was) == key(*is)) continue;
      if (was) add(id, *was, false);
      if (is) add(id, *is, true);
    }
    return changes;
  }

  PlaneGround bare_;
  Obstacles obstacles_;
};

}  // namespace repath::test
