// The agents of one world and their verdicts: the whole of the promise behind one class, which
// agents/agent_verdicts.h describes.
//
// Not thread-safe; one strand owns it. Borrows world and executor, which must outlive it.
// `Kind` is what kind.h asks for: grids (Replanner), or meshes and graphs (Rerouter).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "agents/agent.h"
#include "agents/agent_verdicts.h"
#include "agents/stats.h"
#include "base/ending_uses.h"
#include "base/error.h"
#include "base/executor.h"
#include "verdicts/verdicts.h"

namespace repath {

template <class Kind>
class AgentBook final : public AgentVerdicts {
 public:
  using World = typename Kind::World;
  using State = typename Kind::State;
  using Options = typename Kind::Options;
  using Commit = typename Kind::Commit;

  AgentBook(World& world, const Options& options, Executor& executor)
      : s_(world, options),
        verdicts_(s_),
        positions_(s_, verdicts_),
        commit_verdicts_(s_, verdicts_),
        settling_(s_, verdicts_),
        planner_(s_, settling_, executor) {
    s_.first_version = options.first_path_version;
  }

  absl::Status upsert(std::span<const AgentSpec> agents, OwnerId owner, Micros now) override {
    s_.now = now;
    std::vector<GoalsId> goals;
    const Uses ending = uses_of(agents);
    for (const AgentSpec& spec : agents) {
      if (const absl::Status status = acquire(spec, ending, &goals); !status.ok()) {
        return make_error(status.code(), error_reason(status),
                          item("agents", goals.size()) + ".profile", std::string(status.message()));
      }
    }
    for (std::size_t i = 0; i < agents.size(); ++i) {
      const AgentSpec& spec = agents[i];
      const std::optional<Slot> slot = s_.agents.find(spec.id);
      if (!slot) {
        add(spec, owner, goals[i], EventReason::kNewAgent);
        continue;
      }
      set_owner(*slot, owner);
      if (!is_same_question(s_.agents[*slot].spec, spec)) {
        change(*slot, spec, goals[i]);
        continue;
      }
      s_.goals.release(goals[i]);
      s_.agents[*slot].spec.goal_generation = spec.goal_generation;
      s_.agents[*slot].position_age_us = 0;
      if (s_.agents[*slot].spec.position != spec.position)
        positions_.report(*slot, spec.position, PathVersion{});
      verdicts_.retune(*slot, spec);  // it may be confirmed at once, from where it is now
    }
    return absl::OkStatus();
  }
  absl::Status restore(std::span<const RestoredAgent> agents, Micros now) override {
    s_.now = now;
    std::vector<GoalsId> goals;
    for (const RestoredAgent& agent : agents) {
      if (const absl::Status status = acquire(agent.spec, {}, &goals); !status.ok()) {
        return make_error(absl::StatusCode::kDataLoss, "WORLD_DAMAGED", "",
                          "agent " + std::to_string(value(agent.spec.id)) +
                              " cannot be restored: " + std::string(status.message()));
      }
    }
    for (std::size_t i = 0; i < agents.size(); ++i) {
      const Slot slot = add(agents[i].spec, agents[i].owner, goals[i], EventReason::kRecovered);
      s_.agents[slot].position_age_us = agents[i].position_age_us;
    }
    return absl::OkStatus();
  }
  bool report(const PositionReport& position, Micros now) override {
    s_.now = now;
    const std::optional<Slot> slot = s_.agents.find(position.id);
    if (!slot) return false;
    s_.agents[*slot].position_age_us = 0;
    positions_.report(*slot, position.position, position.path_version);
    return true;
  }
  bool remove(AgentId id, EventReason reason) override {
    const std::optional<Slot> slot = s_.agents.find(id);
    if (!slot) return false;
    verdicts_.tell_at_once(
        *slot, {.type = EventType::kRemoved, .reason = reason, .revision = s_.world.revision()});
    verdicts_.stop_asking(*slot);
    s_.queue.forget(*slot);
    s_.confirming.erase(*slot);
    s_.off_ground.erase(*slot);
    planner_.forget(*slot);
    Kind::forget_agent(s_, *slot);
    s_.goals.release(s_.agents.row(*slot).goals);
    // A later agent of this id counts on from here.
    s_.first_version = std::max(s_.first_version, s_.agents[*slot].last_version);
    s_.agents.remove(*slot);
    return true;
  }
  void acknowledge(AgentId id, PathVersion version) override {
    if (const std::optional<Slot> slot = s_.agents.find(id)) positions_.acknowledge(*slot, version);
  }

