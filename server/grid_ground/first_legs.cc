#include "grid_ground/first_legs.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace repath {
namespace {

constexpr double kWeight = 1.5;
constexpr std::uint64_t kFactCellsPerUnit = 2;  // expanded within clusters, that take as long
constexpr std::uint64_t kCopiedBytesPerUnit = 1u << 13;  // of the clusters' places
constexpr std::size_t kGoalNodesMax = 64;                // number of nodes that a leg may lead to
constexpr std::uint64_t kCellsMin = 64;  // length of a way for the least price of a leg
constexpr std::uint64_t kCellsRemembered = 1u << 20;

// Returns at most kGoalNodesMax of the free goal nodes, spread over all of them.
GoalSet some_of(const GoalSet& goals, const GridLayer& layer) {
  std::vector<NodeId> nodes;
  for (const NodeId node : goals.nodes())
    if (layer.is_free(node)) nodes.push_back(node);
  const std::size_t stride = (nodes.size() + kGoalNodesMax - 1) / kGoalNodesMax;
  std::vector<NodeId> some;
  for (std::size_t i = 0; i < nodes.size(); i += stride) some.push_back(nodes[i]);
  return GoalSet(std::move(some));
}

}  // namespace

bool FirstLegs::may_lead_any() const {
  return static_cast<std::uint64_t>(s_.world.width()) *
             static_cast<std::uint64_t>(s_.world.height()) >=
         s_.options.first_leg_cells;
}

bool FirstLegs::may_lead(Slot slot) const {
  const Agent& agent = s_.agents[slot];
  const bool has_path = agent.path.holds() && !agent.broken_at;
  return may_lead_any() && !has_path && agent.legs < Agent::kLegsMax && !agent.spec.crowd &&
         !agent.spec.curves && agent.origin == agent.node &&
         s_.layer_of(slot).is_free(agent.node) &&
         s_.world.graph(s_.agents.row(slot).view).topology() != Topology::kHex;
}

std::uint64_t FirstLegs::cells_of(Slot slot) const {
  const Cost least = s_.goals_of(slot).goals.bound(s_.agents.row(slot).origin);
  return std::max(kCellsMin, least / kStraightStep);
}

WorkUnits FirstLegs::price(Slot slot) const {
  return s_.options.leads_always() ? 1 : cells_of(slot) * units_ / cells_;
}

void FirstLegs::drop_in_vain() {
  if (leg_ != nullptr && is_in_vain()) end();
}

void FirstLegs::forget(Slot slot) {
  if (leg_ != nullptr && leg_->slot == slot) end();
}

void FirstLegs::end() {
  leg_.reset();
  s_.leg_bytes = 0;
}

bool FirstLegs::is_in_vain() const {
  const Agent& agent = s_.agents[leg_->slot];
  return agent.search_epoch != leg_->epoch || agent.legs == 0 ||
         (agent.path.holds() && !agent.broken_at) || !s_.queue.contains(leg_->slot);
}

void FirstLegs::begin(Slot slot, WorkUnits* units) {
  Agent& agent = s_.agents[slot];
  ++agent.legs;
  const AgentRow& row = s_.agents.row(slot);
  leg_ = std::make_unique<Leg>(slot, s_.clusters.take(row.view, s_.frame));
  leg_->epoch = agent.search_epoch;
  leg_->revision = s_.world.revision();
  leg_->cells = cells_of(slot);
  const std::uint64_t facts = s_.clusters.expanded();
  const GoalSet goals = some_of(s_.goals_of(slot).goals.nodes(), leg_->clusters.layer());
  leg_->search.emplace(leg_->clusters, agent.origin, goals, AStarWeight(kWeight));
  *units += 1 + leg_->clusters.bytes() / kCopiedBytesPerUnit + leg_->search->expanded() +
            (s_.clusters.expanded() - facts) / kFactCellsPerUnit;
}

std::optional<Slot> FirstLegs::advance(WorkUnits grant, Cost least, WorkUnits* units) {
  Progress progress = Progress::kOutOfBudget;
  HpaSearch& search = *leg_->search;
  for (WorkUnits used = 0; progress == Progress::kOutOfBudget && used < grant;) {
    const std::uint64_t expanded = search.expanded();
    const std::uint64_t facts = s_.clusters.expanded();
    auto left = static_cast<std::uint32_t>(
        std::min<WorkUnits>(grant - used, std::numeric_limits<std::uint32_t>::max()));
    progress = search.advance(&left);
    const WorkUnits now =
        1 + search.expanded() - expanded + (s_.clusters.expanded() - facts) / kFactCellsPerUnit;
    used += now;
    *units += now;
  }
  s_.leg_bytes = search.bytes();
  if (progress == Progress::kOutOfBudget) return std::nullopt;
  cells_ += leg_->cells;
  units_ += search.expanded();
  if (cells_ > kCellsRemembered) {
    cells_ /= 2;
    units_ /= 2;
  }
  std::optional<Slot> settled;
  if (progress == Progress::kPathFound) settled = tell(least, units);
  end();
  return settled;
}

// Up to the first goal it comes to.
std::optional<Slot> FirstLegs::tell(Cost least, WorkUnits* units) {
  const Slot slot = leg_->slot;
  std::vector<NodeId> nodes;
  leg_->search->append_path(&nodes);
  const GoalSet& goals = s_.goals_of(slot).goals.nodes();
  const auto goal = std::ranges::find_if(nodes, [&](NodeId n) { return goals.contains(n); });
  nodes.erase(goal + 1, nodes.end());
  const bool settles =
      settling_.lead(slot, std::move(nodes), leg_->clusters.graph(), leg_->revision, least, units);
  return settles ? std::optional(slot) : std::nullopt;
}

}  // namespace repath
