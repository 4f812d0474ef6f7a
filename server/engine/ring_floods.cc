#include "engine/ring_floods.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"
#include "engine/tower_print.h"

namespace repath {
namespace {

std::int32_t tiles_along(std::int32_t cells) { return (cells + kTileMask) >> kTileBits; }

}  // namespace

RingFloods::RingFloods(std::int32_t width, std::int32_t height, std::size_t bytes_max,
                       StepMeter& meter)
    : meter_(meter),
      bytes_max_(bytes_max),
      tiles_x_(tiles_along(width)),
      marks_(static_cast<std::size_t>(tiles_x_) * static_cast<std::size_t>(tiles_along(height))) {}

std::uint32_t* RingFloods::mark_at(std::int32_t x, std::int32_t y) {
  const std::int32_t tile = (y >> kTileBits) * tiles_x_ + (x >> kTileBits);
  std::unique_ptr<MarkTile>& marks = marks_[static_cast<std::size_t>(tile)];
  if (marks == nullptr) {
    bytes_ += sizeof(MarkTile);
    if (bytes_ > bytes_max_) {
      meter_.end();
      return nullptr;
    }
    marks = std::make_unique<MarkTile>();
  }
  return &(*marks)[static_cast<std::size_t>((y & kTileMask) * kTileSide + (x & kTileMask))];
}

bool RingFloods::begin(const GridLayer& layer, Topology topology, std::span<const NodeId> barred,
                       std::size_t searches) {
  const auto marks = static_cast<std::uint32_t>(searches) + kFirstSearch;
  if (next_base_ > std::numeric_limits<std::uint32_t>::max() - marks) {
    for (std::unique_ptr<MarkTile>& tile : marks_)
      if (tile != nullptr) tile->fill(0);
    next_base_ = 1;
  }
  base_ = std::exchange(next_base_, next_base_ + marks);
  layer_ = &layer;
  topology_ = topology;
  parts_.clear();
  searches_.assign(searches, {});
  alive_ = searches;
  for (std::size_t i = 0; i < searches; ++i) searches_[i].parent = i;
  for (const NodeId cell : barred) {
    std::uint32_t* mark = mark_at(layer.x_of(cell), layer.y_of(cell));
    if (mark == nullptr) return false;
    *mark = base_ + kBarred;
  }
  return true;
}

std::size_t RingFloods::root_of(std::size_t search) const {
  while (searches_[search].parent != search) search = searches_[search].parent;
  return search;
}

void RingFloods::merge(std::size_t a, std::size_t b) {
  if (searches_[a].cells.size() < searches_[b].cells.size()) std::swap(a, b);
  Search& into = searches_[a];
  Search& from = searches_[b];
  into.cells.insert(into.cells.end(), from.cells.begin(), from.cells.end());
  into.open.insert(into.open.end(), from.open.begin() + static_cast<std::ptrdiff_t>(from.next),
                   from.open.end());
  from = {};
  from.parent = a;
  --alive_;
}

// Lets the search reach a free cell, unless another one has. Returns false if the query is over.
bool RingFloods::add(std::size_t search, std::int32_t x, std::int32_t y) {
  std::uint32_t* mark = mark_at(x, y);
  if (mark == nullptr) return false;
  if (*mark == base_ + kBarred) return true;
  if (*mark < base_) {
    *mark = base_ + kFirstSearch + static_cast<std::uint32_t>(search);
    const NodeId cell = layer_->node_at(x, y);
    searches_[search].cells.push_back(cell);
    searches_[search].open.push_back(cell);
    return true;
  }
  const std::size_t other = root_of(*mark - base_ - kFirstSearch);
  if (other != root_of(search)) merge(root_of(search), other);
  return true;
}

bool RingFloods::step(std::size_t search) {
  if (!meter_.spend(1)) return false;
  Search& own = searches_[search];
  const NodeId cell = own.open[own.next++];
  const std::int32_t x = layer_->x_of(cell);
  const std::int32_t y = layer_->y_of(cell);
  for (const Place by : joining_steps(topology_, (y & 1) != 0))
    if (layer_->is_free(x + by.x, y + by.y) && !add(root_of(search), x + by.x, y + by.y))
      return false;
  return true;
}

bool RingFloods::run(const GridLayer& layer, Topology topology, std::span<const NodeId> barred,
                     std::span<const std::vector<NodeId>> pieces) {
  if (!begin(layer, topology, barred, pieces.size())) return false;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    for (const NodeId cell : pieces[i])
      if (!add(root_of(i), layer.x_of(cell), layer.y_of(cell))) return false;
  while (alive_ > 1) {
    for (std::size_t i = 0; i < searches_.size() && alive_ > 1; ++i) {
      if (searches_[i].parent != i || searches_[i].cells.empty()) continue;
      if (searches_[i].has_ended()) {
        parts_.push_back(std::move(searches_[i].cells));
        searches_[i].cells.clear();
        --alive_;
      } else if (!step(i)) {
        return false;
      }
    }
  }
  return true;
}

bool RingFloods::find_goal(const GridLayer& layer, Topology topology,
                           std::span<const NodeId> barred, NodeId from,
                           std::span<const NodeId> goals, bool* is_found) {
  *is_found = false;
  if (!begin(layer, topology, barred, 1)) return false;
  if (!add(0, layer.x_of(from), layer.y_of(from))) return false;
  std::size_t looked_at = 0;
  for (;;) {
    const std::vector<NodeId>& cells = searches_[0].cells;
    for (; looked_at < cells.size(); ++looked_at) {
      if (!std::ranges::binary_search(goals, cells[looked_at])) continue;
      *is_found = true;
      return true;
    }
    if (searches_[0].has_ended()) return true;
    if (!step(0)) return false;
  }
}

}  // namespace repath
