#include "grid/hpa/hpa_reach.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace repath {
namespace {

Progress run_to_end(HpaLevelSearch* search, HpaEffort* effort) {
  const Progress progress = search->run_to_end();
  effort->expanded += search->expanded();
  effort->generated += search->generated();
  return progress;
}

void append_cells(const HpaMap& map, NodeId from, NodeId to, HpaEffort* effort,
                  std::vector<NodeId>* out) {
  BoxSearch search(map.graph());
  search.begin(map.box(1, map.cluster_of(1, from)));
  search.seed(to, 0);  // from the end, so that the path back is the path
  REPATH_CHECK(search.find(from, kUnreachable) != kUnreachable);
  search.append_way_back(from, out);
  effort->expanded += search.expanded();
}

}  // namespace

HpaReach::HpaReach(const HpaMap& map, int level, std::uint32_t cluster, std::vector<NodeId> cells,
                   HpaEffort* effort)
    : map_(&map), level_(level), cluster_(cluster) {
  if (level > 1) {
    parts_ = reaches_of(map, level - 1, std::move(cells), effort);
    over_.emplace(map, level - 1, map.box(level, cluster));
    for (const HpaReach& part : parts_)
      part.for_each_node([&](NodeId node, Cost cost) { over_->seed(node, cost, true); });
    REPATH_CHECK(run_to_end(&*over_, effort) == Progress::kNoPath);
    return;
  }
  cells_.emplace(map.graph());
  cells_->begin(map.box(1, cluster));
  for (const NodeId cell : cells) cells_->seed(cell, 0);
  cells_->settle();
  effort->expanded += cells_->expanded();
}

std::vector<HpaReach> reaches_of(const HpaMap& map, int level, std::vector<NodeId> cells,
                                 HpaEffort* effort) {
  const auto cluster_of = [&](NodeId cell) { return map.cluster_of(level, cell); };
  std::ranges::stable_sort(cells, {}, cluster_of);
  std::vector<HpaReach> reaches;
  for (auto first = cells.begin(); first != cells.end();) {
    const std::uint32_t cluster = cluster_of(*first);
    const auto last =
        std::find_if(first, cells.end(), [&](NodeId cell) { return cluster_of(cell) != cluster; });
    reaches.emplace_back(map, level, cluster, std::vector(first, last), effort);
    first = last;
  }
  return reaches;
}

void HpaReach::append_way(NodeId node, HpaEffort* effort, std::vector<NodeId>* out) const {
  if (level_ == 1) return cells_->append_way_back(node, out);
  const std::vector<NodeId> way = over_->way_to(node);
  for (std::size_t i = way.size() - 1; i > 0; --i)
    append_step(*map_, level_ - 1, way[i], way[i - 1], effort, out);
  const std::uint32_t cluster = map_->cluster_of(level_ - 1, way.front());
  const auto part = std::ranges::find(parts_, cluster, &HpaReach::cluster);
  REPATH_CHECK(part != parts_.end());
  part->append_way(way.front(), effort, out);
}

std::size_t HpaReach::bytes() const {
  std::size_t bytes = sizeof(HpaReach);
  if (cells_) bytes += cells_->bytes();
  if (over_) bytes += over_->bytes();
  for (const HpaReach& part : parts_) bytes += part.bytes();
  return bytes;
}

void append_step(const HpaMap& map, int level, NodeId from, NodeId to, HpaEffort* effort,
                 std::vector<NodeId>* out) {
  const std::uint32_t cluster = map.cluster_of(level, from);
  if (cluster != map.cluster_of(level, to)) {
    out->push_back(to);
    return;
  }
  if (level == 1) return append_cells(map, from, to, effort, out);
  HpaLevelSearch search(map, level - 1, map.box(level, cluster),
                        HpaBound(map.graph(), GoalSet{to}));
  search.set_rest(to, 0);
  search.seed(from, 0, false);
  REPATH_CHECK(run_to_end(&search, effort) == Progress::kPathFound);
  const std::vector<NodeId> way = search.way_to(to);
  for (std::size_t i = 0; i + 1 < way.size(); ++i)
    append_step(map, level - 1, way[i], way[i + 1], effort, out);
}

}  // namespace repath
