#include "routes/strong_parts.h"

#include <algorithm>

namespace repath {
namespace {

constexpr std::uint32_t kNoPart = ~std::uint32_t{0};

}  // namespace

StrongParts::StrongParts(const NodeWays& ways) {
  find_parts(ways);
  std::uint32_t parts = 0;
  for (std::uint32_t n = 0; n < ways.node_count(); ++n) {
    parts = std::max(parts, part_[n] + 1);
    for (std::uint32_t w = ways.firsts[n]; w < ways.firsts[n + 1]; ++w)
      if (part_[n] != part_[ways.targets[w]]) steps_.emplace_back(part_[n], part_[ways.targets[w]]);
  }
  std::ranges::sort(steps_);
  steps_.erase(std::unique(steps_.begin(), steps_.end()), steps_.end());
  met_.resize(parts, 0);
}

void StrongParts::find_parts(const NodeWays& ways) {
  struct Visit {
    std::uint32_t node;
    std::uint32_t next;  // way to look at
  };
  part_.assign(ways.node_count(), kNoPart);
  std::vector<std::uint32_t> order(ways.node_count(), 0);  // order in which nodes were met, from 1
  std::vector<std::uint32_t> low(ways.node_count(), 0);    // least order known to be reachable
  std::vector<std::uint32_t> open;                         // nodes met that have no part yet
  std::vector<Visit> visits;
  std::uint32_t met = 0;
  std::uint32_t parts = 0;
  const auto meet = [&](std::uint32_t node) {
    order[node] = low[node] = ++met;
    open.push_back(node);
    visits.push_back({node, ways.firsts[node]});
  };
  const auto finish = [&](std::uint32_t node) {
    if (low[node] != order[node]) return;
    std::uint32_t last = kNoPart;
    do {
      last = open.back();
      open.pop_back();
      part_[last] = parts;
    } while (last != node);
    ++parts;
  };
  for (std::uint32_t root = 0; root < ways.node_count(); ++root) {
    if (order[root] == 0) meet(root);
    while (!visits.empty()) {
      const std::uint32_t node = visits.back().node;
      if (visits.back().next < ways.firsts[node + 1]) {
        const std::uint32_t to = ways.targets[visits.back().next++];
        if (order[to] == 0) {
          meet(to);
        } else if (part_[to] == kNoPart) {
          low[node] = std::min(low[node], order[to]);
        }
        continue;
      }
      visits.pop_back();
      if (!visits.empty()) low[visits.back().node] = std::min(low[visits.back().node], low[node]);
      finish(node);
    }
  }
}

bool StrongParts::leads(std::uint32_t from, std::uint32_t to) {
  const std::uint32_t end = part_[to];
  if (part_[from] == end) return true;
  if (part_[from] < end) return false;
  ++stamp_;
  std::vector<std::uint32_t> todo{part_[from]};
  while (!todo.empty()) {
    const std::uint32_t part = todo.back();
    todo.pop_back();
    auto step = std::ranges::lower_bound(steps_, std::pair{part, end});
    for (; step != steps_.end() && step->first == part; ++step) {
      if (step->second == end) return true;
      if (met_[step->second] == stamp_) continue;
      met_[step->second] = stamp_;
      todo.push_back(step->second);
    }
  }
  return false;
}

}  // namespace repath
