#include "grid_ground/settlers/recaller.h"

#include <algorithm>
#include <span>
#include <utility>

#include "grid_ground/changed_steps.h"
#include "grid_ground/fall_filter.h"
#include "grid_ground/settling.h"

namespace repath {
namespace {

// Returns whether `later` put back what `earlier` changed, and nothing else.
bool undoes(std::span<const EdgeChange> later, std::span<const EdgeChange> earlier) {
  return std::ranges::equal(later, earlier, [](const EdgeChange& a, const EdgeChange& b) {
    return edge_key(a) == edge_key(b) && a.before == b.after && a.after == b.before;
  });
}

// Returns the cost of the steps before the changes. A step that did not change costs the same
// today.
Cost cost_then(std::span<const EdgeChange> changes, const PlaceBox& box, const GridGraph& graph,
               std::span<const NodeId> nodes) {
  if (changes.empty()) return cost_of_open(graph, nodes);
  Cost sum = 0;
  std::size_t first = 0;  // first unchanged step that is not counted yet
  for_each_changed_step(graph.layer(), changes, box, nodes, 0, nodes.size() - 1,
                        [&](std::size_t i, const EdgeChange& change) {
                          sum += cost_of_open(graph, nodes.subspan(first, i + 1 - first));
                          sum += change.before;
                          first = i + 1;
                        });
  return sum + cost_of_open(graph, nodes.subspan(first));
}

// Adds to the path's cost today the differences of its steps that changed, and notes the gap of
// closed steps.
void cross(std::span<const EdgeChange> changes, const PlaceBox& box, const GridLayer& layer,
           std::span<const NodeId> nodes, Recalled* out) {
  for_each_changed_step(layer, changes, box, nodes, out->at, nodes.size() - 1,
                        [&](std::size_t i, const EdgeChange& change) {
                          if (change.after != kUnreachable) {
                            out->held += change.after - change.before;  // modulo 2^64, exact
                          } else if (!out->gap) {
                            out->gap = {i, i};
                          } else {
                            out->gap->last = i;
                          }
                        });
}

}  // namespace

bool may_count_again(const DeltaLog& log, ViewId view, const ProvedPath& path) {
  if (path.spoiled == ProvedPath::Spoiled::kNo || !log.covers(view, path.looked_at)) return true;
  const bool is_closed = path.spoiled == ProvedPath::Spoiled::kClosed;
  bool may = false;
  log.for_each_after(view, path.looked_at, [&](const LoggedDelta& logged) {
    may |= !(is_closed ? logged.delta.fallen : logged.delta.risen).empty();
  });
  return may;
}

// Merges `net_` with the later changes, both sorted by edge. If an edge changed twice, the first
// `before` and the last `after` are kept. The edge is dropped if these are equal.
void Recaller::add(std::span<const EdgeChange> later) {
  if (net_.empty()) {
    net_.assign(later.begin(), later.end());
    return;
  }
  spare_.clear();
  spare_.reserve(net_.size() + later.size());
  auto old = net_.begin();
  for (const EdgeChange& change : later) {
    const std::uint64_t key = edge_key(change);
    while (old != net_.end() && edge_key(*old) < key) spare_.push_back(*old++);
    if (old == net_.end() || edge_key(*old) != key) {
      spare_.push_back(change);
      continue;
    }
    if (old->before != change.after) {
      spare_.push_back(change);
      spare_.back().before = old->before;
    }
    ++old;
  }
  spare_.insert(spare_.end(), old, net_.end());
  net_.swap(spare_);
}

// Adds up all deltas since `since`. Returns false if they are too many. Changes that were made and
// undone at once, as by a door, are not looked at further.
bool Recaller::add_up(const DeltaLog& log, ViewId view, Revision since) {
  std::size_t edges = 0;
  parts_.clear();
  const auto take = [&](const std::vector<EdgeChange>& changes) {
    edges += changes.size();
    if (changes.empty() || edges > kRecallEdgesMax) return;
    if (!parts_.empty() && undoes(changes, parts_.back())) {
      parts_.pop_back();
    } else {
      parts_.push_back(changes);
    }
  };
  log.for_each_after(view, since, [&](const LoggedDelta& logged) {
    take(logged.delta.risen);
    take(logged.delta.fallen);
  });
  if (edges > kRecallEdgesMax) return false;
  net_.clear();
  for (const std::span<const EdgeChange> part : parts_) add(part);
  return true;
}

std::optional<Recalled> Recaller::recall(const DeltaLog& log, ViewId view, const GridGraph& graph,
                                         const Goals& goals, const ProvedPath& path, NodeId origin,
                                         std::uint64_t* tests) {
  if (!log.covers(view, path.revision)) return std::nullopt;
  const auto at = std::ranges::find(path.nodes, origin);
  *tests += static_cast<std::uint64_t>(at - path.nodes.begin());
  if (at == path.nodes.end() || !add_up(log, view, path.revision)) return std::nullopt;
  *tests += net_.size();
  Recalled out{static_cast<std::size_t>(at - path.nodes.begin()), path.cost, path.lower, {}};
  const PlaceBox box = box_of(graph.layer(), net_);
  const Cost walked = cost_then(net_, box, graph, std::span(path.nodes).first(out.at + 1));
  out.held -= walked;
  out.lower -= std::min(out.lower, walked);
  if (net_.empty()) return out;
  cross(net_, box, graph.layer(), path.nodes, &out);
  *tests += path.nodes.size() - out.at;
  std::erase_if(net_, [](const EdgeChange& change) { return change.after > change.before; });
  if (net_.empty()) return out;
  const FallFilter falls(graph.layer(), goals.metric(), net_);
  const Rival rival = falls.to_goals(place_of(graph.layer(), origin), goals, out.lower, tests);
  if (rival.edge != nullptr) out.lower = rival.cost;
  return out;
}

}  // namespace repath
