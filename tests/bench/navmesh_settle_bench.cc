#include "bench/navmesh_settle_bench.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "base/executor.h"
#include "base/hash.h"
#include "base/random.h"
#include "bench/carve_obstacles.h"
#include "bench/navmesh_ground.h"
#include "bench/navmesh_repair_bench.h"
#include "bench/output.h"
#include "bench/samples.h"
#include "geometry/grow.h"
#include "route_ground/rerouter.h"
#include "routes/boxes.h"
#include "routes/nav_world.h"
#include "support/query_ground.h"

namespace repath::bench {
namespace {

constexpr double kNearPath = 2;  // world units: an agent with its path this near is concerned
constexpr double kAside = 1.5;   // largest distance of an obstacle's middle from a path
constexpr double kKeptFree = 4;  // radius around starts and goals
constexpr std::size_t kPlaceTries = 100;  // for each agent or obstacle
constexpr WorkUnits kPlenty = WorkUnits{1} << 40;
constexpr OwnerId kOwner{1};

// Obstacles that come, or obstacles that go.
struct SettleRow {
  struct Event {
    double filter_us;  // for the pass over all agents
    double plan_us;    // until no agent waits
    double fresh_us;   // for a query for each concerned agent
    std::size_t concerned;
  };
  std::vector<Event> events;
  std::size_t searched = 0;      // total number of agents that the filters left waiting
  std::size_t searched_far = 0;  // agents among these that are far from every change
};

class NavmeshSettleBench {
 public:
  NavmeshSettleBench(const NavmeshSettleOptions& options, std::string map,
                     std::unique_ptr<NavWorld> world)
      : options_(options),
        map_(std::move(map)),
        random_(options.seed),
        maker_(options.seed),
        world_(std::move(world)),
        view_(*world_->acquire_view("default", TeamId{0})),
        rerouter_(*world_, RouteOptions{}, executor_) {}

  bool prepare() {
    for (std::size_t k = 0; k < options_.obstacles; ++k) {
      const RoutePlace place = random_place();
      first_.push_back(obstacle_at(next_id_++, place.at));
      if (!apply_upsert(first_.back())) return false;
    }
    std::vector<RoutePlace> goals;
    while (goals.size() < options_.goals) goals.push_back(random_place());
    std::vector<AgentSpec> agents;
    for (std::size_t tries = kPlaceTries * options_.agents;
         tries > 0 && agents.size() < options_.agents; --tries) {
      const RoutePlace from = random_place();
      const RoutePlace to = goals.empty()
                                ? random_place()
                                : goals[random_.below(static_cast<std::uint32_t>(goals.size()))];
      if (!ground().may_reach(from, to)) continue;
      AgentSpec agent;
      agent.id = AgentId{agents.size() + 1};
      agent.position = point_of(from.at);
      agent.goals = {point_of(to.at)};
      agents.push_back(agent);
      ends_.push_back(from.at);
      ends_.push_back(to.at);
    }
    if (agents.size() < options_.agents || !rerouter_.upsert(agents, kOwner, 0).ok()) return false;
    first_us_ = step_until_settled();
    return true;
  }

  void run() {
    for (std::size_t e = 0; e < options_.events; ++e) {
      const std::optional<ObstacleSpec> obstacle = obstacle_near_a_path();
      if (!obstacle) continue;
      ChangeBatch add;
      add.upsert_obstacles.push_back(*obstacle);
      measure(add, &added_);
      ChangeBatch remove;
      remove.remove_obstacles.push_back(obstacle->id);
      measure(remove, &removed_);
    }
    for (std::size_t e = 0; e < options_.events && !first_.empty(); ++e) {
      const ObstacleSpec* obstacle = first_near_a_path();
      if (obstacle == nullptr) continue;
      ChangeBatch open;
      open.switch_obstacles.push_back({obstacle->id, false});
      measure(open, &first_gone_);
      ChangeBatch shut;
      shut.switch_obstacles.push_back({obstacle->id, true});
      measure(shut, &first_back_);
    }
  }

