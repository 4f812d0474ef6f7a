#include "bench/navmesh_repair_bench.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "base/executor.h"
#include "base/random.h"
#include "bench/carve_obstacles.h"
#include "bench/samples.h"
#include "route_ground/rerouter.h"
#include "routes/nav_world.h"

namespace repath::bench {
namespace {

constexpr std::array<const char*, 4> kChangeNames{"add", "remove", "dearer", "cheaper"};
constexpr double kBesidePath = 1;  // largest distance of an obstacle's middle from a path
constexpr double kFreeAround = 4;  // radius around starts and goals
constexpr int kPlaces = 100;       // tries for each agent or obstacle
constexpr OwnerId kSettler{1};

struct RepairSide {
  const char* name;
  Strategy strategy;
};
constexpr std::array kRepairSides{
    RepairSide{"auto", Strategy::kAuto}, RepairSide{"astar", Strategy::kAStar},
    RepairSide{"dstar_lite", Strategy::kDStarLite}, RepairSide{"lpa", Strategy::kLpa}};

// One strategy with a world of its own.
struct RepairEntrant {
  RepairEntrant(const RepairSide& side, const NavmeshSettleOptions& options,
                const NavmeshGround& ground)
      : world(*NavWorld::create({.name = ground.name,
                                 .mesh = ground.source,
                                 .profiles = {{.radius = kWalkerRadius}},
                                 .cell_side = 8,
                                 .landmarks = options.landmarks,
                                 .base_radius = kWalkerRadius})),
        view(*world->acquire_view("default", TeamId{0})),
        rerouter(*world, RouteOptions{.strategy = side.strategy}, executor) {}

  double settle() {
    double time = 0;
    for (int frame = 0; frame < 1000 && rerouter.waiting().waiting(kSettler) != 0; ++frame) {
      const OnceStopwatch watch;
      rerouter.step(WorkUnits{1} << 40, ++now);
      time += watch.us();
    }
    rerouter.take_events();
    return time;
  }

  InlineExecutor executor;
  std::unique_ptr<NavWorld> world;
  RouteViewId view;
  Rerouter rerouter;
  Micros now = 0;
  std::array<Samples, kChangeNames.size()> us;  // by kind of change, per agent that waited
};

class NavmeshRepairBench {
 public:
  NavmeshRepairBench(const NavmeshSettleOptions& options, const NavmeshGround& ground)
      : options_(options), random_(options.seed), maker_(options.seed) {
    for (const RepairSide& side : kRepairSides)
      sides_.push_back(std::make_unique<RepairEntrant>(side, options, ground));
  }

  bool prepare() {
    for (std::size_t k = 0; k < options_.obstacles + options_.dear; ++k) {
      ChangeBatch batch;
      batch.upsert_obstacles.push_back(obstacle_at(place().at, k >= options_.obstacles));
      if (!apply(batch)) return false;
    }
    std::vector<AgentSpec> agents;
    for (std::size_t tries = kPlaces * options_.agents;
         tries > 0 && agents.size() < options_.agents; --tries) {
      const RoutePlace from = place();
      const RoutePlace to = place();
      if (!ground().may_reach(from, to)) continue;
      AgentSpec agent;
      agent.id = AgentId{agents.size() + 1};
      agent.position = {from.at.x, from.at.z, from.at.y};
      agent.goals = {{to.at.x, to.at.z, to.at.y}};
      agents.push_back(agent);
      ends_.insert(ends_.end(), {from.at, to.at});
    }
    if (agents.size() < options_.agents) return false;
    for (const auto& side : sides_) {
      if (!side->rerouter.upsert(agents, kSettler, 0).ok()) return false;
      side->settle();
    }
    return true;
  }

  void run() {
    for (std::size_t e = 0; e < 2 * options_.events; ++e) {
      const bool is_dear = e % 2 != 0;
      const std::optional<Spot> at = spot_near_a_path();
      if (!at) continue;
      ChangeBatch come;
      come.upsert_obstacles.push_back(obstacle_at(*at, is_dear));
      ChangeBatch go;
      go.remove_obstacles.push_back(come.upsert_obstacles[0].id);
      if (measure(come, is_dear ? 2 : 0)) measure(go, is_dear ? 3 : 1);
    }
  }

  Json rows() const {
    Json rows = Json::array();
    for (std::size_t change = 0; change < kChangeNames.size(); ++change)
      for (std::size_t side = 0; side < sides_.size(); ++side) rows.push_back(row(change, side));
    return rows;
  }

