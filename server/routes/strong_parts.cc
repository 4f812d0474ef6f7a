#include "routes/strong_parts.h"

#include <algorithm>

namespace repath {
namespace {

constexpr std::uint32_t kNoPart = ~std::uint32_t{0};

}  // namespace

std::unique_ptr<StrongParts> StrongParts::find(const NodeWays& ways, WorkMeter* meter) {
  std::unique_ptr<StrongParts> found(new StrongParts);
  if (!found->find_parts(ways, meter) || !found->find_steps(ways, meter)) return nullptr;
  found->met_.resize(found->part_count(), 0);
  return found;
}

bool StrongParts::find_parts(const NodeWays& ways, WorkMeter* meter) {
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
    return meter->spend(kUnitsToPart * (1 + ways.degree(node)));
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
    if (order[root] == 0 && !meet(root)) return false;
    while (!visits.empty()) {
      const std::uint32_t node = visits.back().node;
      if (visits.back().next < ways.firsts[node + 1]) {
        const std::uint32_t to = ways.targets[visits.back().next++];
        if (order[to] == 0) {
          if (!meet(to)) return false;
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
  return true;
}

bool StrongParts::find_steps(const NodeWays& ways, WorkMeter* meter) {
  std::uint32_t parts = 0;
  for (const std::uint32_t part : part_) parts = std::max(parts, part + 1);
  // The nodes of part p are nodes[ends[p - 1]] up to nodes[ends[p]], that one excluded.
  std::vector<std::uint32_t> ends(parts + 1, 0);
  for (const std::uint32_t part : part_) ++ends[part + 1];
  for (std::uint32_t p = 0; p < parts; ++p) ends[p + 1] += ends[p];
  std::vector<std::uint32_t> nodes(ways.node_count());
  for (std::uint32_t n = 0; n < ways.node_count(); ++n) nodes[ends[part_[n]]++] = n;
  std::vector<std::uint32_t> seen_from(parts, kNoPart);  // by part: the last that leads there
  std::uint32_t next = 0;
  for (std::uint32_t p = 0; p < parts; ++p) {
    seen_from[p] = p;
    for (; next < ends[p]; ++next) {
      if (!meter->spend(kUnitsToStep * (1 + ways.degree(nodes[next])))) return false;
      for (std::uint32_t w = ways.firsts[nodes[next]]; w < ways.firsts[nodes[next] + 1]; ++w) {
        const std::uint32_t to = part_[ways.targets[w]];
        if (seen_from[to] == p) continue;
        seen_from[to] = p;
        steps_.targets.push_back(to);
      }
    }
    steps_.end_node();
  }
  return true;
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
    for (const std::uint32_t next : steps_from(part)) {
      if (next == end) return true;
      if (next < end || met_[next] == stamp_) continue;
      met_[next] = stamp_;
      todo.push_back(next);
    }
  }
  return false;
}

}  // namespace repath
