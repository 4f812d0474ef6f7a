// A grid world as the engine sees it.
#include <memory>
#include <utility>

#include "base/check.h"
#include "base/error.h"
#include "engine/engine_world.h"
#include "engine/grid_captures.h"
#include "engine/placement_capture.h"
#include "engine/tried_changes.h"
#include "engine/tried_path.h"
#include "grid_ground/replanner.h"
#include "world/read_back.h"

namespace repath {
namespace {

// Share of the memory for search state that facts found by queries get: one part in this many.
constexpr std::uint64_t kFactsShareOfQueries = 4;

class EngineGrid final : public EngineWorld {
 public:
  EngineGrid(std::unique_ptr<World> world, const EngineOptions& options, Executor& executor)
      : world_(std::move(world)),
        test_units_max_(options.test_units_max),
        replanner_(*world_,
                   {.strategy = options.strategy,
                    .search_memory_bytes = options.search_memory_bytes,
                    .log_changes_max = options.log_changes_max.value_or(DeltaLog::kEdgesMax),
                    .log_bytes_max = options.log_bytes_max,
                    .first_leg_cells = options.first_leg_cells,
                    .first_path_version = options.first_path_version},
                   executor),
        captures_(*world_, options.search_memory_bytes / kFactsShareOfQueries) {}

  AgentVerdicts& agents() override { return replanner_; }
  Revision revision() const override { return world_->revision(); }
  std::uint64_t state_hash() const override { return world_->state_hash(); }
  std::uint64_t obstacle_count() const override { return world_->obstacle_count(); }
  const std::vector<Profile>& profiles() const override { return world_->profiles(); }
  std::uint64_t bytes() const override { return world_->bytes() + captures_.bytes(); }
  void set_memory_limit(std::uint64_t bytes) override { world_->set_memory_limit(bytes); }

  WorldKind kind() const override { return WorldKind::kGrid; }
  absl::Status check_on_map(MapPoint p, const std::string& field) const override {
    if (p.x >= 0 && p.y >= 0 && p.x < world_->width() && p.y < world_->height())
      return absl::OkStatus();
    return invalid_field("OUT_OF_MAP", field,
                         "must be on the map of " + std::to_string(world_->width()) + " x " +
                             std::to_string(world_->height()) + " cells");
  }

  absl::StatusOr<ChangeAnswer> apply(const ChangeBatch& batch, Micros now) override {
    absl::StatusOr<StagedBatch> staged = world_->stage(batch);
    if (!staged.ok()) return staged.status();
    replanner_.before_commit();
    Commit commit = world_->commit(*std::move(staged));
    ChangeAnswer answer{commit.revision, commit.state_hash};
    for (const ViewDelta& delta : commit.views)
      answer.changed_edges += delta.risen.size() + delta.fallen.size();
    answer.invalidated_agents = replanner_.on_commit(std::move(commit), now);
    return answer;
  }

  absl::StatusOr<TestAnswer> test(const TestChanges& command, const StopToken* stop) override {
    ViewUses<World, ViewId> pair_views(*world_);
    for (std::size_t i = 0; i < command.pairs.size(); ++i) {
      const TestChanges::Pair& pair = command.pairs[i];
      absl::Status status = pair_views.add(pair.profile, pair.team);
      if (status.ok()) status = captures_.keep_labels(pair.profile, pair.team);
      if (!status.ok()) return with_field_prefix(status, item("pairs", i) + ".");
    }
    const absl::StatusOr<StagedBatch> staged = world_->stage(command.batch);
    if (!staged.ok()) return with_field_prefix(staged.status(), "batch.");
    for (const AgentSpec* agent : agents_of_views(*staged, replanner_.state()))
      captures_.keep_labels_if_room(agent->profile, agent->team);
    WorkMeter meter = test_meter(test_units_max_, stop);
    TestAnswer answer = try_changes(*world_, *staged, command, pair_views.views(),
                                    captures_.labels(), replanner_.state(), &meter);
    if (meter.is_over()) return test_ended(meter, command, replanner_.size() > 0);
    return answer;
  }

  bool give_up_query_views() override { return captures_.give_up(); }
  absl::StatusOr<AnySnapshot> capture(const std::string& profile, TeamId team) override {
    absl::StatusOr<Snapshot> made = captures_.capture(profile, team);
    if (!made.ok()) return made.status();
    const auto grid = std::make_shared<const Snapshot>(*std::move(made));
    return AnySnapshot{grid->revision, !grid->has_jumps_to_come, grid, nullptr};
  }

  std::optional<std::vector<PlacementView>> capture_agents(const PlaceBox& covered) override {
    return capture_placements(*world_, replanner_.state(), captures_.labels(), covered);
  }

  std::optional<TerrainPage> read_terrain(const TerrainQuestion& question) const override {
    return repath::read_terrain(*world_, question);
  }
  std::optional<GraphPage> read_graph(const GraphQuestion&) const override { return std::nullopt; }
  ObstaclePage read_obstacles(const ObstacleQuestion& question) const override {
    return repath::read_obstacles(*world_, question);
  }
  absl::StatusOr<CopyId> begin_copy() override { return world_->begin_copy(); }
  std::optional<WorldContent> advance_copy(CopyId id, std::size_t bytes) override {
    return world_->advance_copy(id, bytes);
  }
  void end_copy(CopyId id) override { world_->end_copy(id); }

 private:
  const std::unique_ptr<World> world_;
  const std::uint64_t test_units_max_;
  Replanner replanner_;
  GridCaptures captures_;
};

}  // namespace

std::unique_ptr<EngineWorld> make_engine_world(std::unique_ptr<World> world,
                                               const EngineOptions& options, Executor& executor) {
  REPATH_CHECK(world != nullptr);
  return std::make_unique<EngineGrid>(std::move(world), options, executor);
}

}  // namespace repath
