// A navmesh or a waypoint graph as the engine sees it.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/error.h"
#include "engine/engine_world.h"
#include "engine/query_views.h"
#include "engine/tried_path.h"
#include "route_ground/held_walk.h"
#include "route_ground/rerouter.h"
#include "route_ground/tried_batch.h"
#include "routes/places.h"

namespace repath {
namespace {

constexpr std::size_t kRouteQueryViewsMax = 16;

// Notes of each pair of the group whether an agent at one place would find a way to the other.
// `views` are the views of all pairs, and those in `group` share their tables. Returns false once
// the meter is over.
bool connect_pairs(const RouteWorld& world, std::span<const RouteViewId> group,
                   std::span<const RouteViewId> views, std::span<const TestChanges::Pair> pairs,
                   ReachByView* reach, WorkMeter* meter, std::vector<bool>* connected) {
  std::vector<std::size_t> asked;
  std::vector<ReachQuestion> questions;
  std::vector<RoutePlace> ends;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (std::ranges::find(group, views[i]) == group.end()) continue;
    const RouteGround& ground = world.ground(views[i]);
    std::uint64_t looks = 0;
    const std::optional<RoutePlace> from = stand_at(ground, spot_of(pairs[i].from), &looks);
    const std::optional<RoutePlace> to = stand_at(ground, spot_of(pairs[i].to), &looks);
    if (!meter->spend(std::max(kUnitsOfLook, looks))) return false;
    if (!from || !to) continue;
    asked.push_back(i);
    questions.push_back({*from, static_cast<std::uint32_t>(ends.size())});
    ends.push_back(*to);
  }
  if (asked.empty()) return true;
  std::vector<std::span<const RoutePlace>> goals;
  goals.reserve(ends.size());
  for (const RoutePlace& end : ends) goals.emplace_back(&end, 1);
  ReachTable* const table = reach->of(group[0]);
  std::vector<bool> leads;
  if (table == nullptr || !table->answer(questions, goals, meter, &leads)) return false;
  for (std::size_t k = 0; k < leads.size(); ++k) (*connected)[asked[k]] = leads[k];
  return true;
}

class EngineRoutes final : public EngineWorld {
 public:
  EngineRoutes(std::unique_ptr<RouteWorld> world, const EngineOptions& options, Executor& executor)
      : world_(std::move(world)),
        test_units_max_(options.test_units_max),
        rerouter_(
            *world_,
            {options.strategy, options.search_memory_bytes, options.first_path_version,
             options.log_changes_max.value_or(RouteDeltaLog::kChangesMax), options.log_bytes_max},
            executor),
        views_(*world_, kRouteQueryViewsMax) {}

  AgentVerdicts& agents() override { return rerouter_; }
  Revision revision() const override { return world_->revision(); }
  std::uint64_t state_hash() const override { return world_->state_hash(); }
  std::uint64_t obstacle_count() const override { return world_->obstacle_count(); }
  const std::vector<Profile>& profiles() const override { return world_->profiles(); }
  std::uint64_t bytes() const override { return world_->bytes(); }
  void set_memory_limit(std::uint64_t bytes) override { world_->set_memory_limit(bytes); }

  WorldKind kind() const override { return world_->kind(); }
  absl::Status check_on_map(MapPoint p, const std::string& field) const override {
    const RouteBox bounds = world_->bounds();
    if (p.x >= bounds.min_x - kRouteSnapReach && p.x <= bounds.max_x + kRouteSnapReach &&
        p.y >= bounds.min_z - kRouteSnapReach && p.y <= bounds.max_z + kRouteSnapReach)
      return absl::OkStatus();
    return invalid_field("OUT_OF_MAP", field,
                         "must lie within 64 world units of the world's bounds, x " +
                             std::to_string(bounds.min_x) + " to " + std::to_string(bounds.max_x) +
                             ", z " + std::to_string(bounds.min_z) + " to " +
                             std::to_string(bounds.max_z));
  }

  absl::StatusOr<ChangeAnswer> apply(const ChangeBatch& batch, Micros now) override {
    const absl::StatusOr<std::unique_ptr<StagedRoutes>> staged = world_->stage(batch);
    if (!staged.ok()) return staged.status();
    rerouter_.before_commit();
    RouteCommit commit = (*staged)->commit();
    ChangeAnswer answer{commit.revision, commit.state_hash};
    answer.changed_edges = commit.changed;
    answer.invalidated_agents = rerouter_.on_commit(std::move(commit), now);
    return answer;
  }

  // Applies the batch to a clone of the world, so the answer is what apply() does.
  absl::StatusOr<TestAnswer> test(const TestChanges& command, const StopToken* stop) override {
    ViewUses<RouteWorld, RouteViewId> pair_views(*world_);
    for (std::size_t i = 0; i < command.pairs.size(); ++i)
      if (auto status = pair_views.add(command.pairs[i].profile, command.pairs[i].team);
          !status.ok())
        return with_field_prefix(status, item("pairs", i) + ".");
    const std::unique_ptr<RouteWorld> after = world_->clone();
    const absl::StatusOr<RouteCommit> commit = after->apply(command.batch);
    if (!commit.ok()) return with_field_prefix(commit.status(), "batch.");
    return compare(command, *after, *commit, pair_views.views(), stop);
  }

