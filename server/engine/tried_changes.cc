#include "engine/tried_changes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/check.h"
#include "engine/tried_path.h"

namespace repath {
namespace {

// Units of work that the meter counts for an agent.
constexpr std::uint64_t kUnitsOfAgent = 64;
// The same for an expansion, in which ComponentMap counts the work of labels.
constexpr std::uint64_t kUnitsOfExpansion = 32;

// Labels all blocks and joins them. Returns false once the meter is over, or if the memory is full.
bool find_all(const ComponentMap& components, WorkMeter* meter) {
  for (std::uint32_t block = 0; block < components.block_count(); ++block)
    if (!meter->spend(kUnitsOfExpansion * components.units_to_label(block)) ||
        !components.label(block))
      return false;
  return meter->spend(kUnitsOfExpansion * components.units_to_join()) && components.join();
}

// Answers which cells of one layer can reach each other. On grids every step can be taken back, so
// cells reach each other if they are connected.
class Ground {
 public:
  Ground(const ComponentMap& components, const GridGraph& graph)
      : components_(components), layer_(graph.layer()), topology_(graph.topology()) {}

  const ComponentMap& components() const { return components_; }
  const GridLayer& layer() const { return layer_; }
  // False if either is blocked, or once the meter is over.
  bool connects(NodeId a, NodeId b, WorkMeter* meter) {
    ComponentMap::Answer answer = components_.ask(a, {&b, 1});
    if (answer == ComponentMap::Answer::kUnknown) {
      find_out(meter);
      answer = components_.ask(a, {&b, 1});
    }
    return answer == ComponentMap::Answer::kTogether;
  }
  // Returns whether a path leads from the cell to one of the goals, or false once the meter is
  // over. O(nodes of the goals), once for all cells that are connected. REQUIRES: the cell is free,
  // or kNoNode.
  bool leads(NodeId from, GoalsId id, const Goals& goals, WorkMeter* meter) {
    if (from == kNoNode) return false;
    if (!components_.is_joined()) find_out(meter);
    if (meter->is_over()) return false;
    const auto [known, is_new] = known_.try_emplace({id, components_.component_of(from)}, false);
    if (is_new) known->second = finds_goal(from, goals.nodes().nodes(), meter);
    return known->second;
  }

 private:
  bool finds_goal(NodeId from, std::span<const NodeId> cells, WorkMeter* meter) const {
    while (!cells.empty()) {
      const std::span<const NodeId> next = cells.first(std::min(cells.size(), kCellsOfLook));
      if (!meter->spend(next.size())) return false;
      if (components_.ask(from, next) == ComponentMap::Answer::kTogether) return true;
      cells = cells.subspan(next.size());
    }
    return false;
  }
  void find_out(WorkMeter* meter) {
    if (find_all(components_, meter) || meter->is_over()) return;
    // The memory for kept facts is full; this map of components is not kept.
    components_ = ComponentMap(layer_, topology_, Cow<FactMemory>(new FactMemory(kNoLimit)));
    REPATH_CHECK(find_all(components_, meter) || meter->is_over());
  }

  static constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};
  static constexpr std::size_t kCellsOfLook = 1024;

  ComponentMap components_;
  GridLayer layer_;
  Topology topology_;
  // Whether a path leads from the cells of a component to one of these goals.
  std::map<std::pair<GoalsId, ComponentMap::Component>, bool> known_;
};

// Returns the cell where the agent's path would begin; kNoNode: nowhere, or the meter is over. It
// counts a unit for each cell that is looked at.
NodeId start_on(const GridLayer& layer, const Agent& agent, WorkMeter* meter) {
  if (layer.is_free(agent.node)) return agent.node;
  if (!agent.spec.snap_start) return kNoNode;
  std::uint64_t cells = 0;
  const std::optional<NodeId> free =
      nearest_free_cell(layer, point_of(layer, agent), kSnapCellsMax, &cells);
  return meter->spend(cells) ? free.value_or(kNoNode) : kNoNode;
}

class Trial {
 public:
  Trial(const World& world, const StagedBatch& staged, std::span<const ViewComponents> known,
        WorkMeter* meter)
      : world_(world), staged_(staged), known_(known), meter_(*meter) {}

