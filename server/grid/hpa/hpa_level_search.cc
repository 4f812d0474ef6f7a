#include "grid/hpa/hpa_level_search.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace repath {

HpaLevelSearch::HpaLevelSearch(const HpaMap& map, int level, const CellRect& box, HpaBound bound)
    : map_(&map), graph_(map.graph()), level_(level), box_(box), bound_(std::move(bound)) {}

void HpaLevelSearch::clear() {
  for (Record& record : records_) {
    record.g = kUnreachable;
    record.rest = kUnreachable;
    record.is_closed = false;
  }
  open_.clear();
  best_ = kUnreachable;
  last_ = kNone;
}

std::uint32_t HpaLevelSearch::open_cluster(std::uint32_t cluster) {
  const auto [known, is_new] =
      known_.try_emplace(cluster, static_cast<std::uint32_t>(clusters_.size()));
  if (!is_new) return known->second;
  Cluster& opened = clusters_.emplace_back();
  opened.facts = map_->facts(level_, cluster, &made_);
  opened.first = static_cast<std::uint32_t>(records_.size());
  for (const NodeId node : opened.facts->nodes) {
    Record& record = records_.emplace_back();
    record.node = node;
    record.cluster = known->second;
    record.h = bound_(graph_.layer().x_of(node), graph_.layer().y_of(node));
  }
  return known->second;
}

std::uint32_t HpaLevelSearch::record_of(NodeId node) {
  const Cluster& cluster = clusters_[open_cluster(map_->cluster_of(level_, node))];
  const std::uint32_t at = cluster.facts->index_of(node);
  REPATH_CHECK(at != HpaFacts::kNone);
  return cluster.first + at;
}

std::uint32_t HpaLevelSearch::known_record_of(NodeId node) const {
  const auto known = known_.find(map_->cluster_of(level_, node));
  if (known == known_.end()) return kNone;
  const Cluster& cluster = clusters_[known->second];
  const std::uint32_t at = cluster.facts->index_of(node);
  return at == HpaFacts::kNone ? kNone : cluster.first + at;
}

void HpaLevelSearch::relax(std::uint32_t at, std::uint32_t parent, Cost g, bool from_within) {
  ++generated_;
  Record& record = records_[at];
  if (g >= record.g) return;
  const Cost f = g + record.h;
  if (f >= best_) return;
  record.g = g;
  record.parent = parent;
  record.from_within = from_within;
  record.is_closed = false;
  if (record.rest != kUnreachable && g + record.rest < best_) {
    best_ = g + record.rest;
    last_ = at;
  }
  open_.push_back({f, g, at});
  std::push_heap(open_.begin(), open_.end(), Entry::Later{});
}

Progress HpaLevelSearch::advance(std::uint32_t* expansions) {
  const std::uint64_t made_before = made_;
  while (!open_.empty() && open_.front().f < best_) {
    const Entry next = open_.front();
    const bool holds = still_holds(next);
    if (holds && (*expansions == 0 || made_ - made_before >= kMadeMax))
      return Progress::kOutOfBudget;
    std::pop_heap(open_.begin(), open_.end(), Entry::Later{});
    open_.pop_back();
    if (!holds) continue;
    --*expansions;
    expand(next.id);
  }
  return best_ == kUnreachable ? Progress::kNoPath : Progress::kPathFound;
}

Progress HpaLevelSearch::run_to_end() {
  Progress progress = Progress::kOutOfBudget;
  while (progress == Progress::kOutOfBudget) {
    std::uint32_t plenty = ~std::uint32_t{0};
    progress = advance(&plenty);
  }
  return progress;
}

void HpaLevelSearch::expand(std::uint32_t at) {
  ++expanded_;
  last_expanded_ = records_[at].node;
  records_[at].is_closed = true;
  if (!records_[at].from_within) expand_within(at);
  expand_across(at);
}

void HpaLevelSearch::expand_within(std::uint32_t at) {
  const Cluster& cluster = clusters_[records_[at].cluster];
  const HpaFacts& facts = *cluster.facts;
  const std::size_t own = at - cluster.first;
  const Cost g = records_[at].g;
  for (std::size_t to = 0; to < facts.nodes.size(); ++to) {
    const Cost distance = facts.distance(own, to);
    if (to == own || distance == kUnreachable) continue;
    relax(cluster.first + static_cast<std::uint32_t>(to), at, g + distance, true);
  }
}

void HpaLevelSearch::look_across(std::uint32_t at) {
  const Cluster& cluster = clusters_[records_[at].cluster];
  const HpaFacts::Across across = cluster.facts->across[at - cluster.first];
  records_[at].knows_across = true;
  for (std::size_t i = 0; i < across.size(); ++i) {
    if (across[i] == kNoNode) continue;
    const std::int32_t x = graph_.layer().x_of(across[i]);
    const std::int32_t y = graph_.layer().y_of(across[i]);
    if (x < box_.x0 || y < box_.y0 || x >= box_.x1 || y >= box_.y1) continue;
    const std::uint32_t other = record_of(across[i]);  // may move the records
    records_[at].across[i] = other;
  }
}

void HpaLevelSearch::expand_across(std::uint32_t at) {
  if (!records_[at].knows_across) look_across(at);
  const Record from = records_[at];
  for (const std::uint32_t to : from.across) {
    if (to == kNone) continue;
    relax(to, at, from.g + graph_.cost_between(from.node, records_[to].node), false);
  }
}

std::vector<NodeId> HpaLevelSearch::way_to(NodeId node) const {
  std::uint32_t at = known_record_of(node);
  REPATH_CHECK(at != kNone && records_[at].g != kUnreachable);
  std::vector<NodeId> way;
  for (; at != kNone; at = records_[at].parent) way.push_back(records_[at].node);
  std::ranges::reverse(way);
  return way;
}

}  // namespace repath
