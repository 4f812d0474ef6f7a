#include "verify/graph_model.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <queue>
#include <set>
#include <vector>

namespace repath::verify {
namespace {

double distance(const Spot& a, const Spot& b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

// The server compares widths in thousandths of a unit.
long thousandths(double width) { return std::lround(width * 1000); }

}  // namespace

std::vector<GraphWalker> walkers_for(const GraphEdits& edits) {
  std::vector<GraphWalker> walkers{{}};
  if (edits.widths) walkers.push_back({.name = "r1", .radius = 0.4});
  if (edits.kinds) walkers.push_back({.name = "cart", .exclude = 2, .factors = {{1, 2.5}}});
  if (edits.kinds && edits.widths)
    walkers.push_back({.name = "wagon", .radius = 0.6, .exclude = 2, .factors = {{2, 1.5}}});
  return walkers;
}

GraphModel::GraphModel(std::string_view file, const GraphEdits& edits)
    : edits_(edits), walkers_(walkers_for(edits)) {
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
    message.set_area(edge.value("area", 0u));
    message.set_flags(edge.value("flags", 1u));
    message.set_key(edge.value("key", 0u));
    message.set_width(edge.value("width", 0.0));
    set_edge(graph, message);
  }
}

const GraphModel::Graph& GraphModel::at(std::uint64_t revision) const {
  return std::prev(graphs_.upper_bound(revision))->second;
}

double GraphModel::Graph::cost_for(const GraphWalker& walker, const Name& name,
                                   const Edge& edge) const {
  if (!edge.enabled || !nodes.at(std::get<0>(name)).enabled || !nodes.at(std::get<1>(name)).enabled)
    return kNoWay;
  if (edge.flags == 0 || (edge.flags & walker.exclude) != 0) return kNoWay;
  const bool fits = edge.width == 0 || thousandths(edge.width) >= thousandths(2 * walker.radius);
  if (!fits) return kNoWay;
  const auto factor = walker.factors.find(edge.area);
  return factor == walker.factors.end() ? edge.cost : edge.cost * factor->second;
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
  const Edge made{edge.has_cost() ? edge.cost() : length, !edge.disabled(), edge.area(),
                  edge.flags() == 0 ? 1 : edge.flags(), edge.width()};
  graph.edges[{edge.from(), edge.to(), edge.key()}] = made;
  if (edge.both()) graph.edges[{edge.to(), edge.from(), edge.key()}] = made;
}

void GraphModel::edit(Graph& graph, const v1::GraphEdit& edit) {
  const auto named = [](const auto& edge) { return Name{edge.from(), edge.to(), edge.key()}; };
  switch (edit.edit_case()) {
    case v1::GraphEdit::kSwitchNode:
      graph.nodes.at(edit.switch_node().id()).enabled = edit.switch_node().enabled();
      break;
    case v1::GraphEdit::kSetEdge:
      set_edge(graph, edit.set_edge());
      break;
    case v1::GraphEdit::kRemoveEdge:
      graph.edges.erase(named(edit.remove_edge()));
      break;
    case v1::GraphEdit::kSwitchEdge:
      graph.edges.at(named(edit.switch_edge())).enabled = edit.switch_edge().enabled();
      break;
    case v1::GraphEdit::kSetCost:
      graph.edges.at(named(edit.set_cost())).cost = edit.set_cost().cost();
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
GraphModel::Name GraphModel::edge_near(const std::vector<Spot>& spots, Dice& dice) const {
  const Graph& now = graphs_.rbegin()->second;
  const auto any = [&] {
    auto it = now.edges.begin();
    std::advance(it, dice.below(static_cast<int>(now.edges.size())));
    return it->first;
  };
  if (spots.empty() || dice.chance(0.3)) return any();
  const Id node = now.nearest(dice.pick(spots));
  std::vector<Name> out;
  for (auto it = now.edges.lower_bound({node, 0, 0});
       it != now.edges.end() && std::get<0>(it->first) == node; ++it)
    out.push_back(it->first);
  return out.empty() ? any() : dice.pick(out);
}

// Lays an edge parallel to another one, or replaces that one by an edge of another kind or width.
// Widths lie on both sides of the walkers' radii and diameters.
v1::GraphEdit GraphModel::laid_edge(const Name& beside, Dice& dice) const {
  constexpr double kWidths[] = {0, 0.3, 0.5, 0.7, 0.799, 0.8, 1, 1.2, 3};
  const Graph& now = graphs_.rbegin()->second;
  const auto& [from, to, key] = beside;
  const Edge& edge = now.edges.at(beside);
  v1::GraphEdit edit;
  v1::GraphEdge& laid = *edit.mutable_set_edge();
  laid.set_from(from);
  laid.set_to(to);
  laid.set_key(edits_.kinds ? static_cast<std::uint32_t>(dice.below(3)) : key);
  laid.set_cost(std::min(1e4, edge.cost * (0.5 + dice.unit()) + 0.1));
  laid.set_both(dice.chance(0.5));
  laid.set_disabled(dice.chance(0.1));
  if (edits_.kinds) {
    laid.set_area(static_cast<std::uint32_t>(dice.below(3)));
    laid.set_flags(static_cast<std::uint32_t>(dice.between(1, 3)));
  }
  if (edits_.widths) laid.set_width(kWidths[dice.below(std::size(kWidths))]);
  return edit;
}

// Lays an edge between two nodes of a graph that has none. Switches a node if it has no other.
v1::GraphEdit GraphModel::first_edge(const Graph& now, Dice& dice) {
  const auto count = static_cast<int>(now.nodes.size());
  const int from = dice.below(count);
  const auto id = [&](int place) { return std::next(now.nodes.begin(), place % count)->first; };
  v1::GraphEdit edit;
  if (count == 1) {
    edit.mutable_switch_node()->set_id(id(from));
    edit.mutable_switch_node()->set_enabled(dice.chance(0.5));
    return edit;
  }
  edit.mutable_set_edge()->set_from(id(from));
  edit.mutable_set_edge()->set_to(id(from + dice.between(1, count - 1)));
  edit.mutable_set_edge()->set_both(dice.chance(0.5));
  return edit;
}

v1::GraphEdit GraphModel::next_edit(const std::vector<Spot>& spots, Dice& dice) const {
  const Graph& now = graphs_.rbegin()->second;
  if (now.edges.empty()) return first_edge(now, dice);
  const Name name = edge_near(spots, dice);
  if ((edits_.kinds || edits_.widths) && dice.chance(0.4)) return laid_edge(name, dice);
  const auto& [from, to, key] = name;
  const Edge& edge = now.edges.at(name);
  v1::GraphEdit edit;
  const double what = dice.unit();
  if (what < 0.5) {
    edit.mutable_switch_edge()->set_from(from);
    edit.mutable_switch_edge()->set_to(to);
    edit.mutable_switch_edge()->set_key(key);
    edit.mutable_switch_edge()->set_enabled(!edge.enabled);
  } else if (what < 0.8) {
    edit.mutable_set_cost()->set_from(from);
    edit.mutable_set_cost()->set_to(to);
    edit.mutable_set_cost()->set_key(key);
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

// Shuts or opens a node near one of the spots, or all edges that lead to it.
void GraphModel::cut_off_node(const std::vector<Spot>& spots, Dice& dice,
                              v1::ChangeBatch* batch) const {
  const Graph& now = graphs_.rbegin()->second;
  const Spot spot = spots.empty() ? some_place_of(now, dice) : dice.pick(spots);
  const auto to = std::ranges::min_element(
      now.nodes, {}, [&](const auto& node) { return distance(spot, node.second.at); });
  if (dice.chance(0.5)) {
    v1::GraphEdit::Switch& edit = *batch->add_graph_edits()->mutable_switch_node();
    edit.set_id(to->first);
    edit.set_enabled(!to->second.enabled);
    return;
  }
  const bool opens = dice.chance(0.3);
  for (const auto& [name, edge] : now.edges) {
    if (std::get<1>(name) != to->first) continue;
    v1::GraphEdit::SwitchEdge& edit = *batch->add_graph_edits()->mutable_switch_edge();
    edit.set_from(std::get<0>(name));
    edit.set_to(std::get<1>(name));
    edit.set_key(std::get<2>(name));
    edit.set_enabled(opens);
  }
}

v1::ChangeBatch GraphModel::next_change(const std::vector<Spot>& spots, Dice& dice) {
  v1::ChangeBatch batch;
  if (edits_.cuts && dice.chance(0.5)) cut_off_node(spots, dice, &batch);
  if (batch.graph_edits_size() > 0) return batch;
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

Spot GraphModel::place_beside(int, const Spot& at) {
  Spot best = at;
  double least = kNoWay;
  for (const auto& [id, node] : graphs_.rbegin()->second.nodes) {
    const double d = distance(at, node.at);
    if (!node.enabled || d == 0 || d >= least) continue;
    least = d;
    best = node.at;
  }
  return best;
}

bool GraphModel::stands(int, std::uint64_t revision, const Spot& spot) {
  return at(revision).nearest(spot) != 0;
}

Spot GraphModel::settled_at(int, std::uint64_t revision, const Spot& spot) {
  const Graph& graph = at(revision);
  const Id node = graph.nearest(spot);
  return node == 0 ? spot : graph.nodes.at(node).at;
}

Walked GraphModel::walk(int view, std::uint64_t revision, const Walk& walk) {
  const Graph& graph = at(revision);
  Walked walked;
  if (walk.nodes.size() != walk.points.size()) {
    walked.broken = 0;
    return walked;
  }
  const auto first = graph.nodes.find(walk.nodes.front());
  if (first == graph.nodes.end() || !first->second.enabled) walked.broken = 0;
  for (std::size_t i = 1; i < walk.nodes.size() && !walked.broken; ++i) {
    const std::uint32_t key = walk.keys.empty() ? 0 : walk.keys[i - 1];
    const auto edge = graph.edges.find({walk.nodes[i - 1], walk.nodes[i], key});
    const double cost = edge == graph.edges.end()
                            ? kNoWay
                            : graph.cost_for(walker(view), edge->first, edge->second);
    if (cost == kNoWay) {
      walked.broken = static_cast<int>(i);
    } else {
      walked.cost += cost;
    }
  }
  return walked;
}

Verdict GraphModel::cheapest(int view, std::uint64_t revision, const Spot& from, const Spot& to,
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
    for (auto it = graph.edges.lower_bound({node, 0, 0});
         it != graph.edges.end() && std::get<0>(it->first) == node; ++it) {
      const Id next = std::get<1>(it->first);
      const double sum = cost + graph.cost_for(walker(view), it->first, it->second);
      const auto known = best.find(next);
      if (sum == kNoWay || (known != best.end() && known->second <= sum)) continue;
      best[next] = sum;
      open.push({sum, next});
    }
  }
  return {};
}

Nearness GraphModel::nearness(int view, std::uint64_t revision, const Spot& from, const Spot& end,
                              const std::vector<Spot>& goals) {
  const Graph& graph = at(revision);
  const auto apart = [&](const Spot& spot) {
    double least = kNoWay;
    for (const Spot& goal : goals)
      least = std::min(least, distance(spot, settled_at(view, revision, goal)));
    return least;
  };
  std::vector<Id> met{graph.nearest(from)};
  std::set<Id> known(met.begin(), met.end());
  Nearness near{apart(end), kNoWay};
  for (std::size_t i = 0; i < met.size() && met[i] != 0; ++i) {
    near.least = std::min(near.least, apart(graph.nodes.at(met[i]).at));
    for (auto it = graph.edges.lower_bound({met[i], 0, 0});
         it != graph.edges.end() && std::get<0>(it->first) == met[i]; ++it)
      if (graph.cost_for(walker(view), it->first, it->second) < kNoWay &&
          known.insert(std::get<1>(it->first)).second)
        met.push_back(std::get<1>(it->first));
  }
  return near;
}

void GraphModel::forget_before(std::uint64_t revision) {
  auto keep = graphs_.upper_bound(revision);
  if (keep != graphs_.begin()) --keep;
  graphs_.erase(graphs_.begin(), keep);
}

}  // namespace repath::verify
