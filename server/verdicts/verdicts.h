// How an agent passes between SETTLED and WAITING, and how a fact becomes an event. Every change of
// an agent's standing goes through here, so that rows, queue and books cannot disagree.
//
// The words are those of server/docs/promise.md, and this class is their one place in code. A
// SETTLED agent is not in the queue. A WAITING agent is in the queue and in the waiting book, whose
// least `proved` is settled_revision. An agent may have been proved up to s and then again from
// t > s on. It must get a CONFIRMED if a batch may still name a revision between them
// (silence_would_mislead). Not thread-safe. Borrows the state. `Kind` is what kind.h asks for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "agents/waiting_book.h"
#include "verdicts/agent_record.h"

namespace repath {

template <class Kind>
class Verdicts {
 public:
  using State = typename Kind::State;
  using Point = typename Kind::Point;

  explicit Verdicts(State& state) : s_(state) {}

  // ---- waiting ----
  // Makes the agent wait: its verdict is proved up to `proved` only (0: for nothing). An agent that
  // waits already keeps its place in the queue, and the lesser of both revisions. The standing
  // decides the type of the event that will send a path found, unless expect() sets another one.
  void wait(Slot slot, Revision proved) {
    auto& agent = s_.agents[slot];
    if (proved == Revision{}) agent.asked_at = s_.world.revision();
    if (!s_.queue.contains(slot)) return enter(slot, proved, s_.frame, s_.now);
    s_.waiting.remove(entry_of(slot));
    agent.proved = std::min(agent.proved, proved);
    s_.waiting.add(entry_of(slot));
  }
  // Ends the agent's turn, but its verdict is proved only up to `proved`. The agent waits on, and
  // its wait counts from the change that spoils the verdict.
  void serve_and_wait(Slot slot, Revision proved, std::uint64_t since_frame, Micros since_us) {
    s_.queue.serve(slot);
    leave_books(slot);
    enter(slot, proved, since_frame, since_us);
  }
  // Settles the agent: its verdict holds at the world's revision, by a search or a proof. No effect
  // if it was settled.
  void settle(Slot slot) {
    if (s_.queue.contains(slot)) {
      s_.queue.serve(slot);
      stop_waiting(slot);
    }
    s_.agents.row(slot).settled = true;
  }
  // Settles the agent like settle(), but outside its turn: a change settled it.
  void settle_unserved(Slot slot) {
    if (s_.queue.contains(slot)) {
      s_.queue.leave(slot);
      stop_waiting(slot);
    }
    s_.agents.row(slot).settled = true;
  }
  // Takes the agent out of queue and book, because its question is void. Does nothing for an agent
  // that is settled.
  void stop_asking(Slot slot) {
    if (!s_.queue.contains(slot)) return;
    s_.queue.leave(slot);
    leave_books(slot);
  }
  // Sets the type of the event that will send a path found. Silence will be no answer. A NEW_PATH
  // that is due already is not replaced.
  void expect(Slot slot, EventType type, EventReason reason) {
    auto& agent = s_.agents[slot];
    agent.must_answer = true;
    if (agent.answer == EventType::kNewPath && type != EventType::kNewPath) return;
    agent.answer = type;
    agent.reason = reason;
  }
  // Sets the answer that is due by the agent's standing. Silence is an answer.
  void expect_nothing(Slot slot) {
    auto& agent = s_.agents[slot];
    const Standing standing = s_.agents.row(slot).standing;
    const bool holds_path = standing == Standing::kPath;
    agent.answer = holds_path ? EventType::kImproved : EventType::kNewPath;
    agent.reason = holds_path                            ? EventReason::kNone
                   : standing == Standing::kStartBlocked ? EventReason::kStartFreeAgain
                                                         : EventReason::kReachableAgain;
    agent.must_answer = false;
  }
  // Sets the priority, the staleness bound and the wish for confirmations from `spec`. The question
  // stays.
  void retune(Slot slot, const AgentSpec& spec) {
    AgentSpec& held = s_.agents[slot].spec;
    const bool waits = s_.queue.contains(slot);
    if (waits) s_.waiting.remove(entry_of(slot));
    held.priority = spec.priority;
    held.max_staleness_ms = spec.max_staleness_ms;
    held.confirm = spec.confirm;
    if (waits) {
      const WaitingEntry entry = entry_of(slot);
      s_.waiting.add(entry);
      s_.queue.move(slot, held.priority, entry.deadline);
    }
    if (!held.confirm) {
      s_.confirming.erase(slot);
    } else if (s_.confirming.insert(slot).second) {
      confirm(slot);
    }
  }
  // Adds what is behind the wait. A list that would exceed kCausesMax keeps the first and the
  // latest causes.
  void add_cause(Slot slot, Revision revision, std::optional<ObstacleId> obstacle) {
    auto& agent = s_.agents[slot];
    insert_cause(&agent.cause_revisions, revision);
    if (obstacle) insert_cause(&agent.cause_obstacles, *obstacle);
  }
  void clear_causes(Slot slot) {
    s_.agents[slot].cause_revisions.clear();
    s_.agents[slot].cause_obstacles.clear();
  }

