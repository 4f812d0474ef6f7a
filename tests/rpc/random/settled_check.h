// Properties of a world that no call changes any more: all agents are settled, verdicts equal
// queries, streams know them, and the history makes the same world again.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <thread>

#include "rpc/random/play.h"

namespace repath::test {

class SettledCheck {
 public:
  // Borrows both.
  SettledCheck(Play& play, PlayedWorld& world)
      : play_(play), calls_(play.calls()), world_(world), name_(world.facts.name) {}

  void run() {
    SCOPED_TRACE("world " + name_ + " of kind " +
                 std::to_string(static_cast<int>(world_.facts.kind)));
    settle();
    list_agents();
    for (const auto& [id, agent] : agents_) check_agent(agent);
    check_sessions();
    check_watch();
    replay();
  }
  std::uint64_t agents_checked() const { return checked_; }

 private:
  static constexpr std::chrono::seconds kPatience{20};

  void settle() {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    for (;;) {
      ASSERT_LT(std::chrono::steady_clock::now(), until) << "agents wait for ever";
      if (world_.facts.lockstep) {
        v1::TickRequest tick;
        tick.set_world(name_);
        tick.set_budget_work_units(1'000'000);
        const auto ticked = calls_.ask<v1::TickResponse>("AgentService.Tick", tick);
        ASSERT_TRUE(ticked);
        if (ticked->backlog() == 0) break;
      } else {
        v1::GetStatsRequest stats;
        stats.set_world(name_);
        const auto told = calls_.ask<v1::GetStatsResponse>("DebugService.GetStats", stats);
        ASSERT_TRUE(told);
        if (told->waiting() == 0) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
    }
  }

  void list_agents() {
    v1::ListAgentsRequest request;
    request.set_world(name_);
    request.set_page_size(1000);
    request.set_with_paths(true);
    const auto list = calls_.ask<v1::ListAgentsResponse>("AgentService.ListAgents", request);
    ASSERT_TRUE(list);
    revision_ = list->revision();
    for (const v1::AgentState& agent : list->agents()) agents_[agent.agent().id()] = agent;
  }

  // A settled agent holds the path that a query from its position finds.
  void check_agent(const v1::AgentState& state) {
    const v1::Agent& agent = state.agent();
    SCOPED_TRACE(agent.ShortDebugString() + "\n" + state.verdict().ShortDebugString());
    EXPECT_FALSE(state.waiting());
    EXPECT_EQ(state.settled_revision(), revision_);
    EXPECT_EQ(state.verdict().goal_generation(), agent.goal_generation());
    if (agent.stands()) return;  // queries do not ignore the agent's own body
    ++checked_;
    const v1::Path& held = state.verdict().path();
    v1::FindPathRequest request;
    request.set_world(name_);
    const bool is_off_ground = held.status() == v1::PATH_STATUS_START_BLOCKED;
    if (is_off_ground) {
      *request.mutable_from() = agent.position();
    } else {
      *request.mutable_from()->mutable_position() = state.verdict().position();
    }
    *request.mutable_goals() = agent.goals();
    request.set_goal_radius(agent.goal_radius());
    request.mutable_walker()->set_profile(agent.profile());
    request.mutable_walker()->set_team(agent.team());
    request.set_allow_partial(agent.allow_partial());
    request.set_snap_start(agent.snap_start());
    const auto asked = calls_.ask<v1::FindPathResponse>("PathService.FindPath", request);
    ASSERT_TRUE(asked);
    const v1::Path& path = asked->path();
    ASSERT_EQ(path.revision(), revision_);
    expect_same(held.status(), path.status());
    if (path.status() == v1::PATH_STATUS_COMPLETE && held.status() == path.status())
      compare_costs(state, path);
  }

  // Without an event a goal that is cut off may also become blocked, or the other way round.
  static void expect_same(v1::PathStatus one, v1::PathStatus other) {
    const auto is_cut_off = [](v1::PathStatus status) {
      return status == v1::PATH_STATUS_UNREACHABLE || status == v1::PATH_STATUS_GOAL_BLOCKED;
    };
    if (is_cut_off(one) && is_cut_off(other)) return;
    EXPECT_EQ(v1::PathStatus_Name(one), v1::PathStatus_Name(other));
  }

  void compare_costs(const v1::AgentState& state, const v1::Path& path) {
    const v1::Path& held = state.verdict().path();
    const double slack = 1e-5 + 1e-6 * path.cost();
    const auto factor = [](const v1::Path& p) {
      return p.optimality() == v1::OPTIMALITY_BOUNDED ? p.bound() : 1.0;
    };
    const double allowed = held.optimality() == v1::OPTIMALITY_WITHIN ? held.bound() : 0;
    EXPECT_LE(held.cost(), factor(held) * path.cost() + allowed + slack);
    EXPECT_LE(path.cost(), factor(path) * held.cost() + slack);
    EXPECT_NEAR(state.cost(), held.cost(), slack);
  }

  // A lockstep world reports its progress when a tick ends.
  void tick_after(const std::string& session, std::uint64_t sequence) {
    v1::TickRequest tick;
    tick.set_world(name_);
    tick.set_session_id(session);
    tick.set_after_sequence(sequence);
    EXPECT_TRUE(calls_.ask<v1::TickResponse>("AgentService.Tick", tick));
  }

  // The knowledge of a session's client equals the server's list.
  void check_sessions() {
    for (std::size_t which = 0; which < world_.sessions.size(); ++which) {
      const auto& session = world_.sessions[which];
      if (session == nullptr || session->is_over()) continue;
      const std::uint64_t mark = session->mark();
      if (mark == 0) continue;  // it has just ended
      if (world_.facts.lockstep) tick_after(which == 0 ? "first" : "second", mark);
      ASSERT_TRUE(session->wait_for_settled(mark, revision_, kPatience))
          << session->last_batch().ShortDebugString() << session->status().error_message();
      for (const auto& [id, known] : session->agents()) {
        SCOPED_TRACE("session's agent " + std::to_string(id) + "\n" + session->history(id) +
                     session->last_batch().ShortDebugString());
        const auto at = agents_.find(id);
        ASSERT_NE(at, agents_.end()) << "never told that it went";
        const v1::PathEvent& verdict = at->second.verdict();
        SCOPED_TRACE(at->second.agent().ShortDebugString() + "\n" + verdict.ShortDebugString());
        ASSERT_TRUE(known.has_verdict);
        EXPECT_EQ(known.generation, verdict.goal_generation());
        EXPECT_EQ(known.version, verdict.path_version());
        // It may have walked out of the obstacle to the place where its path begins.
        const bool walked_out =
            known.status == v1::PATH_STATUS_START_BLOCKED && verdict.path().positions_size() > 0;
        if (walked_out) continue;
        expect_same(known.status, verdict.path().status());
      }
    }
  }

  // A watch that begins now gets each agent's verdict once.
  void check_watch() {
    const auto stub = play_.agents_stub();
    std::mutex mutex;
    std::condition_variable changed;
    std::map<std::uint64_t, v1::PathEvent> told;
    v1::WatchPathsRequest request;
    request.set_world(name_);
    Watching<v1::EventBatch> watch(
        [&](auto* context, auto* reactor) {
          stub->async()->WatchPaths(context, &request, reactor);
        },
        [&](const v1::EventBatch& batch) {
          const std::lock_guard lock(mutex);
          for (const v1::PathEvent& event : batch.events()) {
            EXPECT_TRUE(told.emplace(event.agent_id(), event).second);
          }
          changed.notify_all();
        });
    std::unique_lock lock(mutex);
    EXPECT_TRUE(changed.wait_for(lock, kPatience, [&] { return told.size() == agents_.size(); }));
    for (const auto& [id, state] : agents_) {
      SCOPED_TRACE("watched agent " + std::to_string(id));
      EXPECT_EQ(told[id].path_version(), state.verdict().path_version());
      EXPECT_EQ(told[id].path().digest(), state.verdict().path().digest());
      EXPECT_NEAR(told[id].path().cost(), state.verdict().path().cost(), 1e-6);
    }
  }

  // The history, applied to the same source, gives every state hash again.
  void replay() {
    const std::string again = name_ + ".again";
    ASSERT_TRUE(play_.import(world_.source, again, /*cut_off=*/false));
    AcceptedHashes accepted;
    {
      const std::lock_guard lock(calls_.mutex());
      accepted = *world_.accepted;
    }
    for (std::uint64_t next = 2; next <= revision_;) {
      v1::ReadChangesRequest read;
      read.set_world(name_);
      read.set_start_revision(next);
      read.set_page_size(1000);
      const auto page = calls_.ask<v1::ReadChangesResponse>("WorldService.ReadChanges", read);
      ASSERT_TRUE(page);
      ASSERT_GT(page->changes_size(), 0);
      for (const v1::Change& change : page->changes()) {
        ASSERT_EQ(change.revision(), next++);
        v1::ApplyChangesRequest apply;
        apply.set_world(again);
        *apply.mutable_batch() = change.batch();
        const auto applied =
            calls_.ask<v1::ApplyChangesResponse>("WorldService.ApplyChanges", apply);
        ASSERT_TRUE(applied) << change.ShortDebugString();
        ASSERT_EQ(applied->revision(), change.revision());
        ASSERT_EQ(applied->state_hash(), change.state_hash()) << change.ShortDebugString();
        const auto at = accepted.find(change.revision());
        if (at != accepted.end()) {
          ASSERT_EQ(at->second, change.state_hash());
          accepted.erase(at);
        }
      }
    }
    EXPECT_TRUE(accepted.empty()) << "acknowledged, but not in the history";
    v1::DeleteWorldRequest gone;
    gone.set_world(again);
    EXPECT_TRUE(calls_.ask<v1::DeleteWorldResponse>("WorldService.DeleteWorld", gone));
  }

  Play& play_;
  Calls& calls_;
  PlayedWorld& world_;
  const std::string name_;
  std::uint64_t revision_ = 0;
  std::map<std::uint64_t, v1::AgentState> agents_;
  std::uint64_t checked_ = 0;
};

}  // namespace repath::test
