// A world with its agents that works like another one, except for a fault that a test plants in it.
//
// Any thread may plant the fault; it strikes each time the engine calls that function.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"
#include "engine/engine_world.h"

namespace repath::test {

enum class Plant {
  kNone,
  kApply,        // a check in a command
  kNoMemory,     // std::bad_alloc in a command
  kPlan,         // a check in a frame
  kHelper,       // a check in a frame, on another thread than the world's
  kCapture,      // a check in the part of a query that runs on the strand
  kQuery,        // a check in the part of a query that reads its snapshot; grids
  kExpiry,       // a check in a timer: a session has expired
  kEndlessPlan,  // no fault: every plan uses its budget in two milliseconds and does not end
};

class PlantedWorld : public EngineWorld, public AgentVerdicts {
 public:
  PlantedWorld(std::unique_ptr<EngineWorld> real, Executor& executor)
      : real_(std::move(real)), real_agents_(real_->agents()), executor_(executor) {
    one_waits_.add({});
  }

  void plant(Plant fault) { fault_.store(fault); }
  std::uint64_t plans() const { return plans_.load(); }

  // ---- the world ----
  AgentVerdicts& agents() override { return *this; }
  Revision revision() const override { return real_->revision(); }
  std::uint64_t state_hash() const override { return real_->state_hash(); }
  std::uint64_t obstacle_count() const override { return real_->obstacle_count(); }
  const std::vector<Profile>& profiles() const override { return real_->profiles(); }
  std::uint64_t bytes() const override { return real_->bytes(); }
  void set_memory_limit(std::uint64_t bytes) override { real_->set_memory_limit(bytes); }
  WorldKind kind() const override { return real_->kind(); }
  absl::Status check_on_map(MapPoint point, const std::string& field) const override {
    return real_->check_on_map(point, field);
  }
  absl::StatusOr<ChangeAnswer> apply(const ChangeBatch& batch, Micros now) override {
    REPATH_CHECK(fault_ != Plant::kApply && "planted in apply");
    if (fault_ == Plant::kNoMemory) throw std::bad_alloc();
    return real_->apply(batch, now);
  }
  absl::StatusOr<TestAnswer> test(const TestChanges& command, const StopToken* stop) override {
    return real_->test(command, stop);
  }
  absl::StatusOr<AnySnapshot> capture(const std::string& profile, TeamId team) override {
    REPATH_CHECK(fault_ != Plant::kCapture && "planted in capture");
    absl::StatusOr<AnySnapshot> snapshot = real_->capture(profile, team);
    if (fault_ == Plant::kQuery && snapshot.ok()) {
      // Tables of another map, which jump point search does not accept.
      auto spoilt = std::make_shared<Snapshot>(*snapshot->grid);
      spoilt->jumps.emplace(GridLayer(2, 2), CornerRule::kNone);
      snapshot->grid = std::move(spoilt);
    }
    return snapshot;
  }
  bool give_up_query_views() override { return real_->give_up_query_views(); }
  std::optional<std::vector<PlacementView>> capture_agents(const PlaceBox& covered) override {
    return real_->capture_agents(covered);
  }
  std::optional<TerrainPage> read_terrain(const TerrainQuestion& question) const override {
    return real_->read_terrain(question);
  }
  std::optional<GraphPage> read_graph(const GraphQuestion& question) const override {
    return real_->read_graph(question);
  }
  ObstaclePage read_obstacles(const ObstacleQuestion& question) const override {
    return real_->read_obstacles(question);
  }
  absl::StatusOr<CopyId> begin_copy() override { return real_->begin_copy(); }
  std::optional<WorldContent> advance_copy(CopyId id, std::size_t bytes) override {
    return real_->advance_copy(id, bytes);
  }
  void end_copy(CopyId id) override { real_->end_copy(id); }

  // ---- its agents ----
  absl::Status upsert(std::span<const AgentSpec> agents, OwnerId owner, Micros now) override {
    return real_agents_.upsert(agents, owner, now);
  }
  absl::Status restore(std::span<const RestoredAgent> agents, Micros now) override {
    return real_agents_.restore(agents, now);
  }
  bool report(const PositionReport& position, Micros now) override {
    return real_agents_.report(position, now);
  }
  bool remove(AgentId id, EventReason reason) override { return real_agents_.remove(id, reason); }
  void acknowledge(AgentId id, PathVersion version) override {
    real_agents_.acknowledge(id, version);
  }
  void begin_frame() override { real_agents_.begin_frame(); }
  SpentUnits plan(WorkUnits budget, Micros now) override {
    ++plans_;
    REPATH_CHECK(fault_ != Plant::kPlan && "planted in plan");
    if (fault_ == Plant::kHelper) fail_on_a_helper();
    const SpentUnits spent = real_agents_.plan(budget, now);
    if (fault_ != Plant::kEndlessPlan) return spent;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return {budget, budget};
  }
  std::vector<AgentEvent> take_events() override { return real_agents_.take_events(); }
  std::uint64_t size() const override { return real_agents_.size(); }
  std::uint64_t frame() const override { return real_agents_.frame(); }
  const WaitingBook& waiting() const override {
    return fault_ == Plant::kEndlessPlan ? one_waits_ : real_agents_.waiting();
  }
  std::optional<OwnerId> owner_of(AgentId id) const override { return real_agents_.owner_of(id); }
  std::optional<AgentView> view(AgentId id, bool with_path) const override {
    return real_agents_.view(id, with_path);
  }
  std::optional<Revision> settled_revision_of(AgentId id) const override {
    return real_agents_.settled_revision_of(id);
  }
  std::optional<AgentEvent> latest_verdict(AgentId id) override {
    return real_agents_.latest_verdict(id);
  }
  std::vector<AgentView> views(AgentId from, std::size_t limit, bool with_paths,
                               std::optional<OwnerId> owner) const override {
    return real_agents_.views(from, limit, with_paths, owner);
  }
  std::vector<AgentGlance> glances() const override { return real_agents_.glances(); }
  std::vector<AgentId> ids_of(std::optional<OwnerId> owner) const override {
    REPATH_CHECK(fault_ != Plant::kExpiry && "planted in ids_of");
    return real_agents_.ids_of(owner);
  }
  Stats stats() const override { return real_agents_.stats(); }
  std::uint64_t memory_bytes() const override { return real_agents_.memory_bytes(); }

 private:
  // Jobs on the caller's own thread only take long.
  void fail_on_a_helper() {
    std::thread::id caller = std::this_thread::get_id();
    const auto job = [](void* context, std::size_t) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      REPATH_CHECK(std::this_thread::get_id() == *static_cast<std::thread::id*>(context) &&
                   "planted on a helper");
    };
    executor_.run(64, job, &caller);
  }

  const std::unique_ptr<EngineWorld> real_;
  AgentVerdicts& real_agents_;
  Executor& executor_;
  WaitingBook one_waits_;  // with kEndlessPlan
  std::atomic<Plant> fault_{Plant::kNone};
  std::atomic<std::uint64_t> plans_{0};
};

}  // namespace repath::test