  // `repairs`: rows of navmesh_repair_bench.h.
  int report(const Json& repairs) const {
    Json rows = Json::array();
    rows.push_back(row("add", added_));
    rows.push_back(row("remove", removed_));
    if (!first_gone_.events.empty()) {
      rows.push_back(row("remove_first", first_gone_));
      rows.push_back(row("add_again", first_back_));
    }
    Json figures;
    figures["results"] = std::move(rows);
    if (!repairs.empty()) figures["repairs"] = repairs;
    figures["agents"] = options_.agents;
    figures["goals"] = options_.goals;
    figures["obstacles"] = options_.obstacles;
    figures["first_us"] = first_us_;  // for all agents together, when they are new
    figures["kept_bytes"] = rerouter_.memory_bytes();
    figures["mismatches"] = mismatches_;
    figures["hash"] = hex(hash_.value());
    print(std::move(figures), options_.json);
    return mismatches_ == 0 ? 0 : 1;
  }

 private:
  static MapPoint point_of(const Spot& at) { return {at.x, at.z, at.y}; }
  const RouteGround& ground() const { return world_->ground(view_); }
  RoutePlace random_place() {
    constexpr double kAnywhere = std::numeric_limits<double>::infinity();
    std::optional<RoutePlace> place;
    const QueryGround& ground = test::query_ground(*world_, view_);
    while (!place) place = ground.random_place({}, kAnywhere, &random_);
    return *place;
  }

  ObstacleSpec obstacle_at(std::uint64_t id, const Spot& at) {
    double half_diagonal = 0;
    const BenchObstacle made = maker_.at({at.x, at.z}, at.y, &half_diagonal);
    ObstacleSpec obstacle{
        .id = ObstacleId{id}, .bottom = at.y - kObstacleBelow, .top = at.y + kObstacleAbove};
    std::visit([&obstacle](const auto& shape) { obstacle.shape = shape; }, made.shape);
    return obstacle;
  }

  bool apply_upsert(const ObstacleSpec& obstacle) {
    ChangeBatch batch;
    batch.upsert_obstacles.push_back(obstacle);
    return world_->apply(batch).ok();
  }

  // Returns an obstacle beside a point of some path, away from all starts and goals.
  std::optional<ObstacleSpec> obstacle_near_a_path() {
    for (std::size_t tries = 0; tries < kPlaceTries; ++tries) {
      const AgentId id{1 + random_.below(static_cast<std::uint32_t>(options_.agents))};
      const std::vector<RoutePoint> route = route_of(id);
      if (route.size() < 2) continue;
      const std::size_t leg = random_.below(static_cast<std::uint32_t>(route.size() - 1));
      const double share = random_.unit();
      const Spot& a = route[leg].at;
      const Spot& b = route[leg + 1].at;
      const Spot at{a.x + share * (b.x - a.x) + kAside * (2 * random_.unit() - 1),
                    a.y + share * (b.y - a.y),
                    a.z + share * (b.z - a.z) + kAside * (2 * random_.unit() - 1)};
      const bool is_kept_free = std::ranges::any_of(ends_, [&](const Spot& end) {
        return plane_distance_squared(end, at) < kKeptFree * kKeptFree;
      });
      const std::optional<RoutePlace> place = ground().locate(at);
      if (is_kept_free || !place) continue;
      return obstacle_at(next_id_++, place->at);
    }
    return std::nullopt;
  }

  // Returns one of the obstacles that were there before the agents; each is taken once. Null if
  // none near a path is left.
  const ObstacleSpec* first_near_a_path() {
    while (first_taken_ < first_.size()) {
      const ObstacleSpec& obstacle = first_[first_taken_++];
      const LatticeBox bounds = bounds_of(grow(obstacle.shape, 0)->front());
      const Point low = to_point(bounds.low);
      const Point high = to_point(bounds.high);
      const RouteBox box{low.x, low.z, high.x, high.z};
      for (std::size_t k = 0; k < options_.agents; ++k) {
        const std::vector<RoutePoint> route = route_of(AgentId{k + 1});
        for (std::size_t i = 0; i + 1 < route.size(); ++i)
          if (leg_meets(route[i].at, route[i + 1].at, box, kAside)) return &obstacle;
      }
    }
    return nullptr;
  }