  // ---- standing ----
  // Drops the held path, which no longer counts. Its client may still follow it, so it is kept as a
  // past path.
  void drop_path(Slot slot) {
    if (s_.agents[slot].path.holds()) Kind::let_go_path(s_, slot);
    put_path_aside(slot);
  }
  // Sets a new path and version. The caller sets the row's costs and what is claimed of the path.
  void hold_path(Slot slot, std::vector<Point> points, Standing standing) {
    auto& agent = s_.agents[slot];
    const std::size_t kept = Kind::replace_path(s_, slot, points);
    put_path_aside(slot);
    agent.last_version = PathVersion{value(agent.last_version) + 1};
    agent.path.points = std::move(points);
    agent.path.version = agent.last_version;
    s_.agents.row(slot).standing = standing;
    Kind::take_up_path(s_, slot, kept);
  }
  // Makes a search in progress for the agent begin again: the question is another one now, so the
  // search must not give its answer.
  void begin_search_anew(Slot slot) { s_.agents[slot].search_epoch = ++s_.last_epoch; }

  // ---- events ----
  // Puts out an event from the queue. Does what tell_at_once() does, and sets the time that the
  // agent waited.
  void tell(Slot slot, AgentEvent&& event) {
    if (s_.queue.contains(slot)) {
      const auto& agent = s_.agents[slot];
      event.waited_frames = s_.frame - agent.wait_frame;
      event.waited_us = s_.now - std::min(s_.now, agent.wait_us);
    }
    tell_at_once(slot, std::move(event));
  }
  // Puts out an event that is sent at once, with agent, owner, place, version and causes. It leaves
  // in the frame of its change. So it says that the agent waited for no time, even if the agent has
  // been WAITING since an older change. Verdicts (all but COST_CHANGED and CONFIRMED) become the
  // agent's latest.
  void tell_at_once(Slot slot, AgentEvent&& event) {
    auto& agent = s_.agents[slot];
    event.agent = agent.spec.id;
    event.owner = agent.owner;
    Kind::show_place(agent, &event);
    event.goal_generation = agent.spec.goal_generation;
    if (event.path_version == PathVersion{}) event.path_version = agent.last_version;
    event.cause_revisions = agent.cause_revisions;
    event.cause_obstacles = agent.cause_obstacles;
    agent.told = event.revision;
    ++s_.stats.events[static_cast<std::size_t>(event.type)];
    if (!is_note(event.type)) {
      agent.has_verdict = true;
      std::vector<Point> points;
      if (event.path) points.swap(Kind::points_of(*event.path));
      agent.verdict = event;
      if (agent.verdict.path) agent.verdict.path->points = {};  // a grid's line
      if (event.path) points.swap(Kind::points_of(*event.path));
    }
    if (s_.events.empty()) s_.events.reserve(kEventsExpected);
    s_.events.push_back(std::move(event));
  }
  // Returns COST_CHANGED of the held path, at the world's revision.
  AgentEvent cost_changed(Cost before, Cost after) const {
    return {.type = EventType::kCostChanged,
            .revision = s_.world.revision(),
            .old_cost = before,
            .cost = after};
  }
  // Returns a verdict of this type that there is no path, in this state.
  static AgentEvent no_path(EventType type, PathState state, Revision revision, Cost old_cost) {
    return {.type = type,
            .revision = revision,
            .path = AgentPath{.state = state, .revision = revision},
            .old_cost = old_cost};
  }
  // Begins another question of the agent: drops its latest verdict and puts kAsked out.
  void begin_question(Slot slot) {
    auto& agent = s_.agents[slot];
    agent.has_verdict = false;
    agent.verdict = {};
    AgentEvent event{.type = EventType::kAsked,
                     .agent = agent.spec.id,
                     .owner = agent.owner,
                     .revision = s_.world.revision(),
                     .path_version = agent.last_version,
                     .goal_generation = agent.spec.goal_generation};
    Kind::show_place(agent, &event);
    s_.events.push_back(std::move(event));
  }
  // Sends CONFIRMED if the agent asked for confirmations and got no event at this revision yet.
  void confirm(Slot slot) {
    const auto& agent = s_.agents[slot];
    if (!agent.spec.confirm || !s_.agents.row(slot).settled || agent.told == s_.world.revision())
      return;
    assure(slot, s_.world.revision());
  }
  // Returns whether silence of this waiting agent would claim too much once it is proved from
  // `since` on. It would if a batch may still name a revision before `since` through which the
  // agent waited: no proof covers it.
  bool silence_would_mislead(Slot slot, Revision since) const {
    const auto& agent = s_.agents[slot];
    // Silence speaks for the time after the last event. An event at once is not yet proved for its
    // own revision. Verdicts from before the agent was put elsewhere are unproved, too.
    const Revision first_unproved = std::max(next(agent.proved), agent.told);
    return may_be_named(first_unproved, since);
  }
  // Sends CONFIRMED at `revision`, asked for or not: silence speaks for nothing before it.
  void assure(Slot slot, Revision revision) {
    const Cost held = s_.agents[slot].path.holds() ? s_.agents.row(slot).held : 0;
    tell(slot,
         {.type = EventType::kConfirmed, .revision = revision, .old_cost = held, .cost = held});
  }
  // Sends CONFIRMED to a settled agent whose verdict holds today at another place than before, if a
  // batch may still name an earlier revision. For such a revision the verdict is unproved at the
  // new place.
  void assure_from_now_on(Slot slot) {
    const Revision now = s_.world.revision();
    if (may_be_named(std::max(s_.agents[slot].told, Revision{1}), now)) assure(slot, now);
  }

