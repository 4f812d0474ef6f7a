#include "search/classic/floyd_warshall.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <tuple>

namespace repath {

std::vector<std::uint32_t> find_negative_cycle(std::uint32_t nodes,
                                               std::span<const PairEdge> edges) {
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  // Paths may begin anywhere at cost 0. A node whose cost still falls in round `nodes` is reached
  // from a negative cycle.
  std::vector<std::int64_t> cost(nodes, 0);
  std::vector<std::uint32_t> before(nodes, kNone);
  std::uint32_t fell = kNone;
  for (std::uint32_t round = 0; round < nodes; ++round) {
    fell = kNone;
    for (const PairEdge& edge : edges) {
      if (cost[edge.from] + edge.cost >= cost[edge.to]) continue;
      cost[edge.to] = cost[edge.from] + edge.cost;
      before[edge.to] = edge.from;
      fell = edge.to;
    }
    if (fell == kNone) return {};
  }
  if (fell == kNone) return {};
  for (std::uint32_t i = 0; i < nodes; ++i) fell = before[fell];
  std::vector<std::uint32_t> cycle;
  for (std::uint32_t n = fell; cycle.empty() || n != fell; n = before[n]) cycle.push_back(n);
  std::ranges::reverse(cycle);
  std::rotate(cycle.begin(), std::ranges::min_element(cycle), cycle.end());
  return cycle;
}

std::uint32_t FloydWarshall::nodes_for(std::uint64_t bytes) {
  const std::uint64_t pairs = bytes / sizeof(std::int32_t);
  auto nodes = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(pairs)) + PairTable::kSide);
  nodes -= nodes % PairTable::kSide;
  while (nodes > 0 && PairTable::bytes_for(nodes, PairTable::Width::k32) > bytes)
    nodes -= PairTable::kSide;
  return nodes;
}

FloydWarshall::FloydWarshall(std::uint32_t nodes, std::vector<PairEdge> edges)
    : edges_(std::move(edges)) {
  nodes_.reserve(nodes);
  for (std::uint32_t n = 0; n < nodes; ++n) nodes_.push_back(NodeId{n});
  for (const PairEdge& edge : edges_) REPATH_CHECK(edge.from < nodes && edge.to < nodes);
  begin();
}

std::uint32_t FloydWarshall::number_of(NodeId node) const {
  const auto place = std::ranges::lower_bound(nodes_, node);
  if (place == nodes_.end() || *place != node) return static_cast<std::uint32_t>(nodes_.size());
  return static_cast<std::uint32_t>(place - nodes_.begin());
}

void FloydWarshall::begin() {
  const auto n = static_cast<std::uint32_t>(nodes_.size());
  nodes_.shrink_to_fit();
  edges_.shrink_to_fit();
  std::ranges::sort(edges_, {},
                    [](const PairEdge& edge) { return std::tuple(edge.from, edge.to, edge.cost); });
  std::int64_t unit = 0;
  std::int64_t most = 0;
  bool has_negative = false;
  first_edge_.assign(std::size_t{n} + 1, 0);
  for (const PairEdge& edge : edges_) {
    ++first_edge_[edge.from + 1];
    unit = std::gcd(unit, edge.cost);
    most = std::max(most, std::abs(edge.cost));
    has_negative = has_negative || edge.cost < 0;
    has_free_edges_ = has_free_edges_ || edge.cost <= 0;
  }
  std::partial_sum(first_edge_.begin(), first_edge_.end(), first_edge_.begin());
  unit_ = std::max<std::int64_t>(unit, 1);
  for (PairEdge& edge : edges_) edge.cost /= unit_;
  const std::int64_t least_room = PairTable::cost_max(PairTable::Width::k32);
  if (n > 1 && most / unit_ > least_room / (n - 1)) width_ = PairTable::Width::k64;
  if (!has_negative) return;
  REPATH_CHECK(most <= (std::int64_t{1} << 62) / static_cast<std::int64_t>(n * edges_.size()));
  for (const std::uint32_t node : find_negative_cycle(n, edges_))
    negative_cycle_.push_back(nodes_[node]);
}

void FloydWarshall::fill_table() {
  table_ = PairTable(static_cast<std::uint32_t>(nodes_.size()), width_);
  for (const PairEdge& edge : edges_) table_.lower(edge.from, edge.to, edge.cost);
}