  bool give_up_query_views() override { return views_.give_up(); }
  absl::StatusOr<AnySnapshot> capture(const std::string& profile, TeamId team) override {
    const auto used = views_.use(profile, team);
    if (!used.ok()) return used.status();
    const double turning_radius = find_profile(world_->profiles(), profile)->turning_radius;
    return AnySnapshot{world_->revision(), true, nullptr, world_->keep((*used)->view),
                       turning_radius};
  }

  std::optional<std::vector<PlacementView>> capture_agents(const PlaceBox&) override {
    return std::nullopt;
  }

  std::optional<TerrainPage> read_terrain(const TerrainQuestion&) const override {
    return std::nullopt;
  }
  std::optional<GraphPage> read_graph(const GraphQuestion& question) const override {
    return world_->read_graph(question);
  }
  ObstaclePage read_obstacles(const ObstacleQuestion& question) const override {
    return world_->read_obstacles(question);
  }
  absl::StatusOr<CopyId> begin_copy() override { return world_->begin_copy(); }
  std::optional<WorldContent> advance_copy(CopyId id, std::size_t bytes) override {
    return world_->advance_copy(id, bytes);
  }
  void end_copy(CopyId id) override { world_->end_copy(id); }

 private:
  struct NoFacts {};

  // Answers TestChanges from the world and `after`, its clone on which the batch was made.
  absl::StatusOr<TestAnswer> compare(const TestChanges& command, RouteWorld& after,
                                     const RouteCommit& commit,
                                     std::span<const RouteViewId> pair_views,
                                     const StopToken* stop) {
    WorkMeter meter = test_meter(test_units_max_, stop);
    ReachByView reach_before(*world_, &meter);
    ReachByView reach_after(after, &meter);
    const TriedBatch tried{rerouter_.state(), after, reach_before, reach_after, meter};
    const std::map<RouteViewId, std::vector<Slot>> agents = agents_by_view(tried.s, commit);
    std::vector<bool> before_it(command.pairs.size(), false);
    std::vector<bool> after_it(command.pairs.size(), false);
    AgentsHit hit;
    std::vector<RouteViewId> views(pair_views.begin(), pair_views.end());
    for (const auto& [view, slots] : agents) views.push_back(view);
    for (const std::vector<RouteViewId>& group : views_by_reach(*world_, after, views)) {
      if (auto status = check_tables(group[0], after); !status.ok()) return status;
      if (!connect_pairs(*world_, group, pair_views, command.pairs, &reach_before, &meter,
                         &before_it) ||
          !connect_pairs(after, group, pair_views, command.pairs, &reach_after, &meter, &after_it))
        return test_ended(meter, command, rerouter_.size() > 0);
      for (const RouteDelta& delta : commit.views)
        if (std::ranges::find(group, delta.view) != group.end() &&
            !find_agents_hit(tried, delta, agents.at(delta.view), &hit))
          return test_ended(meter, command, rerouter_.size() > 0);
    }
    sort_agents(&hit);
    TestAnswer answer;
    for (std::size_t i = 0; i < command.pairs.size(); ++i)
      answer.pairs.push_back({before_it[i], after_it[i]});
    answer.changed_edges = commit.changed;
    const std::vector<AgentId> led =
        fill_agents(std::move(hit.affected), std::move(hit.cut_off), command, &answer);
    answer.new_paths = new_paths_of(led, after);
    return answer;
  }

  // Returns WORLD_MEMORY if the world, its clone and the two tables of the view would together take
  // more than all of the world's memory. memory_limit() is half of that; the other half is for the
  // search state.
  absl::Status check_tables(RouteViewId view, const RouteWorld& after) const {
    const std::uint64_t tables =
        world_->ground(view).reach_bytes() + after.ground(view).reach_bytes();
    const std::uint64_t most = 2 * world_->memory_limit();
    if (tables == 0 || world_->bytes() + after.bytes() + tables <= most) return absl::OkStatus();
    return make_error(
        absl::StatusCode::kResourceExhausted, "WORLD_MEMORY", "",
        "the world, the copy on which the batch is tried and their tables of ways "
        "would take more than " +
            std::to_string(most) +
            " bytes, all of its memory_limit_mb; create the world with a greater one");
  }

  std::vector<TriedPath> new_paths_of(std::span<const AgentId> led, RouteWorld& after) {
    std::vector<TriedPath> paths;
    std::map<RouteViewId, std::shared_ptr<const QueryGround>> grounds;
    for (const AgentId id : led) {
      const RouteAgentTable& agents = rerouter_.state().agents;
      const Slot slot = *agents.find(id);
      const RouteViewId view = agents.row(slot).view;
      std::shared_ptr<const QueryGround>& ground = grounds[view];
      if (ground == nullptr) ground = after.keep(view);
      const auto place = stand_of(agents[slot], after.ground(view));
      const Spot from = place ? place->at : agents[slot].spot;
      paths.push_back({id, query_of(agents[slot].spec, point_of(from)),
                       AnySnapshot{world_->revision(), true, nullptr, ground}});
    }
    return paths;
  }

  const std::unique_ptr<RouteWorld> world_;
  const std::uint64_t test_units_max_;
  Rerouter rerouter_;
  QueryViews<RouteWorld, RouteViewId, NoFacts> views_;
};

}  // namespace

std::unique_ptr<EngineWorld> make_engine_world(std::unique_ptr<RouteWorld> world,
                                               const EngineOptions& options, Executor& executor) {
  REPATH_CHECK(world != nullptr);
  return std::make_unique<EngineRoutes>(std::move(world), options, executor);
}

}  // namespace repath