 private:
  const NavGround& ground() const { return sides_[0]->world->ground(sides_[0]->view); }
  RoutePlace place() {
    std::optional<RoutePlace> found;
    while (!found)
      found = ground().random_place({}, std::numeric_limits<double>::infinity(), &random_);
    return *found;
  }
  ObstacleSpec obstacle_at(const Spot& at, bool is_dear) {
    double half_diagonal = 0;
    const BenchObstacle made = maker_.at({at.x, at.z}, at.y, &half_diagonal);
    ObstacleSpec obstacle{.id = ObstacleId{next_id_++},
                          .bottom = at.y - kObstacleBelow,
                          .top = at.y + kObstacleAbove};
    std::visit([&obstacle](const auto& shape) { obstacle.shape = shape; }, made.shape);
    if (is_dear) obstacle.effect = {.blocked = false, .factor = 2.0 + random_.below(4)};
    return obstacle;
  }
  std::optional<Spot> spot_near_a_path() {
    for (int tries = 0; tries < kPlaces; ++tries) {
      const AgentId id{1 + random_.below(static_cast<std::uint32_t>(options_.agents))};
      const auto view = sides_[0]->rerouter.view(id, true);
      if (!view || !view->verdict.path || view->verdict.path->points.size() < 2) continue;
      const std::vector<RoutePoint>& route = view->verdict.path->points;
      const std::size_t leg = random_.below(static_cast<std::uint32_t>(route.size() - 1));
      const double share = random_.unit();
      const Spot& a = route[leg].at;
      const Spot& b = route[leg + 1].at;
      const Spot at{a.x + share * (b.x - a.x) + kBesidePath * (2 * random_.unit() - 1),
                    a.y + share * (b.y - a.y),
                    a.z + share * (b.z - a.z) + kBesidePath * (2 * random_.unit() - 1)};
      const bool is_kept_free = std::ranges::any_of(ends_, [&](const Spot& end) {
        return plane_distance_squared(end, at) < kFreeAround * kFreeAround;
      });
      const std::optional<RoutePlace> found = ground().locate(at);
      if (!is_kept_free && found) return found->at;
    }
    return std::nullopt;
  }

  // Applies the batch to the world of each side, or to none.
  bool apply(const ChangeBatch& batch) {
    for (const auto& side : sides_) {
      side->rerouter.before_commit();
      auto commit = side->world->apply(batch);
      if (!commit.ok()) return false;  // of the first: too crowded there
      side->rerouter.on_commit(*std::move(commit), ++side->now);
    }
    return true;
  }

  // The sides come in a random order: each finds what the one before left in the caches.
  bool measure(const ChangeBatch& batch, std::size_t change) {
    if (!apply(batch)) return false;
    for (std::size_t i = sides_.size(); i > 1; --i)
      std::swap(order_[i - 1], order_[order_random_.below(static_cast<std::uint32_t>(i))]);
    for (const std::size_t place : order_) {
      RepairEntrant& side = *sides_[place];
      const std::size_t waiting = side.rerouter.waiting().waiting(kSettler);
      const double us = side.settle();
      if (waiting > 0) side.us[change].add(us / static_cast<double>(waiting));
    }
    return true;
  }

  // `better` is that of fresh search and D* Lite.
  Json row(std::size_t change, std::size_t side) const {
    const auto ratio = [&](const auto& figure) {
      const double better = std::min(figure(*sides_[1]), figure(*sides_[2]));
      return better > 0 ? figure(*sides_[side]) / better : 1.0;
    };
    const auto p50 = [change](const RepairEntrant& of) { return of.us[change].quantile(0.5); };
    const auto mean = [change](const RepairEntrant& of) { return of.us[change].mean(); };
    const RepairEntrant& of = *sides_[side];
    std::uint64_t repairs = 0;
    std::uint64_t capped = 0;
    for (const StrategyStats& one : of.rerouter.stats().strategies) {
      repairs += one.repairs;
      capped += one.capped;
    }
    return {{"op", kChangeNames[change]},
            {"strategy", kRepairSides[side].name},
            {"events", of.us[change].size()},
            {"p50_us", p50(of)},
            {"mean_us", mean(of)},
            {"p50_to_better", ratio(p50)},
            {"mean_to_better", ratio(mean)},
            {"repairs", repairs},
            {"capped", capped}};
  }

  const NavmeshSettleOptions& options_;
  Random random_;
  ObstacleMaker maker_;
  std::vector<std::unique_ptr<RepairEntrant>> sides_;
  std::vector<Spot> ends_;
  std::uint64_t next_id_ = 1;
  Random order_random_{1};
  std::array<std::size_t, kRepairSides.size()> order_{0, 1, 2, 3};
};

}  // namespace

std::optional<Json> navmesh_repair_rows(const NavmeshSettleOptions& options,
                                        const NavmeshGround& ground) {
  NavmeshRepairBench bench(options, ground);
  if (!bench.prepare()) return std::nullopt;
  bench.run();
  return bench.rows();
}

}  // namespace repath::bench