  WaitingEntry entry_of(Slot slot) const {
    const auto& agent = s_.agents[slot];
    const Micros deadline = agent.wait_us + Micros{agent.spec.max_staleness_ms} * 1000;
    return {agent.owner, agent.proved, deadline, agent.wait_frame};
  }

 private:
  static constexpr std::size_t kEventsExpected = 3;  // more in a frame grow as they come
  static constexpr std::size_t kPastPathsMax = 4;
  static constexpr std::size_t kCausesMax = 16;  // in one verdict

  // The list is ascending and without duplicates.
  template <class T>
  static void insert_cause(std::vector<T>* causes, T cause) {
    const auto at = std::ranges::lower_bound(*causes, cause);
    if (at != causes->end() && *at == cause) return;
    causes->insert(at, cause);
    if (causes->size() > kCausesMax) causes->erase(causes->begin() + kCausesMax / 2);
  }

  // Returns whether a batch may name a revision in [first, end). A batch names the least revision
  // up to which any waiting agent is proved. It is proved up to that revision now, or a search in
  // progress will prove it.
  bool may_be_named(Revision first, Revision end) const {
    if (first >= end) return false;
    return s_.waiting.any_proved_in(first, end) ||
           std::ranges::any_of(s_.being_read, [&](Revision read) {
             return read < end && (read >= first || Kind::kProofsReachOn);
           });
  }
  void stop_waiting(Slot slot) {
    const std::uint64_t waited = s_.frame - s_.agents[slot].wait_frame;
    s_.stats.longest_wait_frames = std::max(s_.stats.longest_wait_frames, waited);
    leave_books(slot);
  }
  void leave_books(Slot slot) {
    s_.waiting.remove(entry_of(slot));
    Kind::end_wait(s_, slot);
    clear_causes(slot);
  }
  void enter(Slot slot, Revision proved, std::uint64_t frame, Micros us) {
    auto& agent = s_.agents[slot];
    expect_nothing(slot);
    agent.searches_in_vain = 0;
    agent.proved = proved;
    agent.wait_frame = frame;
    agent.wait_us = us;
    s_.agents.row(slot).settled = false;
    const WaitingEntry entry = entry_of(slot);
    s_.waiting.add(entry);
    s_.queue.enter(slot, agent.spec.id, agent.spec.priority, entry.deadline, frame);
    Kind::begin_wait(s_, slot);
  }
  void put_path_aside(Slot slot) {
    auto& agent = s_.agents[slot];
    s_.agents.row(slot).standing = Standing::kNone;
    s_.agents.row(slot).is_tight = false;
    agent.broken_at.reset();
    if (!agent.path.holds()) return;
    agent.past.push_back({agent.path.version, std::move(agent.path.points)});
    if (agent.past.size() > kPastPathsMax) agent.past.erase(agent.past.begin() + 1);
    agent.path = {};
  }

  State& s_;
};

}  // namespace repath