  // ---- changes ----
  // Gives up searches in progress, or prepares them, before the world changes the ground that they
  // read. REQUIRES: the batch is not refused any more. A refused batch must change nothing, and the
  // searches would run otherwise.
  void before_commit() { planner_.before_commit(); }
  // Gives the at-once verdicts, after the world has changed. Returns how many paths were
  // invalidated.
  std::uint64_t on_commit(Commit commit, Micros now) {
    s_.now = now;
    return commit_verdicts_.apply(std::move(commit));
  }

  // ---- planning ----
  void begin_frame() override { ++s_.frame; }
  SpentUnits plan(WorkUnits budget, Micros now) override {
    s_.now = now;
    return planner_.step(budget);
  }
  // Runs a whole frame.
  WorkUnits step(WorkUnits budget, Micros now) {
    begin_frame();
    return plan(budget, now).used;
  }

  std::vector<AgentEvent> take_events() override { return std::exchange(s_.events, {}); }

  // ---- questions ----
  std::uint64_t size() const override { return s_.agents.size(); }
  std::optional<AgentView> view(AgentId id, bool with_path) const override {
    const std::optional<Slot> slot = s_.agents.find(id);
    if (!slot) return std::nullopt;
    return view_of(*slot, with_path);
  }
  std::vector<AgentView> views(AgentId from, std::size_t limit, bool with_paths,
                               std::optional<OwnerId> owner) const override {
    std::vector<AgentView> views;
    const auto& by_id = s_.agents.by_id();
    for (auto it = by_id.lower_bound(from); it != by_id.end() && views.size() < limit; ++it)
      if (!owner || s_.agents[it->second].owner == *owner)
        views.push_back(view_of(it->second, with_paths));
    return views;
  }
  std::vector<AgentGlance> glances() const override {
    std::vector<AgentGlance> all;
    all.reserve(s_.agents.size());
    for (const auto& [id, slot] : s_.agents.by_id()) {
      AgentGlance& seen = all.emplace_back();
      seen.id = id;
      Kind::show_place(s_.agents[slot], &seen);
      seen.outlook = outlook_of(slot);
      seen.waiting = s_.queue.contains(slot);
    }
    return all;
  }
  std::optional<OwnerId> owner_of(AgentId id) const override {
    const std::optional<Slot> slot = s_.agents.find(id);
    if (!slot) return std::nullopt;
    return s_.agents[*slot].owner;
  }
  std::optional<AgentEvent> latest_verdict(AgentId id) override {
    const std::optional<Slot> slot = s_.agents.find(id);
    if (!slot) return std::nullopt;
    std::optional<AgentEvent> verdict = verdict_of(*slot, true);
    if (verdict && verdict->path && verdict->path->optimality == Optimality::kValidOnly)
      s_.agents[*slot].verdict.path->optimality = Optimality::kValidOnly;
    return verdict;
  }
  std::vector<AgentId> ids_of(std::optional<OwnerId> owner) const override {
    std::vector<AgentId> ids;
    if (!owner) ids.reserve(s_.agents.size());
    for (const auto& [id, slot] : s_.agents.by_id())
      if (!owner || s_.agents[slot].owner == *owner) ids.push_back(id);
    return ids;
  }
  const WaitingBook& waiting() const override { return s_.waiting; }
  std::optional<Revision> settled_revision_of(AgentId id) const override {
    const std::optional<Slot> slot = s_.agents.find(id);
    if (!slot) return std::nullopt;
    return s_.queue.contains(*slot) ? s_.agents[*slot].proved : s_.world.revision();
  }
  std::uint64_t frame() const override { return s_.frame; }
  Stats stats() const override {
    Stats stats = s_.stats;
    stats.agents = s_.agents.size();
    stats.waiting = s_.waiting.size();
    stats.late = s_.waiting.late(std::nullopt, s_.now);
    stats.oldest_wait_frames = s_.waiting.oldest_wait(s_.frame);
    stats.max_passed_over = s_.queue.max_passed_over();
    stats.map_bytes = s_.world.bytes();
    stats.frame = s_.frame;
    Kind::add_stats(s_, &stats);
    return stats;
  }
  std::uint64_t memory_bytes() const override {
    constexpr std::uint64_t kPointBytes = sizeof(typename Kind::Point);
    std::uint64_t bytes = Kind::shared_bytes(s_);
    // A slot stays when its agent is gone.
    bytes += s_.agents.rows().size() * (sizeof(typename Kind::Row) + sizeof(void*));
    bytes += s_.agents.size() * sizeof(typename Kind::Agent);
    for (const auto& [id, slot] : s_.agents.by_id()) {
      const auto& agent = s_.agents[slot];
      bytes += agent.path.points.capacity() * kPointBytes + Kind::memory_bytes(agent);
      for (const auto& past : agent.past) bytes += past.points.capacity() * kPointBytes;
    }
    return bytes;
  }
  // Agents, paths and goals as they are, for TestChanges.
  State& state() { return s_; }
  const State& state() const { return s_; }

