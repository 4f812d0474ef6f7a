// The client's knowledge of its agents, from events alone, compared with the model.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "engine/engine.h"
#include "sim/engine/line.h"
#include "sim/engine/model.h"

namespace repath::test {

// One agent as its client sees it.
struct Client {
  AgentSpec spec;
  NodeId node{};  // as reported last
  EventType verdict = EventType::kNewPath;
  bool has_verdict = false;  // since it joined or changed
  bool stands_blocked = false;
  Revision blocked_at{};     // revision of START_BLOCKED
  Revision heard_at{};       // revision of its latest event
  std::vector<NodeId> path;  // held; empty if none
  std::size_t at = 0;
  bool is_leg = false;  // a first leg: BOUNDED, and the exact path follows
  bool partial = false;
  bool broken = false;
  std::uint32_t broken_at = 0;
  Cost adopted = 0;  // cost of the path when it was sent
  // Part of `adopted` above the cheapest cost, sent as BOUNDED to an agent that keeps clear of
  // others.
  Cost detour = 0;
  PathVersion version{};
  std::vector<MapPoint> line;  // of a driven path; empty: the path is not driven
  bool off = false;            // moved since its verdict to a place without a verdict
};

class Judge {
 public:
  Judge(const ModelWorld& model, const Engine& engine) : model_(model), engine_(engine) {}

  std::map<AgentId, Client> clients;
  std::uint64_t driven = 0;         // paths with a line that turns
  std::uint64_t tight = 0;          // paths of which a turn has no room
  std::uint64_t broken_beside = 0;  // lines that a change closed beside open cells

  void hear(const AgentEvent& e) {
    SCOPED_TRACE(::testing::Message()
                 << "event " << static_cast<int>(e.type) << " agent " << value(e.agent)
                 << " revision " << value(e.revision) << " now " << value(model_.revision()));
    if (e.type == EventType::kRemoved) return;
    Client& c = clients.at(e.agent);
    const ModelView& v = model_.view(e.revision, c.spec);
    ASSERT_EQ(e.position, c.node);
    ASSERT_LE(e.revision, model_.revision());
    c.heard_at = e.revision;
    switch (e.type) {
      case EventType::kInvalidated:
        return hear_invalidated(c, e, v);
      case EventType::kCostChanged:
        ASSERT_FALSE(c.broken);
        ASSERT_EQ(e.revision, model_.revision());
        ASSERT_EQ(e.cost, v.cost(c.path, c.at));
        return;
      case EventType::kConfirmed:
        return holds(c, e.revision);
      case EventType::kStartBlocked:
        ASSERT_FALSE(v.is_free(c.node));
        c.stands_blocked = true;
        c.blocked_at = e.revision;
        c.path.clear();
        break;
      case EventType::kUnreachable:
        ASSERT_EQ(optimum(v, c.node, c.spec), kUnreachable);
        ASSERT_TRUE(v.is_free(c.node));
        c.path.clear();
        c.stands_blocked = false;
        break;
      default:
        hear_path(c, e, v);
    }
    c.verdict = e.type;
    c.has_verdict = true;
    c.broken = c.off = false;
  }

  // After a batch every agent whose path was cut or whose place was closed must have got an event.
  void no_missed(const std::set<AgentId>& told_invalid, const std::set<AgentId>& told_cost,
                 const std::set<AgentId>& told_blocked,
                 const std::map<AgentId, Cost>& costs_before) {
    for (const auto& [id, c] : clients) {
      const bool stood_free = model_.view(previous(model_.revision()), c.spec).is_free(c.node);
      ASSERT_TRUE(!stood_free || model_.now(c.spec).is_free(c.node) || told_blocked.contains(id))
          << "missed START_BLOCKED of " << value(id);
      if (c.path.empty() || c.broken || c.off) continue;
      const Cost cost = model_.now(c.spec).cost(c.path, c.at);
      ASSERT_NE(cost, kUnreachable)
          << "missed INVALIDATED of " << value(id) << " told " << told_invalid.count(id);
      const auto before = costs_before.find(id);
      ASSERT_TRUE(is_line_open(model_.now(c.spec), rest_of(c))) << "missed INVALIDATED of a line";
      const bool changed = before != costs_before.end() && before->second != cost;
      ASSERT_TRUE(!changed || told_cost.contains(id)) << "missed COST_CHANGED of " << value(id);
    }
  }

