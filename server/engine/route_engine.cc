#include "engine/route_engine.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.h"
#include "engine/tried_route_changes.h"
#include "engine/validate.h"
#include "routes/places.h"

namespace repath {
namespace {

constexpr std::size_t kRouteRequestIdMax = 128;
constexpr std::size_t kRouteQueryViewsMax = 16;  // kept for queries beside those that agents use

absl::Status check_route_revision(const std::optional<Revision>& expected, Revision revision) {
  if (!expected || *expected == revision) return absl::OkStatus();
  const std::string at = std::to_string(value(revision));
  return with_fact(make_error(absl::StatusCode::kAborted, "REVISION_MISMATCH", "expected_revision",
                              "the world is at revision " + at),
                   "revision", at);
}

class RouteRules final : public AgentRules {
 public:
  explicit RouteRules(const RouteWorld& world) : world_(world), bounds_(world.bounds()) {}
  bool has_profile(std::string_view name) const override {
    return std::ranges::any_of(world_.profiles(),
                               [&](const RouteProfile& profile) { return profile.name == name; });
  }
  bool has_cells() const override { return false; }
  absl::Status check_on_map(MapPoint p, const std::string& field) const override {
    if (p.x >= bounds_.min_x - kRouteSnapReach && p.x <= bounds_.max_x + kRouteSnapReach &&
        p.y >= bounds_.min_z - kRouteSnapReach && p.y <= bounds_.max_z + kRouteSnapReach)
      return absl::OkStatus();
    return invalid_field(
        "OUT_OF_MAP", field,
        "must lie within 64 world units of the world's bounds, x " + std::to_string(bounds_.min_x) +
            " to " + std::to_string(bounds_.max_x) + ", z " + std::to_string(bounds_.min_z) +
            " to " + std::to_string(bounds_.max_z));
  }

