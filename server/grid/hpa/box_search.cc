#include "grid/hpa/box_search.h"

#include <algorithm>
#include <array>

#include "base/check.h"

namespace repath {

void BoxSearch::begin(const CellRect& box) {
  REPATH_CHECK(box.x0 >= 0 && box.y0 >= 0 && box.x0 < box.x1 && box.y0 < box.y1 &&
               box.x1 <= graph_.layer().width() && box.y1 <= graph_.layer().height());
  box_ = box;
  goal_ = kNoNode;
  below_ = kUnreachable;
  open_.clear();
  const auto cells =
      static_cast<std::size_t>(box.x1 - box.x0) * static_cast<std::size_t>(box.y1 - box.y0);
  if (records_.size() < cells) records_.resize(cells);
  if (++stamp_ != 0) return;
  std::ranges::fill(records_, Record{});
  stamp_ = 1;
}

void BoxSearch::relax(std::int32_t x, std::int32_t y, NodeId parent, Cost g) {
  Record& of = record(x, y);
  if (g >= of.g) return;
  const NodeId cell = graph_.layer().node_at(x, y);
  const Cost f = goal_ == kNoNode ? g : g + graph_.heuristic(cell, goal_);
  if (f >= below_) return;
  of.g = g;
  of.parent = parent;
  open_.push_back({f, g, cell});
  std::push_heap(open_.begin(), open_.end(), Entry::Later{});
}

bool BoxSearch::take(Entry* next) {
  while (!open_.empty()) {
    *next = open_.front();
    std::pop_heap(open_.begin(), open_.end(), Entry::Later{});
    open_.pop_back();
    if (next->g == cost(next->id)) return true;
  }
  return false;
}

void BoxSearch::expand(const Entry& at) {
  ++expanded_;
  const std::int32_t x = graph_.layer().x_of(at.id);
  const std::int32_t y = graph_.layer().y_of(at.id);
  const std::array<Cost, 8> costs = graph_.costs_around(x, y);
  for (std::size_t d = 0; d < costs.size(); ++d) {
    const std::int32_t to_x = x + kDirections[d].dx;
    const std::int32_t to_y = y + kDirections[d].dy;
    if (costs[d] != kUnreachable && contains(to_x, to_y)) relax(to_x, to_y, at.id, at.g + costs[d]);
  }
}

// Until the goal is known, seeds wait by their cost alone.
Cost BoxSearch::find(NodeId goal, Cost below) {
  goal_ = goal;
  below_ = below;
  for (Entry& seed : open_) seed.f = seed.g + graph_.heuristic(seed.id, goal);
  std::erase_if(open_, [&](const Entry& seed) { return seed.f >= below; });
  std::make_heap(open_.begin(), open_.end(), Entry::Later{});
  for (Entry next; take(&next); expand(next))
    if (next.id == goal) return next.g;
  return kUnreachable;
}

void BoxSearch::append_way_back(NodeId cell, std::vector<NodeId>* out) const {
  const GridLayer& layer = graph_.layer();
  for (;;) {
    const Record& of = records_[place(layer.x_of(cell), layer.y_of(cell))];
    REPATH_CHECK(of.stamp == stamp_ && of.g != kUnreachable);
    if (of.parent == kNoNode) return;
    cell = of.parent;
    out->push_back(cell);
  }
}

}  // namespace repath
