#include "engine/grid_engine.h"

#include <algorithm>
#include <deque>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "engine/tried_changes.h"
#include "engine/validate.h"

namespace repath {
namespace {

constexpr std::size_t kRequestIdLengthMax = 128;
constexpr std::size_t kQueryViewsMax = 32;  // kept for queries beside those that agents use
// Of the view's jump map, if it is yet to be made: 3 ms at the most. So maps of up to 1024 x 1024
// have it from the first query on, larger ones after some more.
constexpr std::size_t kJumpStepsOfAQuery = 768;
constexpr std::uint64_t kFactsShare = 4;  // of the memory for search state

absl::Status check_expected(const std::optional<Revision>& expected, Revision revision) {
  if (!expected || *expected == revision) return absl::OkStatus();
  const std::string at = std::to_string(value(revision));
  return with_fact(make_error(absl::StatusCode::kAborted, "REVISION_MISMATCH", "expected_revision",
                              "the world is at revision " + at),
                   "revision", at);
}

class GridRules final : public AgentRules {
 public:
  explicit GridRules(const World& world) : world_(world) {}
  bool has_profile(std::string_view name) const override { return world_.profile(name) != nullptr; }
  bool has_cells() const override { return true; }
  absl::Status check_on_map(MapPoint p, const std::string& field) const override {
    if (p.x >= 0 && p.y >= 0 && p.x < world_.width() && p.y < world_.height())
      return absl::OkStatus();
    return invalid_field("OUT_OF_MAP", field,
                         "must be on the map of " + std::to_string(world_.width()) + " x " +
                             std::to_string(world_.height()) + " cells");
  }

 private:
  const World& world_;
};

// Uses of views that end with it. After a failed check the world is given up, views and all.
class ViewUses {
 public:
  explicit ViewUses(World& world) : world_(world) {}
  ~ViewUses() noexcept(false) {
    if (std::uncaught_exceptions() > exceptions_) return;
    for (const ViewId view : views_) world_.release_view(view);
  }
  ViewUses(const ViewUses&) = delete;
  ViewUses& operator=(const ViewUses&) = delete;

  absl::Status add(const std::string& profile, TeamId team) {
    const absl::StatusOr<ViewId> view = world_.acquire_view(profile, team);
    if (view.ok()) views_.push_back(*view);
    return view.status();
  }
  const std::vector<ViewId>& views() const { return views_; }

