#include "grid/hpa/hpa_reach.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace repath {
namespace {

Progress run_to_end(HpaLevelSearch* search, HpaEffort* effort) {
  Progress progress = Progress::kOutOfBudget;
  while (progress == Progress::kOutOfBudget) {
    std::uint32_t plenty = ~std::uint32_t{0};
    progress = search->advance(&plenty);
  }
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
    reach_over_parts(std::move(cells), effort);
    return;
  }
  cells_.emplace(map.graph());
  cells_->begin(map.box(1, cluster));
  for (const NodeId cell : cells) cells_->seed(cell, 0);
  cells_->settle();
  effort->expanded += cells_->expanded();
}

void HpaReach::reach_over_parts(std::vector<NodeId> cells, HpaEffort* effort) {
  const int below = level_ - 1;
  const auto part_of = [&](NodeId cell) { return map_->cluster_of(below, cell); };
  std::ranges::stable_sort(cells, {}, part_of);
  over_.emplace(*map_, below, map_->box(level_, cluster_));
  for (auto first = cells.begin(); first != cells.end();) {
    const std::uint32_t cluster = part_of(*first);
    const auto last =
        std::find_if(first, cells.end(), [&](NodeId cell) { return part_of(cell) != cluster; });
    const HpaReach& part =
        parts_.emplace_back(*map_, below, cluster, std::vector(first, last), effort);
    std::uint64_t made = 0;
    const Cow<HpaFacts> facts = map_->facts(below, cluster, &made);
    for (const NodeId node : facts->nodes)
      if (part.cost(node) != kUnreachable) over_->seed(node, part.cost(node), true);
    first = last;
  }
  REPATH_CHECK(run_to_end(&*over_, effort) == Progress::kNoPath);
}

Cost HpaReach::cost(NodeId node) const {
  return level_ == 1 ? cells_->cost(node) : over_->cost(node);
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
