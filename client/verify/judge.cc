#include "verify/judge.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace repath::verify {
namespace {

// The server's integer costs are within 4e-7 of the true ones, each step.
constexpr double kRelative = 1e-6;
constexpr double kAbsolute = 1e-6;

double slack(double cost) { return kAbsolute + kRelative * std::abs(cost); }

}  // namespace

bool same_cost(double a, double b) { return a == b || std::abs(a - b) <= slack(std::max(a, b)); }

bool less_cost(double a, double b) { return a < b && !same_cost(a, b); }

void Judge::defect(Defect kind, const Agent& agent, const std::string& what) {
  tally_.add(kind, agent.id, what);
}

std::string Judge::place(Cell cell) const {
  const int stride = world_.width() + 2;
  return "(" + std::to_string(cell % stride - 1) + "," + std::to_string(cell / stride - 1) + ")";
}

void Judge::check_order(const v1::EventBatch& batch) {
  const auto complain = [&](const std::string& what) {
    tally_.add(Defect::kWrong, 0, "batch " + std::to_string(batch.batch_number()) + ": " + what);
  };
  if (batch.batch_number() != claim_.batch + 1)
    complain("is not the one after " + std::to_string(claim_.batch));
  if (batch.revision() < claim_.revision) complain("the revision fell");
  if (batch.revision() > world_.revision()) complain("names a revision that does not exist yet");
  if (batch.settled_revision() > batch.revision())
    complain("settled_revision is ahead of the revision");
  if (batch.applied_sequence() < claim_.applied) complain("applied_sequence fell");
  const bool acted = last_action_ > claim_.applied;
  if (batch.settled_revision() < claim_.settled && !acted) {
    complain("settled_revision fell from " + std::to_string(claim_.settled) + " to " +
             std::to_string(batch.settled_revision()) + " though nobody joined or changed");
  }
}

void Judge::steady(Agent& agent, const Claim& claim) const {
  if (agent.disturbed_at <= claim.applied && agent.steady_after < agent.disturbed_at) {
    agent.steady_after = agent.disturbed_at;
    agent.steady_from = claim.revision;
  }
}

void Judge::on_batch(const v1::EventBatch& batch, std::uint64_t applied) {
  check_order(batch);
  for (const v1::PathEvent& event : batch.events()) on_event(event, batch, applied);
  claim_ = {batch.settled_revision(), batch.applied_sequence(), batch.revision(),
            batch.batch_number()};
  for (auto& [id, agent] : agents_) {
    steady(agent, claim_);
    agent.forget_before(claim_.applied);
  }
  check_some_claims();
}

void Judge::on_restart(std::set<std::uint64_t> removed_again) {
  claim_ = {};
  notices_.clear();
  removed_again_ = std::move(removed_again);
}

void Judge::on_tick(const v1::TickResponse& answer) {
  tally_.max_wait_frames = std::max(tally_.max_wait_frames, answer.oldest_wait_frames());
  if (answer.revision() != world_.revision()) {
    tally_.add(Defect::kWrong, 0,
               "Tick names revision " + std::to_string(answer.revision()) + ", not " +
                   std::to_string(world_.revision()));
  }
  if (answer.last_batch_number() > claim_.batch)
    return;  // its claim is about batches that are not read yet
  const Claim claim{answer.settled_revision(), answer.applied_sequence(), answer.revision(),
                    answer.last_batch_number()};
  if (claim.applied < claim_.applied) return;
  for (auto& [id, agent] : agents_) {
    steady(agent, claim);
    check_claim(agent, claim, false);
  }
}

bool Judge::exempt(const Agent& agent, const Position& position) const {
  const bool older = position.follows < agent.held.version;
  const bool told = agent.held.acknowledged != 0 && agent.held.acknowledged < position.sequence;
  return older && !told;
}

// Returns the places on the held path that the named position may be: its beginning if the agent
// has not reached the path yet. Empty: it is off the path.
std::vector<int> Judge::places_on_route(const Case& c) const {
  const Held& held = c.agent.held;
  const bool snapped = (held.standing == Standing::kStartBlocked ||
                        (held.standing == Standing::kPartial && c.agent.spec.snap)) &&
                       held.has_route();
  std::vector<int> places = c.agent.places_in(c.cell);
  if (places.empty() && snapped) places.push_back(0);
  return places;
}

// Returns the cost of the held path from the named position, at the event's revision. Several
// places may have that position: the one whose cost is nearest to `said` counts. Empty: it is off
// the path.
std::optional<double> Judge::held_cost(const Case& c, double said) {
  const Ground& ground = oracle_.ground(c.agent.spec.view, c.event.revision());
  std::optional<double> nearest;
  for (const int place : places_on_route(c)) {
    const double cost = cost_of(ground, c.agent.held.route, place);
    if (!nearest || std::abs(cost - said) < std::abs(*nearest - said)) nearest = cost;
  }
  return nearest;
}

}  // namespace repath::verify