  // Checks the claims of silence.
  void silence() {
    Revision least = model_.revision();
    for (const auto& [id, c] : clients) {
      const Revision settled = *engine_.settled_revision_of(id);
      least = std::min(least, settled);
      SCOPED_TRACE(::testing::Message() << "silence of " << value(id) << " at " << value(settled)
                                        << " now " << value(model_.revision()));
      if (settled == Revision{}) continue;
      // Facts from before the agent got START_BLOCKED no longer count.
      if (c.stands_blocked && settled < c.blocked_at) continue;
      // Facts from before the first leg do not count either.
      if (c.is_leg && settled < c.heard_at) continue;
      ASSERT_TRUE(c.has_verdict && !c.off);
      holds(c, settled);
      if (::testing::Test::HasFatalFailure()) return;
    }
    ASSERT_EQ(engine_.settled_revision(std::nullopt), least);
    if (least == Revision{}) return;
    for (const auto& [id, c] : clients) {
      SCOPED_TRACE(::testing::Message()
                   << "silence of all: " << value(id) << " at " << value(least) << " now "
                   << value(model_.revision()) << " heard " << value(c.heard_at));
      if (c.heard_at <= least) holds(c, least);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }

  // With all agents settled, checks the held paths in lists.
  void listed() const {
    for (const auto& [id, c] : clients) {
      SCOPED_TRACE(::testing::Message() << "listed " << value(id));
      const AgentView view = *engine_.agent(id);
      if (!view.verdict.path || c.path.empty() || c.partial) continue;
      const AgentPath& path = *view.verdict.path;
      const ModelView& v = model_.now(c.spec);
      const Cost best = optimum(v, c.path[c.at], c.spec);
      ASSERT_EQ(path.cost, v.cost(c.path, c.at));
      ASSERT_LE(path.cost, best + path.allowance);
      ASSERT_TRUE(path.optimality == Optimality::kWithin || path.allowance == 0);
      const bool is_said = c.detour == 0 || path.optimality == Optimality::kWithin;
      ASSERT_TRUE(is_said && (path.allowance == 0 || path.allowance + 8 >= c.detour));  // rounding
    }
  }

  std::map<AgentId, Cost> costs() const {
    std::map<AgentId, Cost> costs;
    for (const auto& [id, c] : clients)
      if (!c.path.empty() && !c.broken && !c.off) costs[id] = model_.now(c.spec).cost(c.path, c.at);
    return costs;
  }

 private:
  void hear_invalidated(Client& c, const AgentEvent& e, const ModelView& v) {
    ASSERT_FALSE(c.path.empty());
    ASSERT_EQ(e.revision, model_.revision());
    ASSERT_EQ(e.path_version, c.version);
    std::uint32_t first = 0;
    for (std::size_t i = c.at; i + 1 < c.path.size() && first == 0; ++i)
      if (v.step(c.path[i], c.path[i + 1]) == kUnreachable)
        first = static_cast<std::uint32_t>(i + 1);
    if (c.line.empty()) {
      ASSERT_EQ(e.first_invalid_node, first);
    } else {
      ASSERT_TRUE(first == 0 || *e.first_invalid_node <= first);
      if (first == 0) ++broken_beside;
    }
    c.broken = true;
    c.broken_at = *e.first_invalid_node;
    c.verdict = e.type;
  }

  void hear_path(Client& c, const AgentEvent& e, const ModelView& v) {
    ASSERT_TRUE(e.path.has_value());
    const AgentPath& path = *e.path;
    ASSERT_GT(path.version, c.version);
    ASSERT_EQ(path.version, e.path_version);
    ASSERT_EQ(path.revision, e.revision);
    const NodeId origin = v.is_free(c.node) ? c.node : nearest_free(v, c.node);
    ASSERT_EQ(path.nodes.front(), origin);
    ASSERT_EQ(path.cost, v.cost(path.nodes));
    ASSERT_EQ(path.cost, e.cost);
    ASSERT_NE(model_.now(c.spec).cost(path.nodes), kUnreachable) << "sent a closed path";
    const bool stale = path.optimality == Optimality::kStale;
    ASSERT_EQ(stale, e.revision != model_.revision());
    const Cost best = optimum(v, origin, c.spec);
    if (e.type == EventType::kPartial) {
      ASSERT_EQ(best, kUnreachable);
      const auto [distance, cost, end] = partial_end(v, origin, c.spec);
      ASSERT_EQ(path.nodes.back(), end);
      ASSERT_TRUE(c.spec.curves ? path.cost >= cost : path.cost == cost);
      ASSERT_EQ(path.state, v.is_free(c.node) ? PathState::kPartial : PathState::kStartBlocked);
    } else {
      if (path.optimality == Optimality::kBounded) {
        is_detour(c.spec) ? hear_bounded(c, path, best) : hear_leg(c, e, path, best);
      } else {
        ASSERT_LE(path.cost, best + path.allowance);
      }
      ASSERT_TRUE(path.optimality != Optimality::kOptimal || path.allowance == 0);
      const auto goals = goal_nodes(v, c.spec);
      ASSERT_TRUE(std::ranges::find(goals, path.nodes.back()) != goals.end());
      ASSERT_EQ(path.state, v.is_free(c.node) ? PathState::kComplete : PathState::kStartBlocked);
    }
    if (e.type == EventType::kImproved) {
      ASSERT_FALSE(c.path.empty() || c.broken || c.off);
      const double hysteresis = c.spec.min_improvement_ratio * static_cast<double>(c.adopted);
      const Cost saved_least = c.is_leg ? 0 : static_cast<Cost>(hysteresis);
      ASSERT_LT(path.cost + saved_least, v.cost(c.path, c.at));
    }
    c.path = path.nodes;
    c.at = 0;
    c.adopted = path.cost;
    c.is_leg = path.optimality == Optimality::kBounded && !is_detour(c.spec);
    c.detour = 0;
    if (path.optimality == Optimality::kBounded && c.spec.crowd) c.detour = path.cost - best;
    if (path.optimality == Optimality::kBounded && c.spec.curves)
      c.detour = path.cost - static_cast<Cost>(static_cast<double>(path.cost) / path.weight) + 1;
    hear_line(c, path, v);
    c.version = path.version;
    c.partial = e.type == EventType::kPartial;
    c.stands_blocked = !v.is_free(c.node);
  }

  static bool is_detour(const AgentSpec& spec) { return spec.crowd || spec.curves; }
  static std::vector<MapPoint> rest_of(const Client& c, const ModelView& v) {
    if (c.line.empty() || c.path.empty()) return {};
    return c.at == 0 ? c.line : line_from(c.line, model_centre(v, c.path[c.at]));
  }
  std::vector<MapPoint> rest_of(const Client& c) const { return rest_of(c, model_.now(c.spec)); }

  // Checks the line of a driven path.
  void hear_line(Client& c, const AgentPath& path, const ModelView& v) {
    c.line.clear();
    for (const RoutePoint& point : path.points) c.line.push_back({point.at.x, point.at.z});
    ASSERT_EQ(c.line.empty(), !c.spec.curves || path.turn_too_tight);
    tight += path.turn_too_tight ? 1 : 0;
    if (c.line.empty()) return;
    ASSERT_EQ(squared_distance(c.line.front(), model_centre(v, path.nodes.front())) > 0.5, false);
    ASSERT_EQ(squared_distance(c.line.back(), model_centre(v, path.nodes.back())), 0);
    ASSERT_TRUE(is_line_open(v, c.line));
    const double radius = model_.turning_radius(c.spec);
    for (std::size_t i = 2; i < c.line.size(); ++i)
      ASSERT_TRUE(keeps_radius(c.line[i - 2], c.line[i - 1], c.line[i], radius,
                               std::min(0.05, radius / 32), i == 2))
          << i;
    driven += c.line.size() > 2 ? 1 : 0;
  }

  // The claimed bound is exactly the true one, unless a change that the hysteresis allows came
  // since the path that is driven was found.
  static void hear_bounded(const Client& c, const AgentPath& path, Cost best) {
    const double share = path.weight * static_cast<double>(best) / static_cast<double>(path.cost);
    if (c.spec.curves) {
      ASSERT_GE(share, 1 - 1e-12);
      ASSERT_TRUE(share <= 1 + 1e-12 || c.spec.min_improvement_ratio > 0);
      return;
    }
    ASSERT_TRUE(c.spec.crowd.has_value());
    ASSERT_GT(path.cost, best);
    ASSERT_LE(path.weight, 1 + c.spec.crowd->max_detour);
    ASSERT_NEAR(share, 1, 1e-12);
  }

  // Only an agent without a path to walk gets a first leg.
  static void hear_leg(const Client& c, const AgentEvent& e, const AgentPath& path, Cost best) {
    ASSERT_TRUE(c.path.empty() || c.broken || c.off);
    ASSERT_TRUE(e.type == EventType::kNewPath || e.type == EventType::kReplanned);
    ASSERT_GE(path.weight * static_cast<double>(best) * (1 + 1e-12),
              static_cast<double>(path.cost));
    ASSERT_GT(path.weight, 1);
  }

  void holds(const Client& c, Revision r) const {
    const ModelView& v = model_.view(r, c.spec);
    const NodeId origin =
        v.is_free(c.node) ? c.node : (c.spec.snap_start ? nearest_free(v, c.node) : kNoNode);
    const Cost best = origin == kNoNode ? kUnreachable : optimum(v, origin, c.spec);
    if (!c.path.empty()) {
      ASSERT_EQ(c.path[c.at], origin);
      const Cost cost = v.cost(c.path, c.at);
      ASSERT_NE(cost, kUnreachable);
      ASSERT_TRUE(is_line_open(v, rest_of(c, v)));
      if (c.partial) {
        ASSERT_EQ(best, kUnreachable);
        const auto [distance, least, end] = partial_end(v, origin, c.spec);
        if (c.spec.curves) {  // another end may be as near, and cheaper from where it is by now
          ASSERT_EQ(distance_to(v, c.path.back(), c.spec), distance);
          return;
        }
        ASSERT_EQ(c.path.back(), end);
        ASSERT_EQ(cost, least);
        return;
      }
      // The allowance is a share of the cost at adoption. A path found at an older revision may
      // have been a little dearer then than when it was sent.
      const double allowance = c.spec.min_improvement_ratio * static_cast<double>(c.adopted) * 1.25;
      ASSERT_LE(cost, best + std::max(static_cast<Cost>(allowance), c.detour));
      return;
    }
    if (c.stands_blocked) {
      ASSERT_FALSE(v.is_free(c.node));
      ASSERT_EQ(best, kUnreachable);
      return;
    }
    ASSERT_EQ(c.verdict, EventType::kUnreachable);
    ASSERT_TRUE(v.is_free(c.node));
    ASSERT_EQ(best, kUnreachable);
    if (c.spec.allow_partial) FAIL() << "UNREACHABLE though a partial path was asked for";
  }

  const ModelWorld& model_;
  const Engine& engine_;
};

}  // namespace repath::test