  std::vector<RoutePoint> route_of(AgentId id) const {
    const std::optional<AgentView> view = rerouter_.view(id, true);
    return view && view->verdict.path ? view->verdict.path->points : std::vector<RoutePoint>{};
  }

  double step_until_settled() {
    double us = 0;
    for (int frame = 0; frame < 1000 && rerouter_.waiting().waiting(kOwner) != 0; ++frame) {
      const OnceStopwatch watch;
      rerouter_.step(kPlenty, now_++);
      us += watch.us();
    }
    rerouter_.take_events();
    return us;
  }

  // Returns which paths are within kNearPath of the change.
  std::vector<bool> find_concerned(const RouteCommit& commit) const {
    std::vector<bool> concerned(options_.agents, false);
    if (commit.views.empty()) return concerned;
    for (std::size_t k = 0; k < options_.agents; ++k) {
      const std::vector<RoutePoint> route = route_of(AgentId{k + 1});
      for (std::size_t i = 0; i + 1 < route.size(); ++i)
        for (const RouteChange& change : commit.views.front().changes)
          if (leg_meets(route[i].at, route[i + 1].at, change.from, kNearPath)) concerned[k] = true;
    }
    return concerned;
  }

  // Runs the fresh queries before or after the search they are compared with, in turns.
  void measure(const ChangeBatch& batch, SettleRow* row) {
    rerouter_.before_commit();
    absl::StatusOr<RouteCommit> commit = world_->apply(batch);
    if (!commit.ok()) return;  // too crowded there
    std::vector<bool> concerned = find_concerned(*commit);
    const OnceStopwatch watch;
    rerouter_.on_commit(*std::move(commit), now_++);
    const double filter_us = watch.us();
    for (std::size_t k = 0; k < options_.agents; ++k) {
      if (!rerouter_.view(AgentId{k + 1}, false)->waiting) continue;
      ++row->searched;
      row->searched_far += concerned[k] ? 0 : 1;
      concerned[k] = true;
    }
    const bool is_fresh_first = row->events.size() % 2 == 0;
    std::vector<Cost> costs(options_.agents, 0);
    double fresh_us = is_fresh_first ? search_afresh(concerned, &costs) : 0;
    const double plan_us = step_until_settled();
    if (!is_fresh_first) fresh_us = search_afresh(concerned, &costs);
    std::size_t count = 0;
    for (std::size_t k = 0; k < options_.agents; ++k) {
      if (!concerned[k]) continue;
      ++count;
      const Cost held = rerouter_.view(AgentId{k + 1}, false)->held_cost;
      hash_.add(costs[k]);
      mismatches_ += std::max(held, costs[k]) - std::min(held, costs[k]) > kRouteCostSlack;
    }
    if (count > 0) row->events.push_back({filter_us, plan_us, fresh_us, count});
  }

  double search_afresh(const std::vector<bool>& concerned, std::vector<Cost>* costs) const {
    double us = 0;
    for (std::size_t k = 0; k < options_.agents; ++k)
      if (concerned[k]) us += search_afresh(k, &(*costs)[k]);
    return us;
  }

  double search_afresh(std::size_t agent, Cost* cost) const {
    *cost = kUnreachable;
    const std::optional<RoutePlace> from = ground().locate(ends_[2 * agent]);
    const std::optional<RoutePlace> to = ground().locate(ends_[2 * agent + 1]);
    if (!from || !to) return 0;
    const OnceStopwatch watch;
    const std::unique_ptr<RouteSearch> search = ground().search(*from, {&*to, 1});
    std::uint32_t plenty = std::numeric_limits<std::uint32_t>::max();
    const bool is_found = search->advance(&plenty) == Progress::kPathFound;
    std::vector<RoutePoint> route;
    if (is_found) search->append_route(&route);
    const double us = watch.us();
    if (is_found) *cost = search->cost();
    return us;
  }