  Ground& before(ViewId view) {
    std::unique_ptr<Ground>& ground = before_[view];
    if (ground != nullptr) return *ground;
    const GridGraph graph = world_.graph(view);
    const auto known = std::ranges::find(known_, view, &ViewComponents::view);
    if (known != known_.end()) {
      ground = std::make_unique<Ground>(*known->components, graph);
    } else {
      ground = std::make_unique<Ground>(ComponentMap(graph.layer(), graph.topology()), graph);
    }
    return *ground;
  }
  // Returns the ground after the batch. Components are found on the layer before the batch, where
  // they are kept, and only the changed parts are updated.
  Ground& after(ViewId view) {
    const StagedBatch::View* changed = staged_.view(view);
    if (changed == nullptr) return before(view);
    std::unique_ptr<Ground>& ground = after_[view];
    if (ground != nullptr) return *ground;
    const GridGraph now = world_.graph(view);
    const GridGraph then(&changed->layer, now.topology(), now.corner_rule());
    find_all(before(view).components(), &meter_);
    ComponentMap components = before(view).components();
    components.update(changed->layer);
    ground = std::make_unique<Ground>(components, then);
    return *ground;
  }

 private:
  using ByView = std::map<ViewId, std::unique_ptr<Ground>>;

  const World& world_;
  const StagedBatch& staged_;
  std::span<const ViewComponents> known_;
  WorkMeter& meter_;
  ByView before_;
  ByView after_;
};

// Returns whether the batch would block the cell that the agent is on. No edge of a path tells that
// of an agent without a path, or at the end of its path.
bool buries(const StagedBatch& staged, const ReplanState& agents, Slot slot) {
  const AgentRow& row = agents.agents.row(slot);
  if (row.standing == Standing::kEmpty) return false;
  const StagedBatch::View* view = staged.view(row.view);
  return view != nullptr && !view->delta.blocked.empty() &&
         std::ranges::binary_search(view->delta.blocked, agents.agents[slot].node);
}

// Returns whether a free cell stands in for the blocked one that the agent is in, and its path
// would begin elsewhere.
bool moves_start(const StagedBatch& staged, const ReplanState& agents, Slot slot,
                 WorkMeter* meter) {
  const AgentRow& row = agents.agents.row(slot);
  if (row.standing != Standing::kPath && row.standing != Standing::kPartial) return false;
  const Agent& agent = agents.agents[slot];
  if (!is_off_ground(agent)) return false;
  const StagedBatch::View* view = staged.view(row.view);
  return view != nullptr && start_on(view->layer, agent, meter) != agent.origin;
}

// Returns the slots, ascending, of agents with a changed edge on their path, under which the ground
// would close, or whose path would begin elsewhere. Ends early once the meter is over.
std::vector<Slot> affected_by(const StagedBatch& staged, ReplanState& agents, WorkMeter* meter) {
  std::vector<PathHit> hits;
  for (const StagedBatch::View& view : staged.views()) {
    agents.index.find(view.delta.view, view.layer, view.delta.risen, &hits);
    agents.index.find(view.delta.view, view.layer, view.delta.fallen, &hits);
  }
  std::set<Slot> slots;
  for (const PathHit& hit : hits) slots.insert(hit.slot);
  for (Slot slot = 0; slot < agents.agents.rows().size() && !meter->is_over(); ++slot)
    if (buries(staged, agents, slot) || moves_start(staged, agents, slot, meter))
      slots.insert(slot);
  return {slots.begin(), slots.end()};
}

// Returns whether the batch blocks or frees cells of the view. Else it cuts no agent off.
bool changes_cells(const StagedBatch& staged, ViewId id) {
  const StagedBatch::View* view = staged.view(id);
  return view != nullptr && !(view->delta.blocked.empty() && view->delta.freed.empty());
}

// Returns whether the agent has a path to a goal and would have none. The verdict of a settled
// agent says whether it has one. For an agent that waits, the ground says whether there is one.
bool would_be_cut_off(const ReplanState& agents, Slot slot, Trial* trial, WorkMeter* meter) {
  const AgentRow& row = agents.agents.row(slot);
  if (row.settled && row.standing != Standing::kPath) return false;
  const auto has_path_on = [&](Ground& ground) {
    return ground.leads(start_on(ground.layer(), agents.agents[slot], meter), row.goals,
                        agents.goals_of(slot).goals, meter);
  };
  if (has_path_on(trial->after(row.view))) return false;
  return row.settled || has_path_on(trial->before(row.view));
}

// Returns the slots, ascending, of the agents that would be cut off. A settled agent has a path
// that stays open unless the batch affects it. Ends early once the meter is over.
std::vector<Slot> cut_off_by(const StagedBatch& staged, const ReplanState& agents,
                             std::span<const Slot> affected, Trial* trial, WorkMeter* meter) {
  std::vector<Slot> cut_off;
  const std::vector<AgentRow>& rows = agents.agents.rows();
  for (Slot slot = 0; slot < rows.size(); ++slot) {
    const AgentRow& row = rows[slot];
    if (row.standing == Standing::kEmpty || !changes_cells(staged, row.view)) continue;
    if (row.settled && !std::ranges::binary_search(affected, slot)) continue;
    if (!meter->spend(kUnitsOfAgent)) break;
    if (would_be_cut_off(agents, slot, trial, meter)) cut_off.push_back(slot);
  }
  return cut_off;
}

// Returns the ids of the agents, ascending.
std::vector<AgentId> ids_of(const AgentTable& agents, std::span<const Slot> slots) {
  std::vector<AgentId> ids;
  ids.reserve(slots.size());
  for (const Slot slot : slots) ids.push_back(agents[slot].spec.id);
  std::ranges::sort(ids);
  return ids;
}

// Returns what queries read of the layers after the batch.
class SnapshotsAfter {
 public:
  SnapshotsAfter(const World& world, const StagedBatch& staged) : world_(world), staged_(staged) {}

