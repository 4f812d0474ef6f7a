#include "grid/hpa/hpa_search.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/check.h"

namespace repath {

HpaSearch::HpaSearch(const HpaMap& map, NodeId start, const GoalSet& goals, AStarWeight weight)
    : map_(&map),
      bound_(map.graph(), goals, weight),
      lower_bound_(goals.contains(start) ? 0
                                         : std::max(kStraightStep, HpaBound(map.graph(), goals)(
                                                                       map.layer().x_of(start),
                                                                       map.layer().y_of(start)))),
      level_(level_for(start, goals)),
      search_(map, level_, {0, 0, map.layer().width(), map.layer().height()}, bound_) {
  REPATH_CHECK(index(start) < map.layer().node_count());
  if (goals.contains(start)) {
    smoother_.emplace(map.graph(), std::vector<NodeId>{start});
    phase_ = Phase::kFound;
    return;
  }
  if (goals.empty() || !map.layer().is_free(start)) {
    phase_ = Phase::kNoPath;
    return;
  }
  from_start_.emplace(map, level_, map.cluster_of(level_, start), std::vector<NodeId>{start},
                      &effort_);
  join_goals(goals);
  if (level_ == 1) try_within_cluster(start, goals);
  from_start_->for_each_node([&](NodeId node, Cost cost) { search_.seed(node, cost, true); });
}

// Returns the highest level on which no goal lies in a cluster near the start's.
int HpaSearch::level_for(NodeId start, const GoalSet& goals) const {
  const GridLayer& layer = map_->layer();
  const Place from = place_of(layer, start);
  std::int32_t apart = layer.width() + layer.height();
  for (const NodeId goal : goals.nodes()) {
    const Place to = place_of(layer, goal);
    apart = std::min(apart, std::max(std::abs(to.x - from.x), std::abs(to.y - from.y)));
  }
  int level = map_->shape().levels;
  while (level > 1 && apart < kStepsApart * map_->side(level)) --level;
  return level;
}

void HpaSearch::join_goals(const GoalSet& goals) {
  std::vector<NodeId> cells(goals.nodes().begin(), goals.nodes().end());
  std::erase_if(cells, [&](NodeId cell) { return !map_->layer().is_free(cell); });
  to_goals_ = reaches_of(*map_, level_, std::move(cells), &effort_);
  for (const HpaReach& reach : to_goals_)
    reach.for_each_node([&](NodeId node, Cost cost) { search_.set_rest(node, cost); });
}

// Tries a goal in the start's own cluster, which may be nearest without leaving it.
void HpaSearch::try_within_cluster(NodeId start, const GoalSet& goals) {
  const auto reach = std::ranges::find(to_goals_, from_start_->cluster(), &HpaReach::cluster);
  if (reach == to_goals_.end() || reach->cost(start) == kUnreachable) return;
  within_.push_back(start);
  reach->append_way(start, &effort_, &within_);
  REPATH_CHECK(goals.contains(within_.back()));
  search_.set_best(reach->cost(start));
}

Progress HpaSearch::advance(std::uint32_t* expansions) {
  if (phase_ == Phase::kSearch) {
    const Progress progress = search_.advance(expansions);
    if (progress == Progress::kOutOfBudget) return progress;
    if (progress == Progress::kNoPath) phase_ = Phase::kNoPath;
    if (progress == Progress::kPathFound) begin_steps();
  }
  while (phase_ == Phase::kSteps) {
    if (*expansions == 0) return Progress::kOutOfBudget;
    take_step(expansions);
  }
  if (phase_ == Phase::kSmooth) {
    if (*expansions == 0 || !smoother_->advance(expansions)) return Progress::kOutOfBudget;
    phase_ = Phase::kFound;
  }
  return is_found() ? Progress::kPathFound : Progress::kNoPath;
}

void HpaSearch::begin_steps() {
  phase_ = Phase::kSteps;
  const NodeId last = search_.last();
  if (last == kNoNode) {
    cells_ = within_;
    return;
  }
  way_ = search_.way_to(last);
  from_start_->append_way(way_.front(), &effort_, &cells_);
  std::ranges::reverse(cells_);
  cells_.push_back(way_.front());
  next_ = 1;
}

void HpaSearch::take_step(std::uint32_t* expansions) {
  const std::uint64_t before = effort_.expanded;
  if (next_ < way_.size()) {
    append_step(*map_, level_, way_[next_ - 1], way_[next_], &effort_, &cells_);
    ++next_;
  } else {
    if (!way_.empty()) {
      const std::uint32_t cluster = map_->cluster_of(level_, way_.back());
      const auto reach = std::ranges::find(to_goals_, cluster, &HpaReach::cluster);
      REPATH_CHECK(reach != to_goals_.end());
      reach->append_way(way_.back(), &effort_, &cells_);
    }
    smoother_.emplace(map_->graph(), std::move(cells_));
    phase_ = Phase::kSmooth;
  }
  const std::uint64_t used = effort_.expanded - before;
  *expansions -= static_cast<std::uint32_t>(std::min<std::uint64_t>(used, *expansions));
}

std::vector<TouchedNode> HpaSearch::touched() const {
  const GridLayer& layer = map_->layer();
  std::vector<TouchedNode> touched;
  const auto bound_of = [&](NodeId node) { return bound_(layer.x_of(node), layer.y_of(node)); };
  search_.for_each_reached([&](NodeId node, Cost g, bool is_open, NodeId parent) {
    touched.push_back({node, g, bound_of(node), is_open, parent});
  });
  if (from_start_)
    from_start_->for_each_reached([&](NodeId node, Cost g, NodeId parent) {
      touched.push_back({node, g, bound_of(node), false, parent});
    });
  // Of several records of a node the cheapest counts.
  std::ranges::sort(touched, [](const TouchedNode& a, const TouchedNode& b) {
    if (a.node != b.node) return a.node < b.node;
    return a.g != b.g ? a.g < b.g : a.parent < b.parent;
  });
  const auto is_again = [](const TouchedNode& a, const TouchedNode& b) { return a.node == b.node; };
  touched.erase(std::unique(touched.begin(), touched.end(), is_again), touched.end());
  return touched;
}

std::uint64_t HpaSearch::generated() const { return search_.generated() + effort_.generated; }

std::size_t HpaSearch::bytes() const {
  std::size_t bytes = search_.bytes() + cells_.capacity() * sizeof(NodeId);
  if (from_start_) bytes += from_start_->bytes();
  for (const HpaReach& reach : to_goals_) bytes += reach.bytes();
  if (smoother_) bytes += smoother_->bytes();
  return bytes;
}

}  // namespace repath