 private:
  const RouteWorld& world_;
  RouteBox bounds_;
};

}  // namespace

RouteEngine::RouteEngine(std::unique_ptr<RouteWorld> world, const EngineOptions& options,
                         Executor& executor)
    : world_(std::move(world)),
      options_(options),
      rerouter_(*world_, executor, options.search_memory_bytes),
      answers_(options.request_ids_max, options.request_id_ttl_us) {}

absl::StatusOr<std::unique_ptr<RouteEngine>> RouteEngine::create(std::unique_ptr<RouteWorld> world,
                                                                 const EngineOptions& options,
                                                                 Executor& executor) {
  if (world == nullptr) return absl::InvalidArgumentError("an engine needs a world");
  return std::unique_ptr<RouteEngine>(new RouteEngine(std::move(world), options, executor));
}

absl::StatusOr<std::optional<ChangeAnswer>> RouteEngine::find_answer(const ApplyChanges& command,
                                                                     Micros now) {
  if (command.request_id.size() > kRouteRequestIdMax)
    return invalid_field("OUT_OF_RANGE", "request_id", "must have at most 128 bytes");
  if (command.request_id.empty()) return std::nullopt;
  const auto first = answers_.find(command.request_id, command.content, now);
  if (!first.ok()) return first.status();
  if (*first == nullptr) return std::nullopt;
  ChangeAnswer answer = **first;
  answer.repeated_request = true;
  return answer;
}

absl::StatusOr<ChangeAnswer> RouteEngine::apply(const ApplyChanges& command, Micros now) {
  const auto first = find_answer(command, now);
  if (!first.ok()) return first.status();
  if (*first) return **first;
  if (auto status = check_route_revision(command.expected_revision, world_->revision());
      !status.ok())
    return status;
  rerouter_.before_commit();
  absl::StatusOr<RouteCommit> commit = world_->apply(std::get<RouteBatch>(command.batch));
  if (!commit.ok()) return with_field_prefix(commit.status(), "batch.");
  ChangeAnswer answer;
  answer.revision = commit->revision;
  answer.state_hash = commit->state_hash;
  answer.changed_edges = commit->changed;
  answer.invalidated_agents = rerouter_.on_commit(*std::move(commit), now);
  answer.waiting_agents = rerouter_.waiting().size();
  if (!command.request_id.empty()) answers_.keep(command.request_id, command.content, answer, now);
  return answer;
}

absl::StatusOr<TestAnswer> RouteEngine::test(const TestChanges& command) {
  if (auto status = check_route_revision(command.expected_revision, world_->revision());
      !status.ok())
    return status;
  const RouteRules rules(*world_);
  for (std::size_t i = 0; i < command.pairs.size(); ++i) {
    const TestChanges::Pair& pair = command.pairs[i];
    const std::string here = item("pairs", i) + ".";
    for (const auto& [point, field] : {std::pair(pair.from, "from"), std::pair(pair.to, "to")})
      if (auto status = check_point(point, rules, here + field); !status.ok()) return status;
  }
  return try_route_changes(*world_, command, rerouter_.state());
}

absl::Status RouteEngine::upsert_agents(std::span<const AgentSpec> agents, OwnerId owner,
                                        Micros now) {
  if (auto status = check_agents(agents, RouteRules(*world_)); !status.ok()) return status;
  std::uint64_t added = 0;
  for (const AgentSpec& agent : agents) added += rerouter_.has(agent.id) ? 0 : 1;
  if (rerouter_.size() + added > options_.agents_max)
    return make_error(
        absl::StatusCode::kResourceExhausted, "AGENTS_TOO_MANY", "agents",
        "this world takes at most " + std::to_string(options_.agents_max) + " agents");
  return rerouter_.upsert(agents, owner, now);
}

absl::StatusOr<std::vector<AgentId>> RouteEngine::report_positions(
    std::span<const PositionReport> positions, Micros now) {
  if (auto status = check_positions(positions, RouteRules(*world_)); !status.ok()) return status;
  std::vector<AgentId> unknown;
  for (const PositionReport& position : positions) {
    if (rerouter_.has(position.id)) {
      rerouter_.report(position, now);
    } else {
      unknown.push_back(position.id);
    }
  }
  return unknown;
}

std::uint64_t RouteEngine::remove_agents(std::span<const AgentId> agents, EventReason reason) {
  std::uint64_t removed = 0;
  for (const AgentId id : agents) removed += rerouter_.remove(id, reason) ? 1 : 0;
  return removed;
}

std::uint64_t RouteEngine::remove_owner(OwnerId owner, EventReason reason) {
  return remove_agents(rerouter_.ids_of(owner), reason);
}

void RouteEngine::acknowledge(AgentId agent, PathVersion version) {
  rerouter_.acknowledge(agent, version);
}

StepReport RouteEngine::plan(WorkUnits budget, Micros now) {
  StepReport report;
  report.used = rerouter_.plan(budget, now);
  report.revision = world_->revision();
  report.frame = rerouter_.frame();
  const WaitingBook& waiting = rerouter_.waiting();
  report.backlog = waiting.size();
  report.oldest_wait_frames = waiting.oldest_wait(report.frame);
  report.late = waiting.late(std::nullopt, now);
  report.idle = report.backlog == 0;
  return report;
}

std::vector<AgentEvent> RouteEngine::take_events() { return rerouter_.take_events(); }

Revision RouteEngine::settled_revision(std::optional<OwnerId> owner) const {
  return rerouter_.settled_revision(owner);
}

Engine::Waiting RouteEngine::waiting(std::optional<OwnerId> owner, Micros now) const {
  const WaitingBook& book = rerouter_.waiting();
  return {book.waiting(owner), book.late(owner, now)};
}

std::optional<Revision> RouteEngine::settled_revision_of(AgentId agent) const {
  return rerouter_.settled_revision_of(agent);
}

std::optional<AgentView> RouteEngine::agent(AgentId id) const { return rerouter_.view(id, true); }
std::optional<OwnerId> RouteEngine::owner_of(AgentId agent) const {
  return rerouter_.owner_of(agent);
}
std::optional<AgentEvent> RouteEngine::latest_verdict(AgentId id) {
  return rerouter_.latest_verdict(id);
}
std::vector<AgentId> RouteEngine::agent_ids(std::optional<OwnerId> owner) const {
  return rerouter_.ids_of(owner);
}

std::vector<AgentView> RouteEngine::agents(AgentId from, std::size_t limit, bool with_paths,
                                           std::optional<OwnerId> owner) const {
  return rerouter_.views(from, limit, with_paths, owner);
}

std::uint64_t RouteEngine::agent_count() const { return rerouter_.size(); }

Stats RouteEngine::stats() const { return rerouter_.stats(); }

std::uint64_t RouteEngine::memory_bytes() const {
  return world_->bytes() + rerouter_.memory_bytes();
}

// Views for queries are kept up to a number; the one used longest ago goes first.
absl::StatusOr<AnySnapshot> RouteEngine::capture(const std::string& profile, TeamId team) {
  const absl::StatusOr<RouteViewId> view = world_->acquire_view(profile, team);
  if (!view.ok()) return view.status();
  if (const auto it = std::ranges::find(query_views_, *view); it != query_views_.end()) {
    world_->release_view(*it);
    query_views_.erase(it);
  }
  query_views_.push_back(*view);
  if (query_views_.size() > kRouteQueryViewsMax) {
    world_->release_view(query_views_.front());
    query_views_.pop_front();
  }
  AnySnapshot snapshot;
  snapshot.revision = world_->revision();
  snapshot.routes = world_->keep(*view);
  return snapshot;
}

}  // namespace repath