 private:
  using Uses = EndingUses<typename decltype(State::goals)::View>;

  // Returns the uses of views by those of the agents that are known. An upsert of these agents ends
  // as many once it has all of the new ones.
  Uses uses_of(std::span<const AgentSpec> agents) const {
    Uses uses;
    for (const AgentSpec& spec : agents)
      if (const std::optional<Slot> slot = s_.agents.find(spec.id))
        uses.add(s_.agents.row(*slot).view);
    return uses;
  }
  // Adds the agent's goals to the list. If its view cannot be had, gives all of the list back.
  absl::Status acquire(const AgentSpec& spec, const Uses& ending, std::vector<GoalsId>* goals) {
    const absl::StatusOr<GoalsId> id = s_.goals.acquire(spec, ending);
    if (id.ok()) {
      goals->push_back(*id);
    } else {
      for (const GoalsId taken : *goals) s_.goals.release(taken);
    }
    return id.status();
  }
  Slot add(const AgentSpec& spec, OwnerId owner, GoalsId goals, EventReason reason) {
    const Slot slot = s_.agents.add(spec.id);
    s_.agents[slot].spec = spec;
    s_.agents[slot].owner = owner;
    s_.agents[slot].last_version = s_.first_version;
    await_first_verdict(slot, goals, reason);
    return slot;
  }
  void change(Slot slot, const AgentSpec& spec, GoalsId goals) {
    planner_.forget(slot);        // before its view may go
    verdicts_.stop_asking(slot);  // its place may be in another class now
    verdicts_.drop_path(slot);
    const GoalsId before = s_.agents.row(slot).goals;
    if (goals != before) Kind::forget_goals(s_, slot);
    s_.goals.release(before);
    s_.agents[slot].spec = spec;
    s_.agents[slot].position_age_us = 0;
    s_.confirming.erase(slot);
    verdicts_.begin_question(slot);
    await_first_verdict(slot, goals, EventReason::kAgentChanged);
  }
  void set_owner(Slot slot, OwnerId owner) {
    const bool waits = s_.queue.contains(slot);
    if (waits) s_.waiting.remove(verdicts_.entry_of(slot));
    s_.agents[slot].owner = owner;
    if (waits) s_.waiting.add(verdicts_.entry_of(slot));
  }
  void await_first_verdict(Slot slot, GoalsId goals, EventReason reason) {
    auto& row = s_.agents.row(slot);
    row.goals = goals;
    row.view = s_.goals[goals].view;
    Kind::take_goals(s_, slot);
    positions_.place(slot);
    verdicts_.wait(slot, Revision{});
    verdicts_.expect(slot, EventType::kNewPath, reason);
    if (s_.agents[slot].spec.confirm) s_.confirming.insert(slot);
  }
  AgentView view_of(Slot slot, bool with_path) const {
    const auto& agent = s_.agents[slot];
    AgentView view;
    view.spec = agent.spec;
    view.owner = agent.owner;
    Kind::show_place(agent, &view);
    if (std::optional<AgentEvent> verdict = verdict_of(slot, with_path)) {
      view.has_verdict = true;
      view.verdict = *std::move(verdict);
    }
    view.waiting = s_.queue.contains(slot);
    view.settled = view.waiting ? agent.proved : s_.world.revision();
    if (view.waiting) view.waiting_since = next(agent.proved);
    if (holds_whole(agent)) view.held_cost = s_.agents.row(slot).held;
    view.position_age_us = agent.position_age_us;
    return view;
  }
  Outlook outlook_of(Slot slot) const {
    switch (s_.agents.row(slot).standing) {
      case Standing::kPath:
        return s_.agents[slot].broken_at ? Outlook::kBroken : Outlook::kPath;
      case Standing::kPartial:
        return Outlook::kPartial;
      case Standing::kCutOff:
        return Outlook::kCutOff;
      case Standing::kStartBlocked:
        return Outlook::kStartBlocked;
      case Standing::kNone:
      case Standing::kEmpty:
        return Outlook::kNone;
    }
    return Outlook::kNone;
  }
  // Returns the agent's state as a verdict of today. For a waiting agent that must be answered, the
  // latest verdict counts only if the agent still holds its path, whole or broken.
  std::optional<AgentEvent> verdict_of(Slot slot, bool with_path) const {
    const auto& agent = s_.agents[slot];
    const bool waits = s_.queue.contains(slot);
    const bool counts = agent.has_verdict && (!waits || !agent.must_answer || agent.path.holds());
    if (!counts) return std::nullopt;
    AgentEvent verdict = agent.verdict;
    verdict.goal_generation = agent.spec.goal_generation;
    // They would count in the path as it was first sent.
    verdict.first_invalid_node.reset();
    verdict.first_invalid_waypoint.reset();
    if (holds_whole(agent) || !waits) {
      verdict.revision = s_.world.revision();
      Kind::show_place(agent, &verdict);
      if (verdict.path) verdict.path->revision = verdict.revision;
    }
    // A goal may have closed or opened since without a verdict.
    if (!waits && verdict.path && s_.agents.row(slot).standing == Standing::kCutOff)
      verdict.path->state =
          Kind::has_free_goal(s_, slot) ? PathState::kUnreachable : PathState::kGoalBlocked;
    if (holds_whole(agent) && verdict.path) show_path(slot, with_path, &verdict);
    return verdict;
  }
  // Writes the rest of the held path, which is open. The path claims only what is proved today;
  // otherwise it claims nothing.
  void show_path(Slot slot, bool with_path, AgentEvent* verdict) const {
    const auto& agent = s_.agents[slot];
    const auto& row = s_.agents.row(slot);
    AgentPath& path = *verdict->path;
    verdict->cost = path.cost = row.held;
    verdict->waypoints_behind = Kind::waypoints_behind(s_, slot);
    // The agent may have come from the obstacle it stood in to the place where its path begins.
    path.state = Kind::is_snapped(s_, slot)           ? PathState::kStartBlocked
                 : row.standing == Standing::kPartial ? PathState::kPartial
                                                      : PathState::kComplete;
    if (with_path) Kind::show_rest(s_, slot, &path);
    if (!s_.queue.contains(slot)) return Kind::claim_today(s_, slot, &path);
    const bool is_as_told =
        agent.verdict.revision == s_.world.revision() && Kind::is_where_told(agent);
    if (is_as_told) return;
    path.optimality = Optimality::kValidOnly;
    path.allowance = 0;
    path.weight = 1;
  }

  State s_;
  Verdicts<Kind> verdicts_;
  typename Kind::Positions positions_;
  typename Kind::CommitVerdicts commit_verdicts_;
  typename Kind::Settling settling_;
  typename Kind::Planner planner_;
};

}  // namespace repath