 private:
  World& world_;
  std::vector<ViewId> views_;
  const int exceptions_ = std::uncaught_exceptions();
};

}  // namespace

GridEngine::GridEngine(std::unique_ptr<World> world, const EngineOptions& options,
                       Executor& executor)
    : world_(std::move(world)),
      options_(options),
      replanner_(*world_, {options.strategy, options.search_memory_bytes, options.first_leg_cells},
                 executor),
      answers_(options.request_ids_max, options.request_id_ttl_us),
      facts_memory_(new FactMemory(options.search_memory_bytes / kFactsShare)) {}

absl::StatusOr<std::optional<ChangeAnswer>> GridEngine::find_answer(const ApplyChanges& command,
                                                                    Micros now) {
  if (command.request_id.size() > kRequestIdLengthMax)
    return invalid_field("OUT_OF_RANGE", "request_id", "must have at most 128 bytes");
  if (command.request_id.empty()) return std::nullopt;
  const auto first = answers_.find(command.request_id, command.content, now);
  if (!first.ok()) return first.status();
  if (*first == nullptr) return std::nullopt;
  ChangeAnswer answer = **first;
  answer.repeated_request = true;
  return answer;
}

absl::StatusOr<ChangeAnswer> GridEngine::apply(const ApplyChanges& command, Micros now) {
  const auto first = find_answer(command, now);
  if (!first.ok()) return first.status();
  if (*first) return **first;
  if (auto status = check_expected(command.expected_revision, world_->revision()); !status.ok())
    return status;
  absl::StatusOr<StagedBatch> staged = world_->stage(std::get<ChangeBatch>(command.batch));
  if (!staged.ok()) return with_field_prefix(staged.status(), "batch.");
  replanner_.before_commit();
  Commit commit = world_->commit(*std::move(staged));
  ChangeAnswer answer;
  answer.revision = commit.revision;
  answer.state_hash = commit.state_hash;
  for (const ViewDelta& delta : commit.views)
    answer.changed_edges += delta.risen.size() + delta.fallen.size();
  answer.invalidated_agents = replanner_.on_commit(std::move(commit), now);
  answer.waiting_agents = replanner_.waiting().size();
  if (!command.request_id.empty()) answers_.keep(command.request_id, command.content, answer, now);
  return answer;
}

absl::StatusOr<TestAnswer> GridEngine::test(const TestChanges& command) {
  if (auto status = check_expected(command.expected_revision, world_->revision()); !status.ok())
    return status;
  ViewUses pair_views(*world_);
  for (std::size_t i = 0; i < command.pairs.size(); ++i) {
    const TestChanges::Pair& pair = command.pairs[i];
    const std::string here = "pairs[" + std::to_string(i) + "].";
    for (const auto& [point, field] : {std::pair(pair.from, "from"), std::pair(pair.to, "to")})
      if (auto status = check_point(point, GridRules(*world_), here + field); !status.ok())
        return status;
    if (auto status = pair_views.add(pair.profile, pair.team); !status.ok())
      return with_field_prefix(status, here);
    // Who asks once asks again: what is found out stays.
    if (auto status = use_query_view(pair.profile, pair.team); !status.ok())
      return with_field_prefix(status, here);
    components_of(&query_views_.back());
  }
  const absl::StatusOr<StagedBatch> staged = world_->stage(std::get<ChangeBatch>(command.batch));
  if (!staged.ok()) return with_field_prefix(staged.status(), "batch.");
  std::vector<ViewComponents> known;
  for (QueryView& used : query_views_)
    if (used.components) known.push_back({used.view, &components_of(&used)});
  TestAnswer answer;
  answer.revision = world_->revision();
  try_changes(*world_, *staged, command, pair_views.views(), known, replanner_.state(), &answer);
  return answer;
}

absl::Status GridEngine::upsert_agents(std::span<const AgentSpec> agents, OwnerId owner,
                                       Micros now) {
  if (auto status = check_agents(agents, GridRules(*world_)); !status.ok()) return status;
  std::uint64_t added = 0;
  for (const AgentSpec& agent : agents) added += replanner_.has(agent.id) ? 0 : 1;
  if (replanner_.size() + added > options_.agents_max)
    return make_error(
        absl::StatusCode::kResourceExhausted, "AGENTS_TOO_MANY", "agents",
        "this world takes at most " + std::to_string(options_.agents_max) + " agents");
  return replanner_.upsert(agents, owner, now);
}

absl::StatusOr<std::vector<AgentId>> GridEngine::report_positions(
    std::span<const PositionReport> positions, Micros now) {
  if (auto status = check_positions(positions, GridRules(*world_)); !status.ok()) return status;
  std::vector<AgentId> unknown;
  for (const PositionReport& position : positions) {
    if (replanner_.has(position.id)) {
      replanner_.report(position, now);
    } else {
      unknown.push_back(position.id);
    }
  }
  return unknown;
}

StepReport GridEngine::plan(WorkUnits budget, Micros now) {
  StepReport report;
  report.used = replanner_.plan(budget, now);
  report.revision = world_->revision();
  report.frame = replanner_.frame();
  const WaitingBook& waiting = replanner_.waiting();
  report.backlog = waiting.size();
  report.oldest_wait_frames = waiting.oldest_wait(report.frame);
  report.late = waiting.late(std::nullopt, now);
  report.idle = report.backlog == 0;
  return report;
}

// Views for queries are kept up to a number; the one used longest ago goes first.
absl::Status GridEngine::use_query_view(const std::string& profile, TeamId team) {
  const absl::StatusOr<ViewId> view = world_->acquire_view(profile, team);
  if (!view.ok()) return view.status();
  QueryView used{*view};
  if (const auto it = std::ranges::find(query_views_, *view, &QueryView::view);
      it != query_views_.end()) {
    world_->release_view(it->view);
    used = std::move(*it);
    query_views_.erase(it);
  }
  query_views_.push_back(std::move(used));
  if (query_views_.size() > kQueryViewsMax) {
    world_->release_view(query_views_.front().view);
    query_views_.pop_front();
  }
  return absl::OkStatus();
}

absl::StatusOr<Snapshot> GridEngine::snapshot(const std::string& profile, TeamId team) {
  if (auto status = use_query_view(profile, team); !status.ok()) return status;
  QueryView& used = query_views_.back();
  const GridGraph graph = world_->graph(used.view);
  Snapshot snapshot{world_->revision(), graph.layer(), graph.topology(), graph.corner_rule(),
                    world_->cell_size()};
  std::size_t steps = kJumpStepsOfAQuery;
  const World::Jumps jumps = world_->keep_jumps(used.view, &steps);
  snapshot.has_jumps_to_come = jumps == World::Jumps::kBeingMade;
  if (jumps == World::Jumps::kKept) snapshot.jumps = *world_->jumps(used.view);
  snapshot.radius = world_->view_profile(used.view).radius / world_->cell_size();
  if (const GridLayer* ground = world_->ground(used.view)) snapshot.ground = *ground;
  snapshot.components = components_of(&used);
  if (graph.topology() != Topology::kHex) snapshot.clusters = clusters_of(&used);
  return snapshot;
}

const ComponentMap& GridEngine::components_of(QueryView* used) const {
  if (!used->components) {
    used->components.emplace(world_->layer(used->view), world_->view_profile(used->view).topology,
                             facts_memory_);
  } else if (used->components_at != world_->revision()) {
    used->components->update(world_->layer(used->view));
  }
  used->components_at = world_->revision();
  return *used->components;
}

const HpaMap& GridEngine::clusters_of(QueryView* used) const {
  const GridGraph graph = world_->graph(used->view);
  if (!used->clusters) {
    used->clusters.emplace(graph.layer(), graph.topology(), graph.corner_rule(),
                           hpa_shape_for(graph.layer().width(), graph.layer().height()),
                           facts_memory_);
  } else if (used->clusters_at != world_->revision()) {
    used->clusters->update(graph.layer());
  }
  used->clusters_at = world_->revision();
  return *used->clusters;
}

std::uint64_t GridEngine::facts_bytes() const {
  std::uint64_t bytes = facts_memory_->bytes.load(std::memory_order_relaxed);
  for (const QueryView& view : query_views_) {
    if (view.components) bytes += view.components->bytes();
    if (view.clusters) bytes += view.clusters->bytes();
  }
  return bytes;
}

absl::StatusOr<std::unique_ptr<GridEngine>> GridEngine::create(std::unique_ptr<World> world,
                                                               const EngineOptions& options,
                                                               Executor& executor) {
  if (world == nullptr) return absl::InvalidArgumentError("an engine needs a world");
  return std::unique_ptr<GridEngine>(new GridEngine(std::move(world), options, executor));
}

std::uint64_t GridEngine::remove_agents(std::span<const AgentId> agents, EventReason reason) {
  std::uint64_t removed = 0;
  for (const AgentId id : agents) removed += replanner_.remove(id, reason) ? 1 : 0;
  return removed;
}
std::uint64_t GridEngine::remove_owner(OwnerId owner, EventReason reason) {
  return remove_agents(replanner_.ids_of(owner), reason);
}
void GridEngine::acknowledge(AgentId agent, PathVersion version) {
  replanner_.acknowledge(agent, version);
}
std::vector<AgentEvent> GridEngine::take_events() { return replanner_.take_events(); }

Revision GridEngine::settled_revision(std::optional<OwnerId> owner) const {
  return replanner_.settled_revision(owner);
}
Engine::Waiting GridEngine::waiting(std::optional<OwnerId> owner, Micros now) const {
  const WaitingBook& book = replanner_.waiting();
  return {book.waiting(owner), book.late(owner, now)};
}
std::optional<Revision> GridEngine::settled_revision_of(AgentId agent) const {
  return replanner_.settled_revision_of(agent);
}
std::optional<AgentView> GridEngine::agent(AgentId id) const { return replanner_.view(id, true); }
std::optional<OwnerId> GridEngine::owner_of(AgentId agent) const {
  return replanner_.owner_of(agent);
}
std::optional<AgentEvent> GridEngine::latest_verdict(AgentId id) {
  return replanner_.latest_verdict(id);
}
std::vector<AgentId> GridEngine::agent_ids(std::optional<OwnerId> owner) const {
  return replanner_.ids_of(owner);
}
std::vector<AgentView> GridEngine::agents(AgentId from, std::size_t limit, bool with_paths,
                                          std::optional<OwnerId> owner) const {
  return replanner_.views(from, limit, with_paths, owner);
}
std::uint64_t GridEngine::agent_count() const { return replanner_.size(); }

Stats GridEngine::stats() const { return replanner_.stats(); }
std::uint64_t GridEngine::memory_bytes() const {
  return world_->bytes() + replanner_.memory_bytes() + facts_bytes();
}
absl::StatusOr<AnySnapshot> GridEngine::capture(const std::string& profile, TeamId team) {
  auto made = snapshot(profile, team);
  if (!made.ok()) return made.status();
  const auto grid = std::make_shared<const Snapshot>(*std::move(made));
  return AnySnapshot{grid->revision, !grid->has_jumps_to_come, grid, nullptr};
}

}  // namespace repath
