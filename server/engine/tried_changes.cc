#include "engine/tried_changes.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "search/node_pages.h"

namespace repath {
namespace {

// Which cells can reach each other. On grids every step can be taken back, so that is a matter of
// components; each is flooded once, when first asked about.
class Components {
 public:
  explicit Components(const GridGraph& graph) : graph_(graph), labels_(graph.node_count()) {}

  // False if either is blocked.
  bool connects(NodeId a, NodeId b) {
    return graph_.layer().is_free(a) && graph_.layer().is_free(b) && label_of(a) == label_of(b);
  }

 private:
  std::uint32_t label_of(NodeId n) {
    if (labels_.read(n) != 0) return labels_.read(n);
    labels_.touch(n) = ++last_;
    std::vector<NodeId> todo{n};
    while (!todo.empty()) {
      const NodeId u = todo.back();
      todo.pop_back();
      graph_.for_each_successor(u, [&](NodeId v, Cost) {
        if (labels_.read(v) != 0) return;
        labels_.touch(v) = last_;
        todo.push_back(v);
      });
    }
    return last_;
  }

  GridGraph graph_;
  NodePages<std::uint32_t> labels_;  // 0: not flooded yet
  std::uint32_t last_ = 0;
};

class Trial {
 public:
  Trial(const World& world, const StagedBatch& staged) : world_(world), staged_(staged) {}

  Components& before(ViewId view) { return find(&before_, view, world_.graph(view)); }
  Components& after(ViewId view) {
    const StagedBatch::View* changed = staged_.view(view);
    if (changed == nullptr) return before(view);
    const GridGraph now = world_.graph(view);
    return find(&after_, view, GridGraph(&changed->layer, now.topology(), now.corner_rule()));
  }

 private:
  using ByView = std::map<ViewId, std::unique_ptr<Components>>;
  static Components& find(ByView* by_view, ViewId view, const GridGraph& graph) {
    std::unique_ptr<Components>& components = (*by_view)[view];
    if (components == nullptr) components = std::make_unique<Components>(graph);
    return *components;
  }

  const World& world_;
  const StagedBatch& staged_;
  ByView before_;
  ByView after_;
};

// Agents with a changed edge on their path.
std::set<AgentId> affected_by(const StagedBatch& staged, ReplanState& agents) {
  std::vector<PathHit> hits;
  for (const StagedBatch::View& view : staged.views()) {
    agents.index.find(view.delta.view, view.layer, view.delta.risen, &hits);
    agents.index.find(view.delta.view, view.layer, view.delta.fallen, &hits);
  }
  std::set<AgentId> ids;
  for (const PathHit& hit : hits) ids.insert(agents.agents[hit.slot].spec.id);
  return ids;
}

NodeId node_at(MapPoint point, const World& world) {
  const auto x = static_cast<std::uint32_t>(point.x);
  const auto y = static_cast<std::uint32_t>(point.y);
  return NodeId{y * static_cast<std::uint32_t>(world.width()) + x};
}

bool would_be_cut_off(const ReplanState& agents, Slot slot, Trial* trial) {
  const AgentRow& row = agents.agents.row(slot);
  if (row.standing != Standing::kPath) return false;
  Components& after = trial->after(row.view);
  const NodeId origin = agents.agents[slot].origin;
  return std::ranges::none_of(agents.goals_of(slot).goals.nodes().nodes(),
                              [&](NodeId goal) { return after.connects(origin, goal); });
}

}  // namespace

void try_changes(const World& world, const StagedBatch& staged, const TestChanges& command,
                 const std::vector<ViewId>& pair_views, ReplanState& agents, TestAnswer* answer) {
  Trial trial(world, staged);
  for (std::size_t i = 0; i < command.pairs.size(); ++i) {
    const TestChanges::Pair& pair = command.pairs[i];
    const NodeId from = node_at(pair.from, world);
    const NodeId to = node_at(pair.to, world);
    answer->pairs.push_back({trial.before(pair_views[i]).connects(from, to),
                             trial.after(pair_views[i]).connects(from, to)});
  }
  for (const StagedBatch::View& view : staged.views())
    answer->changed_edges += view.delta.risen.size() + view.delta.fallen.size();
  for (const AgentId id : affected_by(staged, agents)) {
    if (answer->affected_agents.size() == command.max_agents) {
      answer->truncated = true;
      break;
    }
    answer->affected_agents.push_back(id);
    if (would_be_cut_off(agents, *agents.agents.find(id), &trial))
      answer->cut_off_agents.push_back(id);
  }
}

}  // namespace repath
