#include "replan/path_index.h"

#include <algorithm>
#include <array>

namespace repath {
namespace {

constexpr std::int32_t kBlockSide = 16;

// Cells of one block that a change begins in.
class CellMask {
 public:
  explicit CellMask(std::int32_t width) : width_(width) {}
  void add(NodeId n) { bits_[at(n) / 64] |= std::uint64_t{1} << (at(n) % 64); }
  bool has(NodeId n) const { return (bits_[at(n) / 64] >> (at(n) % 64) & 1u) != 0; }

 private:
  std::size_t at(NodeId n) const {
    const auto w = static_cast<std::uint32_t>(width_);
    return std::size_t{index(n) / w % kBlockSide * kBlockSide + index(n) % w % kBlockSide};
  }
  std::int32_t width_;
  std::array<std::uint64_t, 4> bits_{};
};

}  // namespace

PathIndex::PathIndex(const AgentTable& agents, std::int32_t width, std::int32_t height)
    : agents_(agents), width_(width), blocks_x_((width + kBlockSide - 1) / kBlockSide) {
  const auto blocks_y = static_cast<std::size_t>((height + kBlockSide - 1) / kBlockSide);
  blocks_.resize(static_cast<std::size_t>(blocks_x_) * blocks_y);
}

std::size_t PathIndex::block_of(NodeId n) const {
  const auto w = static_cast<std::uint32_t>(width_);
  return std::size_t{index(n) / w / kBlockSide} * static_cast<std::size_t>(blocks_x_) +
         index(n) % w / kBlockSide;
}

bool PathIndex::is_live(const Entry& e) const {
  if (agents_.row(e.slot).standing != Standing::kPath &&
      agents_.row(e.slot).standing != Standing::kPartial)
    return false;
  const HeldPath& path = agents_[e.slot].path;
  return path.generation == e.generation && path.at < e.end;
}

void PathIndex::add(Slot slot) {
  const HeldPath& path = agents_[slot].path;
  const auto last = static_cast<std::uint32_t>(path.nodes.size() - 1);
  for (std::uint32_t first = path.at; first < last;) {
    const std::size_t block = block_of(path.nodes[first]);
    std::uint32_t end = first + 1;
    while (end < last && block_of(path.nodes[end]) == block) ++end;
    blocks_[block].push_back({slot, path.generation, first, end});
    ++entries_;
    first = end;
  }
  purge_if_doubled();
}

void PathIndex::purge_if_doubled() {
  if (entries_ < purge_at_) return;
  entries_ = 0;
  for (Block& block : blocks_) {
    std::erase_if(block, [&](const Entry& e) { return !is_live(e); });
    entries_ += block.size();
  }
  purge_at_ = std::max<std::size_t>(4096, 2 * entries_);
}

std::uint64_t PathIndex::find(ViewId view, const GridLayer& layer,
                              const std::vector<EdgeChange>& changes, std::vector<PathHit>* hits) {
  // Changes sorted by `from` visit a block once in each of its rows; gather them by block first.
  std::vector<std::pair<std::size_t, const EdgeChange*>> by_block;
  by_block.reserve(changes.size());
  for (const EdgeChange& change : changes) {
    const bool is_same = !by_block.empty() && by_block.back().second->from == change.from;
    by_block.emplace_back(is_same ? by_block.back().first : block_of(change.from), &change);
  }
  std::ranges::sort(by_block);
  const std::size_t first_hit = hits->size();
  std::uint64_t looked_at = 0;
  for (std::size_t i = 0; i < by_block.size();) {
    std::size_t end = i;
    CellMask mask(layer.width());
    for (; end < by_block.size() && by_block[end].first == by_block[i].first; ++end)
      mask.add(by_block[end].second->from);
    const auto changed = std::span(by_block).subspan(i, end - i);
    Block& block = blocks_[by_block[i].first];
    entries_ -= std::erase_if(block, [&](const Entry& e) { return !is_live(e); });
    for (const Entry& e : block) {
      if (agents_.row(e.slot).view != view) continue;
      const HeldPath& path = agents_[e.slot].path;
      for (std::uint32_t step = std::max(e.first, path.at); step < e.end; ++step) {
        ++looked_at;
        if (!mask.has(path.nodes[step])) continue;
        const auto wanted = std::pair(path.nodes[step], path.nodes[step + 1]);
        const auto it = std::lower_bound(changed.begin(), changed.end(), wanted,
                                         [](const auto& a, const auto& edge) {
                                           return std::pair(a.second->from, a.second->to) < edge;
                                         });
        if (it == changed.end() || std::pair(it->second->from, it->second->to) != wanted) continue;
        hits->push_back({e.slot, step, it->second});
      }
    }
    i = end;
  }
  std::sort(hits->begin() + static_cast<std::ptrdiff_t>(first_hit), hits->end(),
            [](const PathHit& a, const PathHit& b) {
              return std::pair(a.slot, a.step) < std::pair(b.slot, b.step);
            });
  return looked_at;
}

std::uint64_t PathIndex::bytes() const {
  return blocks_.size() * sizeof(Block) + entries_ * sizeof(Entry);
}

}  // namespace repath
