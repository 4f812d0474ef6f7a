// Judge: checks silence, that is the claims of settled_revision, and verdicts that were due at
// once.
#include <algorithm>
#include <cmath>

#include "verify/judge.h"

namespace repath::verify {
namespace {

constexpr int kSnapCells = 64;

}  // namespace

void Judge::check_claims() {
  for (auto& [id, agent] : agents_) check_claim(agent, claim_, true);
}

// Checks every agent's claim as far as no search is needed, and searches for the agents of one
// goal.
void Judge::check_some_claims() {
  if (agents_.empty()) return;
  auto sample = agents_.begin();
  std::advance(sample, static_cast<std::ptrdiff_t>(sampled_++ * 7 % agents_.size()));
  const AgentSpec& spec = sample->second.spec;
  for (auto& [id, agent] : agents_) {
    const bool same = agent.spec.view == spec.view && agent.spec.goal_set == spec.goal_set;
    check_claim(agent, claim_, same);
  }
}

void Judge::check_claim(Agent& agent, const Claim& claim, bool search) {
  if (agent.removing || agent.asked_at > claim.applied || claim.settled < agent.steady_from ||
      claim.settled < agent.held.revision || agent.steady_after == 0) {
    return;
  }
  if (search) ++tally_.checked;
  check_held(agent, {claim.settled, "settled"}, agent.position_at(claim.applied), search);
}

void Judge::check_held(Agent& agent, const Saying& saying, const Position& position, bool search) {
  const AgentSpec& spec = agent.spec;
  const std::optional<int> at = agent.place_at(position.sequence);
  switch (agent.held.standing) {
    case Standing::kNone:
      return defect(Defect::kWrong, agent, saying.text() + " without a verdict");
    case Standing::kPath:
      return check_held_route(agent, saying, position, at, search);
    case Standing::kPartial:
      if (spec.snap && !oracle_.ground(spec.view, saying.revision).free(position.cell))
        return check_held_start(agent, saying, position, search);
      check_held_route(agent, saying, position, at, false);
      if (search) check_held_partial(agent, saying, position.cell, at);
      return;
    case Standing::kStartBlocked:
      return check_held_start(agent, saying, position, search);
    case Standing::kUnreachable:
      if (search &&
          oracle_.distance(spec.view, saying.revision, spec.goal_set, position.cell) < kInfinity) {
        defect(Defect::kMissedImprovement, agent,
               saying.text() + " as UNREACHABLE, but a goal can be reached from " +
                   place(position.cell));
      }
  }
}

void Judge::check_held_route(Agent& agent, const Saying& saying, const Position& position,
                             std::optional<int> at, bool search) {
  const Held& held = agent.held;
  const AgentSpec& spec = agent.spec;
  if (held.broken) {
    return defect(Defect::kWrong, agent, saying.text() + " though nothing came after INVALIDATED");
  }
  if (!at) {
    if (exempt(agent, position)) return;
    return defect(Defect::kWrong, agent,
                  saying.text() + " though it stands at " + place(position.cell) + ", off path " +
                      std::to_string(held.version));
  }
  const double cost = cost_of(oracle_.ground(spec.view, saying.revision), held.route, *at);
  const std::string where =
      "path " + std::to_string(held.version) + " from " + place(position.cell);
  if (cost == kInfinity) {
    return defect(Defect::kInvalidPath, agent,
                  saying.text() + ", but " + where + " crosses something closed");
  }
  if (!is_line_open(agent, saying.revision, *at))
    return defect(Defect::kInvalidPath, agent, saying.text() + ", but its line is closed");
  if (!search) return;
  const double best = oracle_.distance(spec.view, saying.revision, spec.goal_set, position.cell);
  if (less_cost(best + held.allowance, cost)) {
    defect(Defect::kMissedImprovement, agent,
           saying.text() + " on " + where + ", which costs " + std::to_string(cost) +
               "; the best costs " + std::to_string(best) + ", the allowance is " +
               std::to_string(held.allowance));
  }
}

void Judge::check_held_partial(Agent& agent, const Saying& saying, Cell cell,
                               std::optional<int> at) {
  const AgentSpec& spec = agent.spec;
  const std::string said = saying.text() + " on a partial path";
  if (oracle_.distance(spec.view, saying.revision, spec.goal_set, cell) < kInfinity) {
    return defect(Defect::kMissedImprovement, agent,
                  said + ", but a goal can be reached from " + place(cell));
  }
  const Oracle::Nearest best =
      oracle_.nearest_reachable(spec.view, saying.revision, spec.goals, cell);
  const Ground& ground = oracle_.ground(spec.view, saying.revision);
  const double metric = metric_to(ground, spec.goals, agent.held.route.cells.back());
  if (less_cost(best.metric, metric)) {
    defect(Defect::kMissedImprovement, agent,
           said + " that ends " + std::to_string(metric) + " from a goal; " +
               std::to_string(best.metric) + " can be had");
  } else if (at && !spec.curves && less_cost(best.cost, cost_of(ground, agent.held.route, *at))) {
    defect(Defect::kMissedImprovement, agent, said + " longer than the best one");
  }
}

void Judge::check_held_start(Agent& agent, const Saying& saying, const Position& position,
                             bool search) {
  const AgentSpec& spec = agent.spec;
  const Held& held = agent.held;
  const Cell cell = position.cell;
  const std::string said = saying.text() + " as START_BLOCKED";
  const Ground& ground = oracle_.ground(spec.view, saying.revision);
  if (const auto at = agent.place_at(position.sequence))
    return check_held_route(agent, saying, position, at, search);
  if (ground.free(cell)) {
    if (exempt(agent, position)) return;
    return defect(Defect::kMissedImprovement, agent, said + ", but " + place(cell) + " is free");
  }
  if (!spec.snap || !search) return;
  const auto nearest = nearest_free(spec.view, saying.revision, position);
  if (!held.has_route()) {
    if (nearest &&
        oracle_.distance(spec.view, saying.revision, spec.goal_set, *nearest) < kInfinity) {
      defect(Defect::kMissedImprovement, agent,
             said + " without a path, but there is one from " + place(*nearest) +
                 ", the nearest free cell");
    }
    return;
  }
  if (!nearest || straight(position, held.route.cells.front()) > straight(position, *nearest)) {
    return defect(Defect::kMissedImprovement, agent, said + ", but a nearer cell is free");
  }
  const bool is_partial = held.standing == Standing::kPartial;
  const Position beside{position.sequence, held.route.cells.front(), held.version};
  check_held_route(agent, saying, beside, 0, search && !is_partial);
  if (is_partial) check_held_partial(agent, saying, beside.cell, 0);
}

double Judge::straight(const Position& from, Cell to) const {
  const int stride = world_.width() + 2;
  const int columns = from.cell % stride - to % stride;
  const int rows = from.cell / stride - to / stride;
  return std::hypot(columns + from.dx, rows + from.dy);
}

std::optional<Cell> Judge::nearest_free(int view, std::uint64_t revision, const Position& from) {
  const Ground& ground = oracle_.ground(view, revision);
  const CellXY at = ground.at(from.cell);
  std::optional<Cell> nearest;
  for (int dy = -kSnapCells; dy <= kSnapCells; ++dy) {
    for (int dx = -kSnapCells; dx <= kSnapCells; ++dx) {
      if (!ground.on_map(at.x + dx, at.y + dy)) continue;
      const Cell c = ground.cell(at.x + dx, at.y + dy);
      const double least = nearest ? straight(from, *nearest) : kSnapCells + 1e-9;
      if (ground.free(c) && straight(from, c) < least) nearest = c;
    }
  }
  return nearest;
}

// Returns whether `revision` changed the verdict of this agent, at this position, at once.
bool Judge::concerned(const Agent& agent, const Position& position, std::uint64_t revision,
                      Cause cause) {
  const Held& held = agent.held;
  const int view = agent.spec.view;
  if (cause == Cause::kStartClosed) {
    return oracle_.ground(view, revision - 1).free(position.cell) &&
           !oracle_.ground(view, revision).free(position.cell);
  }
  const bool walking = held.standing == Standing::kPath || held.standing == Standing::kPartial;
  const auto at =
      walking && !held.broken && !held.left ? agent.place_at(position.sequence) : std::nullopt;
  if (!at) return false;
  const double before = cost_of(oracle_.ground(view, revision - 1), held.route, *at);
  const double after = cost_of(oracle_.ground(view, revision), held.route, *at);
  if (before == kInfinity || !is_line_open(agent, revision - 1, *at)) return false;
  const bool is_open = after < kInfinity && is_line_open(agent, revision, *at);
  return cause == Cause::kBroken ? !is_open : is_open && !same_cost(before, after);
}

void Judge::on_commit() {
  const std::uint64_t revision = world_.revision();
  for (auto& entry : agents_) {
    const auto id = entry.first;
    auto& agent = entry.second;
    if (agent.removing || agent.asked_at > claim_.applied || agent.held.standing == Standing::kNone)
      continue;
    for (const Cause cause : {Cause::kStartClosed, Cause::kBroken, Cause::kDearer}) {
      const bool everywhere = std::all_of(
          agent.positions.begin(), agent.positions.end(),
          [&](const Position& position) { return concerned(agent, position, revision, cause); });
      if (!everywhere) continue;
      notices_.push_back({id, revision, agent.heard, cause});
      break;
    }
  }
}

void Judge::check_notices() {
  for (const Notice& notice : notices_) {
    const auto found = agents_.find(notice.agent);
    if (found == agents_.end() || found->second.heard > notice.heard) continue;
    const std::string at = " at revision " + std::to_string(notice.revision);
    switch (notice.cause) {
      case Cause::kBroken:
        defect(Defect::kInvalidPath, found->second,
               "its path was closed" + at + "; no INVALIDATED came");
        break;
      case Cause::kDearer:
        defect(Defect::kWrong, found->second,
               "its path's cost changed" + at + "; no COST_CHANGED came");
        break;
      case Cause::kStartClosed:
        defect(Defect::kWrong, found->second,
               "its cell was closed" + at + "; no START_BLOCKED came");
        break;
    }
  }
  notices_.clear();
}

}  // namespace repath::verify
