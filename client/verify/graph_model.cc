#include "verify/graph_model.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <queue>
#include <vector>

namespace repath::verify {
namespace {

double distance(const Spot& a, const Spot& b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

}  // namespace

GraphModel::GraphModel(std::string_view file) {
  const nlohmann::json json = nlohmann::json::parse(file);
  Graph& graph = graphs_[1];
  for (const auto& node : json.at("nodes")) {
    const auto& p = node.at("position");
    graph.nodes[node.at("id").get<Id>()] = {{p.at(0), p.at(1), p.at(2)},
                                            node.value("enabled", true)};
  }
  if (!json.contains("edges")) return;
  for (const auto& edge : json.at("edges")) {
    v1::GraphEdge message;
    message.set_from(edge.at("from").get<Id>());
    message.set_to(edge.at("to").get<Id>());
    if (edge.contains("cost")) message.set_cost(edge.at("cost").get<double>());
    message.set_both(edge.value("both", true));
    message.set_disabled(!edge.value("enabled", true));
    set_edge(graph, message);
  }
}

const GraphModel::Graph& GraphModel::at(std::uint64_t revision) const {
  return std::prev(graphs_.upper_bound(revision))->second;
}

bool GraphModel::Graph::is_open(Id from, Id to, const Edge& edge) const {
  return edge.enabled && nodes.at(from).enabled && nodes.at(to).enabled;
}

GraphModel::Id GraphModel::Graph::nearest(const Spot& at) const {
  Id best = 0;
  double least = kNoWay;
  for (const auto& [id, node] : nodes) {
    const double d = distance(at, node.at);
    if (!node.enabled || d >= least) continue;
    least = d;
    best = id;
  }
  return best;
}

void GraphModel::set_edge(Graph& graph, const v1::GraphEdge& edge) {
  const double length = distance(graph.nodes.at(edge.from()).at, graph.nodes.at(edge.to()).at);
  const Edge made{edge.has_cost() ? edge.cost() : length, !edge.disabled()};
  graph.edges[{edge.from(), edge.to()}] = made;
  if (edge.both()) graph.edges[{edge.to(), edge.from()}] = made;
}

void GraphModel::edit(Graph& graph, const v1::GraphEdit& edit) {
  switch (edit.edit_case()) {
    case v1::GraphEdit::kSwitchNode:
      graph.nodes.at(edit.switch_node().id()).enabled = edit.switch_node().enabled();
      break;
    case v1::GraphEdit::kSetEdge:
      set_edge(graph, edit.set_edge());
      break;
    case v1::GraphEdit::kRemoveEdge:
      graph.edges.erase({edit.remove_edge().from(), edit.remove_edge().to()});
      break;
    case v1::GraphEdit::kSwitchEdge:
      graph.edges.at({edit.switch_edge().from(), edit.switch_edge().to()}).enabled =
          edit.switch_edge().enabled();
      break;
    case v1::GraphEdit::kSetCost:
      graph.edges.at({edit.set_cost().from(), edit.set_cost().to()}).cost = edit.set_cost().cost();
      break;
    default:
      break;
  }
}

bool GraphModel::take(const v1::ChangeBatch& batch, std::uint64_t revision, std::string*) {
  Graph next = graphs_.rbegin()->second;
  for (const v1::GraphEdit& one : batch.graph_edits()) edit(next, one);
  graphs_[revision] = std::move(next);
  return true;
}

// Returns an edge out of a node near a spot.
std::pair<GraphModel::Id, GraphModel::Id> GraphModel::edge_near(const std::vector<Spot>& spots,
                                                                Dice& dice) const {
  const Graph& now = graphs_.rbegin()->second;
  const auto any = [&] {
    auto it = now.edges.begin();
    std::advance(it, dice.below(static_cast<int>(now.edges.size())));
    return it->first;
  };
  if (spots.empty() || dice.chance(0.3)) return any();
  const Id node = now.nearest(dice.pick(spots));
  std::vector<std::pair<Id, Id>> out;
  for (auto it = now.edges.lower_bound({node, 0}); it != now.edges.end() && it->first.first == node;
       ++it)
    out.push_back(it->first);
  return out.empty() ? any() : dice.pick(out);
}

v1::GraphEdit GraphModel::next_edit(const std::vector<Spot>& spots, Dice& dice) const {
  const Graph& now = graphs_.rbegin()->second;
  const auto [from, to] = edge_near(spots, dice);
  const Edge& edge = now.edges.at({from, to});
  v1::GraphEdit edit;
  const double what = dice.unit();
  if (what < 0.5) {
    edit.mutable_switch_edge()->set_from(from);
    edit.mutable_switch_edge()->set_to(to);
    edit.mutable_switch_edge()->set_enabled(!edge.enabled);
  } else if (what < 0.8) {
    edit.mutable_set_cost()->set_from(from);
    edit.mutable_set_cost()->set_to(to);
    edit.mutable_set_cost()->set_cost(std::min(1e4, edge.cost * (0.3 + 1.5 * dice.unit()) + 0.1));
  } else if (what < 0.9) {
    edit.mutable_switch_node()->set_id(from);
    edit.mutable_switch_node()->set_enabled(!now.nodes.at(from).enabled);
  } else if (now.nearest({}) != 0) {
    edit.mutable_set_edge()->set_from(from);
    edit.mutable_set_edge()->set_to(now.nearest(some_place_of(now, dice)));
    if (edit.set_edge().to() == from) edit.mutable_set_edge()->set_to(to);
    edit.mutable_set_edge()->set_both(dice.chance(0.5));
  } else {
    edit.mutable_switch_node()->set_id(from);
    edit.mutable_switch_node()->set_enabled(true);
  }
  return edit;
}

v1::ChangeBatch GraphModel::next_change(const std::vector<Spot>& spots, Dice& dice) {
  v1::ChangeBatch batch;
  const int edits = dice.chance(0.7) ? 1 : dice.between(2, 5);
  for (int i = 0; i < edits; ++i) *batch.add_graph_edits() = next_edit(spots, dice);
  return batch;
}

Spot GraphModel::some_place_of(const Graph& graph, Dice& dice) {
  auto it = graph.nodes.begin();
  std::advance(it, dice.below(static_cast<int>(graph.nodes.size())));
  return it->second.at;
}

Spot GraphModel::some_place(int, Dice& dice) {
  const Graph& now = graphs_.rbegin()->second;
  return settled_at(0, graphs_.rbegin()->first, some_place_of(now, dice));
}

bool GraphModel::stands(int, std::uint64_t revision, const Spot& spot) {
  return at(revision).nearest(spot) != 0;
}

Spot GraphModel::settled_at(int, std::uint64_t revision, const Spot& spot) {
  const Graph& graph = at(revision);
  const Id node = graph.nearest(spot);
  return node == 0 ? spot : graph.nodes.at(node).at;
}

Walked GraphModel::walk(int, std::uint64_t revision, const Walk& walk) {
  const Graph& graph = at(revision);
  Walked walked;
  if (walk.nodes.size() != walk.points.size()) {
    walked.broken = 0;
    return walked;
  }
  const auto first = graph.nodes.find(walk.nodes.front());
  if (first == graph.nodes.end() || !first->second.enabled) walked.broken = 0;
  for (std::size_t i = 1; i < walk.nodes.size() && !walked.broken; ++i) {
    const auto edge = graph.edges.find({walk.nodes[i - 1], walk.nodes[i]});
    if (edge == graph.edges.end() ||
        !graph.is_open(walk.nodes[i - 1], walk.nodes[i], edge->second)) {
      walked.broken = static_cast<int>(i);
    } else {
      walked.cost += edge->second.cost;
    }
  }
  return walked;
}

Verdict GraphModel::cheapest(int, std::uint64_t revision, const Spot& from, const Spot& to,
                             double bound) {
  const Graph& graph = at(revision);
  const Id start = graph.nearest(from);
  const Id goal = graph.nearest(to);
  if (start == 0 || goal == 0) return {};
  using Entry = std::pair<double, Id>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  std::map<Id, double> best{{start, 0.0}};
  open.push({0, start});
  while (!open.empty()) {
    const auto [cost, node] = open.top();
    open.pop();
    if (cost >= bound) break;
    if (node == goal) return {true, cost, {}};
    if (cost > best[node]) continue;
    for (auto it = graph.edges.lower_bound({node, 0});
         it != graph.edges.end() && it->first.first == node; ++it) {
      const Id next = it->first.second;
      if (!graph.is_open(node, next, it->second)) continue;
      const double sum = cost + it->second.cost;
      const auto known = best.find(next);
      if (known != best.end() && known->second <= sum) continue;
      best[next] = sum;
      open.push({sum, next});
    }
  }
  return {};
}

void GraphModel::forget_before(std::uint64_t revision) {
  auto keep = graphs_.upper_bound(revision);
  if (keep != graphs_.begin()) --keep;
  graphs_.erase(graphs_.begin(), keep);
}

}  // namespace repath::verify
