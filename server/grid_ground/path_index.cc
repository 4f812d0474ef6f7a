#include "grid_ground/path_index.h"

#include <algorithm>
#include <span>
#include <utility>

#include "grid_ground/changed_steps.h"

namespace repath {
namespace {

constexpr int kBlockBits = 4;
constexpr std::int32_t kBlockSide = 1 << kBlockBits;
// Sides of the box around all changes up to which the last few paths are looked through.
constexpr std::int32_t kStrideBoxMax = 64;
constexpr std::uint32_t kNoChange = ~std::uint32_t{0};
// A batch of more gives the memory back that it took.
constexpr std::size_t kKeptChangesMax = 65'536;

std::size_t bit_of(Place p) {
  return static_cast<std::size_t>((p.y % kBlockSide) * kBlockSide + p.x % kBlockSide);
}

// Returns how many steps from there are sure to end in the same block.
std::uint32_t steps_inside(Place p) {
  const std::int32_t x = p.x % kBlockSide;
  const std::int32_t y = p.y % kBlockSide;
  return static_cast<std::uint32_t>(std::min({x, y, kBlockSide - 1 - x, kBlockSide - 1 - y}));
}

std::int32_t blocks_along(std::int32_t side) { return (side + kBlockSide - 1) / kBlockSide; }

std::pair<NodeId, NodeId> edge_of(const EdgeChange* change) { return {change->from, change->to}; }

}  // namespace

PathIndex::PathIndex(const AgentTable& agents, std::int32_t width, std::int32_t height)
    : agents_(agents),
      blocks_x_(blocks_along(width)),
      blocks_(static_cast<std::size_t>(blocks_x_) * static_cast<std::size_t>(blocks_along(height))),
      change_at_(static_cast<std::size_t>(blocks_x_)) {}

std::size_t PathIndex::block_of(Place p) const {
  return static_cast<std::size_t>(p.y >> kBlockBits) * static_cast<std::size_t>(blocks_x_) +
         static_cast<std::size_t>(p.x >> kBlockBits);
}

// Returns for how many last steps of the path held now the entry may speak.
std::uint32_t PathIndex::steps_left(const Entry& e) const {
  const Held& held = held_[e.slot];
  if (e.generation < held.oldest) return 0;
  for (std::uint32_t i = 0; i < held.kept_count; ++i)
    if (e.generation <= held.kept[i].generation) return held.kept[i].left;
  return e.left;
}

void PathIndex::leave_recent(Slot slot) { std::erase(recent_, slot); }

void PathIndex::remove(Slot slot) {
  if (slot >= held_.size()) return;
  Held& held = held_[slot];
  held.oldest = held.generation + 1;
  held.entered = 0;
  held.kept_count = 0;
  leave_recent(slot);
}

void PathIndex::add(const GridLayer& layer, Slot slot, std::size_t kept) {
  if (slot >= held_.size()) held_.resize(slot + 1);
  Held& held = held_[slot];
  const auto left =
      std::min(held.entered, static_cast<std::uint32_t>(std::max<std::size_t>(kept, 1) - 1));
  while (held.kept_count > 0 && held.kept[held.kept_count - 1].left >= left) --held.kept_count;
  if (left == 0 || held.kept_count == kKeptMax) {
    remove(slot);
  } else {
    held.kept[held.kept_count++] = {held.generation, left};
    held.entered = left;
    leave_recent(slot);
  }
  ++held.generation;
  if (recent_.size() == kRecentMax) {
    enter_blocks(layer, recent_.front());
    recent_.erase(recent_.begin());
  }
  recent_.push_back(slot);
}

void PathIndex::enter_blocks(const GridLayer& layer, Slot slot) {
  const HeldPath& path = agents_[slot].path;
  Held& held = held_[slot];
  const auto steps = static_cast<std::uint32_t>(path.points.size() - 1);
  const std::uint32_t last = steps - held.entered;
  std::uint32_t first = path.at;
  while (first < last) {
    Place at = place_of(layer, path.points[first]);
    const std::size_t block = block_of(at);
    std::uint32_t end = first;
    do {
      end = std::min(last, end + 1 + steps_inside(at));
      at = place_of(layer, path.points[end]);
    } while (end < last && block_of(at) == block);
    blocks_.push(block, {slot, held.generation, steps - first, end - first});
    sweep_owed_ += kSweptEach;
    first = end;
  }
  held.entered = std::max(held.entered, steps - path.at);
  sweep();
}

void PathIndex::sweep() {
  for (;;) {
    const std::size_t cost = 1 + blocks_.size(sweep_at_);
    if (sweep_owed_ < cost) return;
    sweep_owed_ -= cost;
    blocks_.drop_if(sweep_at_, [&](const Entry& e) { return is_dead(e); });
    if (++sweep_at_ == blocks_.lists()) sweep_at_ = 0;
  }
}

// Sorted changes come by row of blocks, but meet a block once in each row of cells.
void PathIndex::gather(const GridLayer& layer, const std::vector<EdgeChange>& changes) {
  changes_used_ = 0;
  std::int32_t row = -1;
  NodeId last = kNoNode;
  std::uint32_t last_at = kNoChange;
  for (const EdgeChange& change : changes) {
    if (change.from == last) {
      changes_[last_at].edges.push_back(&change);
      continue;
    }
    last = change.from;
    const Place from = place_of(layer, change.from);
    if (from.y >> kBlockBits != row) {
      row = from.y >> kBlockBits;
      std::ranges::fill(change_at_, kNoChange);
    }
    std::uint32_t& at = change_at_[static_cast<std::size_t>(from.x >> kBlockBits)];
    if (at == kNoChange) {
      at = static_cast<std::uint32_t>(changes_used_++);
      if (changes_used_ > changes_.size()) changes_.emplace_back();
      changes_[at].block = block_of(from);
      changes_[at].cells.fill(0);
      changes_[at].edges.clear();
    }
    changes_[at].cells[bit_of(from) / 64] |= std::uint64_t{1} << bit_of(from) % 64;
    changes_[at].edges.push_back(&change);
    last_at = at;
  }
}

// Changes that lie far apart leave no box to stride to: then the blocks answer for all paths.
std::uint64_t PathIndex::find_among_recent(ViewId view, const GridLayer& layer,
                                           const std::vector<EdgeChange>& changes,
                                           std::vector<PathHit>* hits) {
  if (recent_.empty()) return 0;
  const PlaceBox box = box_of(layer, changes);
  if (box.x1 - box.x0 >= kStrideBoxMax || box.y1 - box.y0 >= kStrideBoxMax) {
    for (const Slot slot : recent_) enter_blocks(layer, slot);
    recent_.clear();
    return 0;
  }
  std::uint64_t looked_at = 0;
  for (const Slot slot : recent_) {
    if (agents_.row(slot).view != view) continue;
    const HeldPath& path = agents_[slot].path;
    const auto entered = static_cast<std::uint32_t>(path.points.size() - 1) - held_[slot].entered;
    looked_at +=
        for_each_changed_step(layer, changes, box, path.points, path.at, entered,
                              [&](std::size_t step, const EdgeChange& change) {
                                hits->push_back({slot, static_cast<std::uint32_t>(step), &change});
                              });
  }
  return looked_at;
}

std::uint64_t PathIndex::find(ViewId view, const GridLayer& layer,
                              const std::vector<EdgeChange>& changes, std::vector<PathHit>* hits) {
  if (changes.empty()) return 0;
  const std::size_t first_hit = hits->size();
  std::uint64_t looked_at = find_among_recent(view, layer, changes, hits);
  if (blocks_.size() > 0) looked_at += find_in_blocks(view, layer, changes, hits);
  std::sort(hits->begin() + static_cast<std::ptrdiff_t>(first_hit), hits->end(),
            [](const PathHit& a, const PathHit& b) {
              return std::pair(a.slot, a.step) < std::pair(b.slot, b.step);
            });
  return looked_at;
}

std::uint64_t PathIndex::find_in_blocks(ViewId view, const GridLayer& layer,
                                        const std::vector<EdgeChange>& changes,
                                        std::vector<PathHit>* hits) {
  gather(layer, changes);
  std::uint64_t looked_at = 0;
  for (const Change& changed : std::span(changes_).first(changes_used_)) {
    blocks_.drop_if(changed.block, [&](const Entry& e) { return is_dead(e); });
    blocks_.for_each(changed.block, [&](const Entry& e) {
      if (agents_.row(e.slot).view != view) return;
      const HeldPath& path = agents_[e.slot].path;
      const auto steps = static_cast<std::uint32_t>(path.points.size() - 1);
      const std::uint32_t first = steps - std::min(e.left, steps_left(e));
      const std::uint32_t end = steps - e.left + e.steps;
      for (std::uint32_t step = std::max(first, path.at); step < end; ++step) {
        ++looked_at;
        const std::size_t bit = bit_of(place_of(layer, path.points[step]));
        if ((changed.cells[bit / 64] >> bit % 64 & 1) == 0) continue;
        const auto wanted = std::pair(path.points[step], path.points[step + 1]);
        const auto it = std::ranges::lower_bound(changed.edges, wanted, {}, edge_of);
        if (it != changed.edges.end() && edge_of(*it) == wanted)
          hits->push_back({e.slot, step, *it});
      }
    });
  }
  if (changes.size() > kKeptChangesMax) changes_.clear();
  return looked_at;
}

// Returns whether the step that the agent takes next is the entry's. Each step is in one live
// entry, or in none and the agent among the last few.
bool PathIndex::has_next_step(const Entry& e) const {
  const HeldPath& path = agents_[e.slot].path;
  const auto ahead = static_cast<std::uint32_t>(path.points.size()) - 1 - path.at;
  return ahead <= std::min(e.left, steps_left(e)) && ahead > e.left - e.steps;
}

std::uint64_t PathIndex::find_walkers(const GridLayer& layer, const PlaceBox& box, std::size_t most,
                                      std::vector<Slot>* slots) const {
  std::uint64_t looked_at = recent_.size();
  const auto may_be_one = [&](Slot slot) {
    return slots->size() < most && box.contains(agents_.row(slot).origin);
  };
  for (const Slot slot : recent_) {
    const HeldPath& path = agents_[slot].path;
    const std::size_t entered_from = path.points.size() - 1 - held_[slot].entered;
    if (path.at < entered_from && may_be_one(slot)) slots->push_back(slot);
  }
  const Place first{std::max(box.x0, 0), std::max(box.y0, 0)};
  const Place last{std::min(box.x1, layer.width() - 1), std::min(box.y1, layer.height() - 1)};
  for (std::int32_t y = first.y >> kBlockBits; y <= last.y >> kBlockBits; ++y)
    for (std::int32_t x = first.x >> kBlockBits; x <= last.x >> kBlockBits; ++x) {
      const std::size_t block = block_of({x << kBlockBits, y << kBlockBits});
      looked_at += blocks_.size(block);
      blocks_.for_each(block, [&](const Entry& e) {
        if (may_be_one(e.slot) && !is_dead(e) && has_next_step(e)) slots->push_back(e.slot);
      });
    }
  return looked_at;
}

}  // namespace repath
