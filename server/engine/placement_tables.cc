#include "engine/placement_tables.h"

#include "base/check.h"
#include "base/equal_run.h"
#include "grid/cells/snap.h"

namespace repath {
namespace {

// Returns the components of the view, all found.
ComponentMap whole_components(const PlacementView& view) {
  if (view.components && view.components->find_all()) return *view.components;
  // None are kept, or the memory for kept facts is full; this map is not kept.
  constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};
  ComponentMap components(view.layer, view.topology, Cow<FactMemory>(new FactMemory(kNoLimit)));
  REPATH_CHECK(components.find_all());
  return components;
}

}  // namespace

NodeId origin_of(const PlacementAgent& agent, const GridLayer& layer) {
  if (layer.is_free(agent.node)) return agent.node;
  if (!agent.snaps) return kNoNode;
  return nearest_free_cell(layer, agent.point, kSnapCellsMax).value_or(kNoNode);
}

PlacementTables::PlacementTables(const PlacementView& view, TowerSize size)
    : view_(view), components_(whole_components(view)), marked_(view.layer) {
  for (const bool odd : {false, true})
    if (!odd || view.topology == Topology::kHex)
      prints_[odd ? 1 : 0] = make_tower_print(size, view.disc, view.topology, odd);
  std::vector<std::vector<PartGoal>> goals(view.goals.size());
  for (std::size_t i = 0; i < goals.size(); ++i) {
    for (const NodeId goal : view.goals[i]->nodes().nodes())
      if (view.layer.is_free(goal)) goals[i].emplace_back(component_of(goal), goal);
    std::ranges::sort(goals[i]);
  }
  std::vector<std::map<Component, std::uint32_t>> groups(goals.size());
  for (std::uint32_t agent = 0; agent < view.agents.size(); ++agent)
    add_agent(agent, &goals, &groups);
  std::ranges::sort(agents_, {}, [](const AgentAt& a) { return std::pair(a.cell, a.agent); });
  std::ranges::sort(goals_, {}, [](const GoalAt& g) { return std::pair(g.cell, g.group); });
  std::ranges::sort(parts_);
  parts_.erase(std::unique(parts_.begin(), parts_.end()), parts_.end());
}

void PlacementTables::add_agent(std::uint32_t agent, std::vector<std::vector<PartGoal>>* goals,
                                std::vector<std::map<Component, std::uint32_t>>* groups) {
  const PlacementAgent& spec = view_.agents[agent];
  const NodeId origin = origin_of(spec, view_.layer);
  if (origin == kNoNode) return;
  const Component part = component_of(origin);
  const auto reached = equal_run((*goals)[spec.goals], part, &PartGoal::first);
  if (reached.empty()) return;
  const auto next = static_cast<std::uint32_t>(groups_.size());
  const auto [group, is_new] = (*groups)[spec.goals].try_emplace(part, next);
  if (is_new) {
    groups_.push_back({static_cast<std::uint32_t>(reached.size()), 0});
    parts_.push_back(part);
    for (const PartGoal& goal : reached) {
      goals_.push_back({goal.second, group->second});
      marked_.add(place_of(view_.layer, goal.second));
    }
  }
  ++groups_[group->second].agents;
  agents_.push_back({origin, agent, group->second});
  marked_.add(place_of(view_.layer, origin));
}

}  // namespace repath
