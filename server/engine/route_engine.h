// The engine of a world of routes: a navmesh or a waypoint graph.
//
// Positions, goals and the places of test() may lie up to kRouteSnapReach beyond the world's bounds
// on the plane; whether there is ground is found when a route is planned.
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
#include "reroute/rerouter.h"
#include "routes/route_world.h"

namespace repath {

class RouteEngine final : public Engine {
 public:
  // Takes the world. `executor` is borrowed and must outlive the engine. INVALID_ARGUMENT: no
  // world. Of the options strategy and search memory have no meaning here.
  static absl::StatusOr<std::unique_ptr<RouteEngine>> create(std::unique_ptr<RouteWorld> world,
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
  void begin_frame() override { rerouter_.begin_frame(); }
  StepReport plan(WorkUnits budget, Micros now) override;
  bool is_idle() const override { return rerouter_.waiting().size() == 0; }
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

  const RouteWorld& world() const { return *world_; }

 private:
  RouteEngine(std::unique_ptr<RouteWorld> world, const EngineOptions& options, Executor& executor);

  std::unique_ptr<RouteWorld> world_;
  EngineOptions options_;
  Rerouter rerouter_;
  RequestAnswers<ChangeAnswer> answers_;
  std::deque<RouteViewId> query_views_;  // one use of each, the last used last
};

}  // namespace repath
