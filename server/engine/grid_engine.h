// The engine of a grid world.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/executor.h"
#include "engine/engine.h"
#include "engine/request_answers.h"
#include "replan/replanner.h"
#include "world/world.h"

namespace repath {

class GridEngine final : public Engine {
 public:
  // Takes the world. `executor` is borrowed and must outlive the engine.
  static absl::StatusOr<std::unique_ptr<GridEngine>> create(std::unique_ptr<World> world,
                                                            const EngineOptions& options,
                                                            Executor& executor);

  absl::StatusOr<ChangeAnswer> apply(const ApplyChanges& command, Micros now) override;
  absl::StatusOr<std::optional<ChangeAnswer>> find_answer(const ApplyChanges& command,
                                                          Micros now) override;
  absl::StatusOr<TestAnswer> test(const TestChanges& command) override;
  absl::Status upsert_agents(std::span<const AgentSpec> agents, OwnerId owner, Micros now) override;
  absl::StatusOr<std::vector<AgentId>> report_positions(std::span<const PositionReport> positions,
                                                        Micros now) override;
  std::uint64_t remove_agents(std::span<const AgentId> agents, EventReason reason) override;
  std::uint64_t remove_owner(OwnerId owner, EventReason reason) override;
  void acknowledge(AgentId agent, PathVersion version) override;
  void begin_frame() override { replanner_.begin_frame(); }
  StepReport plan(WorkUnits budget, Micros now) override;
  bool is_idle() const override { return replanner_.waiting().size() == 0; }
  std::vector<AgentEvent> take_events() override;
  Revision settled_revision(std::optional<OwnerId> owner) const override;
  Waiting waiting(std::optional<OwnerId> owner, Micros now) const override;
  std::optional<Revision> settled_revision_of(AgentId agent) const override;
  std::optional<AgentView> agent(AgentId id) const override;
  std::optional<OwnerId> owner_of(AgentId agent) const override;
  std::optional<AgentEvent> latest_verdict(AgentId id) override;
  std::vector<AgentId> agent_ids(std::optional<OwnerId> owner) const override;
  std::vector<AgentView> agents(AgentId from, std::size_t limit, bool with_paths,
                                std::optional<OwnerId> owner) const override;
  std::uint64_t agent_count() const override;
  Revision revision() const override { return world_->revision(); }
  std::uint64_t state_hash() const override { return world_->state_hash(); }
  std::uint64_t obstacle_count() const override { return world_->obstacle_count(); }
  AnyProfiles profiles() const override { return world_->profiles(); }
  Stats stats() const override;
  std::uint64_t memory_bytes() const override;
  absl::StatusOr<AnySnapshot> capture(const std::string& profile, TeamId team) override;

  const World& world() const { return *world_; }
  // As capture().
  absl::StatusOr<Snapshot> snapshot(const std::string& profile, TeamId team);

 private:
  // A view that queries read, what they find out about its layer, and up to which revision that was
  // told of changes.
  struct QueryView {
    ViewId view{};
    std::optional<ComponentMap> components = {};
    Revision components_at{};
    std::optional<HpaMap> clusters = {};
    Revision clusters_at{};
  };

  GridEngine(std::unique_ptr<World> world, const EngineOptions& options, Executor& executor);
  // The last of query_views_ then. NOT_FOUND: there is no such profile.
  absl::Status use_query_view(const std::string& profile, TeamId team);
  // Make them or bring them up to date.
  const ComponentMap& components_of(QueryView* used) const;
  const HpaMap& clusters_of(QueryView* used) const;
  std::uint64_t facts_bytes() const;

  std::unique_ptr<World> world_;
  EngineOptions options_;
  Replanner replanner_;
  RequestAnswers<ChangeAnswer> answers_;
  Cow<FactMemory> facts_memory_;       // of all views together
  std::deque<QueryView> query_views_;  // one use of each, the last used last
};

}  // namespace repath
