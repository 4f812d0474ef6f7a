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
    while (agent.positions.size() > 1 && agent.positions[1].sequence <= claim_.applied) {
      agent.positions.pop_front();
    }
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

}  // namespace repath::verify