  AnySnapshot of(ViewId view) {
    std::shared_ptr<const Snapshot>& made = made_[view];
    if (made == nullptr) {
      const GridGraph graph = world_.graph(view);
      const StagedBatch::View* changed = staged_.view(view);
      made = std::make_shared<const Snapshot>(
          Snapshot{world_.revision(), changed == nullptr ? graph.layer() : changed->layer,
                   graph.topology(), graph.corner_rule(), world_.cell_size()});
    }
    return {made->revision, /*is_final=*/true, made, nullptr};
  }

 private:
  const World& world_;
  const StagedBatch& staged_;
  std::map<ViewId, std::shared_ptr<const Snapshot>> made_;
};

}  // namespace

std::vector<const AgentSpec*> agents_of_views(const StagedBatch& staged,
                                              const ReplanState& agents) {
  std::map<ViewId, const AgentSpec*> specs;
  const std::vector<AgentRow>& rows = agents.agents.rows();
  for (Slot slot = 0; slot < rows.size(); ++slot) {
    if (rows[slot].standing == Standing::kEmpty || !changes_cells(staged, rows[slot].view))
      continue;
    const AgentSpec& spec = agents.agents[slot].spec;
    if (!spec.stands) specs.try_emplace(rows[slot].view, &spec);
  }
  std::vector<const AgentSpec*> list;
  list.reserve(specs.size());
  for (const auto& [view, spec] : specs) list.push_back(spec);
  return list;
}

TestAnswer try_changes(const World& world, const StagedBatch& staged, const TestChanges& command,
                       const std::vector<ViewId>& pair_views, std::span<const ViewComponents> known,
                       ReplanState& agents, WorkMeter* meter) {
  TestAnswer answer;
  Trial trial(world, staged, known, meter);
  for (std::size_t i = 0; i < command.pairs.size(); ++i) {
    const TestChanges::Pair& pair = command.pairs[i];
    const GridLayer& layer = world.layer(pair_views[i]);
    const NodeId from = node_at(layer, pair.from);
    const NodeId to = node_at(layer, pair.to);
    answer.pairs.push_back({trial.before(pair_views[i]).connects(from, to, meter),
                            trial.after(pair_views[i]).connects(from, to, meter)});
    if (meter->is_over()) return answer;
  }
  for (const StagedBatch::View& view : staged.views())
    answer.changed_edges += view.delta.risen.size() + view.delta.fallen.size();
  const std::vector<Slot> affected = affected_by(staged, agents, meter);
  const std::vector<Slot> cut_off = cut_off_by(staged, agents, affected, &trial, meter);
  std::vector<Slot> concerned;
  std::ranges::set_union(affected, cut_off, std::back_inserter(concerned));
  const std::vector<AgentId> led = fill_agents(ids_of(agents.agents, concerned),
                                               ids_of(agents.agents, cut_off), command, &answer);
  SnapshotsAfter after(world, staged);
  for (const AgentId id : led) {
    const Slot slot = *agents.agents.find(id);
    const Agent& agent = agents.agents[slot];
    const ViewId view = agents.agents.row(slot).view;
    answer.new_paths.push_back(
        {id, query_of(agent.spec, point_of(world.layer(view), agent)), after.of(view)});
  }
  return answer;
}

}  // namespace repath