std::uint32_t FloydWarshall::pay(std::uint32_t* rows) {
  // The round's own strip has to be done before the others begin.
  const std::uint32_t end = place_ == 0 ? 1 : table_.strips();
  std::uint32_t count = 0;
  while (place_ + count < end) {
    const std::uint64_t price =
        std::uint64_t{table_.nodes_in(round_)} * table_.nodes_in(strip_at(place_ + count));
    const std::uint64_t part = std::min<std::uint64_t>(price - paid_, *rows);
    paid_ += part;
    rows_done_ += part;
    *rows -= static_cast<std::uint32_t>(part);
    if (paid_ < price) break;
    paid_ = 0;
    ++count;
  }
  return count;
}

Progress FloydWarshall::advance(std::uint32_t* rows, Executor& executor) {
  REPATH_CHECK(negative_cycle_.empty());
  if (table_.strips() == 0 && !nodes_.empty()) fill_table();
  while (round_ < table_.strips()) {
    const std::uint32_t count = pay(rows);
    if (count == 0) return Progress::kOutOfBudget;
    const auto relax = [](void* context, std::size_t i) {
      auto& self = *static_cast<FloydWarshall*>(context);
      self.table_.relax_strip(self.round_,
                              self.strip_at(self.place_ + static_cast<std::uint32_t>(i)));
    };
    executor.run(count, relax, this);
    place_ += count;
    if (place_ < table_.strips()) continue;
    place_ = 0;
    ++round_;
  }
  for (const NodeId goal : goals_.nodes()) {
    const Cost there = cost(start_, goal);
    if (there >= path_cost_) continue;
    path_cost_ = there;
    goal_ = goal;
  }
  return goal_ == kNoNode ? Progress::kNoPath : Progress::kPathFound;
}

std::int64_t FloydWarshall::signed_cost(NodeId from, NodeId to) const {
  const std::uint32_t a = number_of(from);
  const std::uint32_t b = number_of(to);
  if (table_.strips() == 0 || a == nodes_.size() || b == nodes_.size()) return PairTable::kNoCost;
  const std::int64_t known = table_.cost(a, b);
  return known == PairTable::kNoCost ? known : known * unit_;
}

bool FloydWarshall::is_tight(const PairEdge& edge, std::uint32_t end) const {
  const std::int64_t rest = table_.cost(edge.to, end);
  return rest != PairTable::kNoCost && edge.cost + rest == table_.cost(edge.from, end);
}

void FloydWarshall::walk(std::uint32_t from, std::uint32_t end, std::vector<NodeId>* out) const {
  for (std::uint32_t n = from; n != end;) {
    out->push_back(nodes_[n]);
    const std::span<const PairEdge> edges = edges_from(n);
    const auto next =
        std::ranges::find_if(edges, [&](const PairEdge& edge) { return is_tight(edge, end); });
    REPATH_CHECK(next != edges.end());
    n = next->to;
  }
  out->push_back(nodes_[end]);
}

// Edges that cost nothing may lead around, so each node is left once, the nearest to `from` first.
void FloydWarshall::walk_by_steps(std::uint32_t from, std::uint32_t end,
                                  std::vector<NodeId>* out) const {
  std::vector<std::uint32_t> before(nodes_.size(), kNone);
  std::vector<std::uint32_t> reached{from};
  before[from] = from;
  for (std::size_t i = 0; i < reached.size() && before[end] == kNone; ++i)
    for (const PairEdge& edge : edges_from(reached[i])) {
      if (before[edge.to] != kNone || !is_tight(edge, end)) continue;
      before[edge.to] = edge.from;
      reached.push_back(edge.to);
    }
  REPATH_CHECK(before[end] != kNone);
  const std::size_t first = out->size();
  for (std::uint32_t n = end; n != from; n = before[n]) out->push_back(nodes_[n]);
  out->push_back(nodes_[from]);
  std::reverse(out->begin() + static_cast<std::ptrdiff_t>(first), out->end());
}

bool FloydWarshall::append_path(NodeId from, NodeId to, std::vector<NodeId>* out) const {
  REPATH_CHECK(round_ == table_.strips() && (round_ > 0 || nodes_.empty()));
  if (signed_cost(from, to) == PairTable::kNoCost) return false;
  if (has_free_edges_) {
    walk_by_steps(number_of(from), number_of(to), out);
  } else {
    walk(number_of(from), number_of(to), out);
  }
  return true;
}

}  // namespace repath