  // Subtracts the pass over agents that are not concerned: its time in the quietest tenth of the
  // events.
  Json row(const std::string& op, const SettleRow& of) const {
    Samples filter;
    Samples settle;
    Samples fresh;
    Samples concerned;
    Samples ratios;
    for (const SettleRow::Event& event : of.events) {
      filter.add(event.filter_us);
      fresh.add(event.fresh_us);
      concerned.add(static_cast<double>(event.concerned));
    }
    const double agents = static_cast<double>(options_.agents);
    for (const SettleRow::Event& event : of.events) {
      const double others = 1 - static_cast<double>(event.concerned) / agents;
      const double us = event.filter_us - others * filter.quantile(0.1) + event.plan_us;
      settle.add(std::max(us, 0.0));
      ratios.add(std::max(us, 0.0) / event.fresh_us);
    }
    const double events = std::max<double>(1, static_cast<double>(of.events.size()));
    return {{"map", map_},
            {"op", op},
            {"events", of.events.size()},
            {"concerned_mean", concerned.mean()},
            {"searched_mean", static_cast<double>(of.searched) / events},
            {"searched_far_mean", static_cast<double>(of.searched_far) / events},
            {"ratio_p50", ratios.quantile(0.5)},
            {"ratio_p99", ratios.quantile(0.99)},
            {"mean_us", settle.mean()},
            {"fresh_mean_us", fresh.mean()},
            {"filter_us_per_agent", filter.quantile(0.1) / agents},
            {"pass_us_per_agent", filter.mean() / agents}};
  }

  const NavmeshSettleOptions& options_;
  const std::string map_;
  Random random_;
  ObstacleMaker maker_;
  std::unique_ptr<NavWorld> world_;
  const RouteViewId view_;
  InlineExecutor executor_;
  Rerouter rerouter_;
  std::vector<Spot> ends_;  // start and goal of each agent
  std::uint64_t next_id_ = 1;
  double first_us_ = 0;
  Micros now_ = 1;
  SettleRow added_;
  SettleRow removed_;
  std::vector<ObstacleSpec> first_;  // obstacles that were there before the agents
  std::size_t first_taken_ = 0;
  SettleRow first_gone_;
  SettleRow first_back_;
  std::size_t mismatches_ = 0;
  Hasher hash_;  // of the costs found
};

}  // namespace

int run_navmesh_settle(const NavmeshSettleOptions& options) {
  absl::StatusOr<NavmeshGround> ground =
      options.mesh.empty() ? open_navmesh_ground(options.open) : load_navmesh_ground(options.mesh);
  std::optional<Json> repairs = Json::array();
  if (ground.ok() && options.dear > 0) repairs = navmesh_repair_rows(options, *ground);
  absl::StatusOr<std::unique_ptr<NavWorld>> world =
      ground.ok() ? NavWorld::create({.name = ground->name,
                                      .mesh = std::move(ground->source),
                                      .profiles = {{.radius = kWalkerRadius}},
                                      .cell_side = 8,
                                      .landmarks = options.landmarks,
                                      .base_radius = kWalkerRadius})
                  : absl::StatusOr<std::unique_ptr<NavWorld>>(ground.status());
  if (!world.ok()) {
    std::cerr << "repath-bench: " << options.mesh << ": " << world.status().message() << "\n";
    return 3;
  }
  NavmeshSettleBench bench(options, ground->name, *std::move(world));
  if (!repairs || !bench.prepare()) {
    std::cerr << "repath-bench: no room for so many obstacles and agents\n";
    return 2;
  }
  bench.run();
  return bench.report(*repairs);
}

}  // namespace repath::bench
