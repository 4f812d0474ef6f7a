#include "grid/components/component_map.h"

#include <array>
#include <bit>
#include <utility>

#include "base/check.h"
#include "grid/cells/place.h"

namespace repath {
namespace {

// A work unit takes about 0.13 us.
constexpr WorkUnits kUnitsForBlock = 32;
constexpr WorkUnits kUnitsForTile = 4;
// So many run starts of a tile that differ from those in the row above make one unit.
constexpr WorkUnits kChangesForUnit = 6;
constexpr WorkUnits kPartsForUnit = 16;  // so many parts of the block's earlier labels make one
constexpr WorkUnits kUnitsToJoinBlock = 32;

std::size_t blocks_along(std::int32_t tiles) {
  return static_cast<std::size_t>((tiles + BlockLabels::kSide - 1) / BlockLabels::kSide);
}

}  // namespace

ComponentMap::ComponentMap(const GridLayer& layer, Topology topology, Cow<FactMemory> memory)
    : layer_(layer),
      is_hex_(topology == Topology::kHex),
      blocks_x_(blocks_along(layer.tiles_x())),
      whole_(new Whole),
      demand_(new LabelDemand),
      memory_(std::move(memory)) {
  const std::size_t blocks = blocks_x_ * blocks_along(layer.tiles_y());
  blocks_.reserve(blocks);
  while (blocks_.size() < blocks) blocks_.emplace_back(new Block);
}

void ComponentMap::update(const GridLayer& layer) {
  REPATH_CHECK(layer.width() == layer_.width() && layer.height() == layer_.height());
  const GridLayer before = std::exchange(layer_, layer);
  bool is_changed = false;
  layer.for_each_tile_not_of(before, [&](std::int32_t tx, std::int32_t ty) {
    if (before.tile(tx, ty).free == layer.tile(tx, ty).free) return;
    is_changed = true;
    touch(tx, ty);
  });
  if (is_changed) whole_ = Cow<Whole>(new Whole);
}

// Marks a changed tile. A block that a copy of the map shares is not written, even if its labels
// are still unknown: the copy may find them at any time for its own layer. The same holds for the
// groups.
void ComponentMap::touch(std::int32_t tx, std::int32_t ty) {
  Block& block = blocks_[block_at(tx, ty)].writable();
  if (block.labels.get() != nullptr) {
    block.before = block.labels.share();
    block.touched = 0;
    block.labels.clear();
  }
  block.touched |= std::uint64_t{1} << BlockLabels::index_of(tx, ty);
}

ComponentMap::Piece ComponentMap::piece_of(std::int32_t x, std::int32_t y) const {
  const std::size_t block = block_at(x >> kTileBits, y >> kTileBits);
  const BlockLabels* labels = blocks_[block]->labels.get();
  if (labels == nullptr) return {static_cast<std::uint32_t>(block), 0, false, false};
  const std::uint32_t piece = labels->piece_at(layer_, x, y);
  return {static_cast<std::uint32_t>(block), piece, true, piece < labels->open};
}

ComponentMap::Answer ComponentMap::ask(const Piece& own, const Piece& other,
                                       const Groups* groups) const {
  const bool are_known = own.is_known && other.is_known;
  if (are_known && own == other) return Answer::kTogether;
  const bool is_any_closed = (own.is_known && !own.is_open) || (other.is_known && !other.is_open);
  // In one block both pieces are known, unless another thread has found them in between.
  if (is_any_closed && (are_known || own.block != other.block)) return Answer::kApart;
  if (!are_known || groups == nullptr) return Answer::kUnknown;
  return groups->of(own) == groups->of(other) ? Answer::kTogether : Answer::kApart;
}

ComponentMap::Answer ComponentMap::ask(NodeId from, std::span<const NodeId> cells) const {
  const Place start = place_of(layer_, from);
  if (!layer_.is_free(start.x, start.y)) return Answer::kApart;
  const Piece own = piece_of(start.x, start.y);
  const Groups* groups = whole_->groups.get();
  Answer answer = Answer::kApart;
  for (const NodeId cell : cells) {
    const Place at = place_of(layer_, cell);
    if (!layer_.is_free(at.x, at.y)) continue;
    const Answer one = ask(own, piece_of(at.x, at.y), groups);
    if (one == Answer::kTogether) return one;
    if (one == Answer::kUnknown) answer = one;
  }
  return answer;
}

bool ComponentMap::label(std::uint32_t block) const {
  const Block& at = *blocks_[block];
  if (at.labels.get() != nullptr) return true;
  if (memory_->is_full()) return false;
  const auto by = static_cast<std::int32_t>(block / blocks_x_);
  const auto bx = static_cast<std::int32_t>(block % blocks_x_);
  at.labels.publish(label_block(layer_, is_hex_, bx, by, at.before.get(), at.touched, memory_));
  return true;
}

bool ComponentMap::join() const {
  if (is_joined()) return true;
  if (memory_->is_full()) return false;
  auto* groups = new Groups;
  Cow<Groups> made(groups);
  std::uint32_t pieces = 0;
  for (const Cow<Block>& block : blocks_) {
    const BlockLabels* labels = block->labels.get();
    if (labels == nullptr) return false;
    groups->first.push_back(pieces);
    pieces += labels->open;
  }
  UnitedSets sets(pieces);
  for (std::size_t block = 0; block < blocks_.size(); ++block) join_block(block, *groups, &sets);
  groups->group.reserve(pieces);
  for (std::uint32_t piece = 0; piece < pieces; ++piece) groups->group.push_back(sets.find(piece));
  groups->held.hold(
      memory_, sizeof(Groups) +
                   (groups->first.capacity() + groups->group.capacity()) * sizeof(std::uint32_t));
  whole_->groups.publish(std::move(made));
  return true;
}

// Joins the block with its neighbours to the right and below.
void ComponentMap::join_block(std::size_t block, const Groups& groups, UnitedSets* sets) const {
  const auto tile_at = [&](std::int32_t tx, std::int32_t ty) -> LabelledTile {
    const BlockLabels& labels = *blocks_[block_at(tx, ty)]->labels.get();
    return {labels.tiles[BlockLabels::index_of(tx, ty)].get(), layer_.tile(tx, ty).free};
  };
  const auto piece_at = [&](std::int32_t tx, std::int32_t ty, std::uint16_t label) {
    const std::size_t of = block_at(tx, ty);
    const BlockLabels& labels = *blocks_[of]->labels.get();
    return groups.first[of] + labels.piece_of[labels.first[BlockLabels::index_of(tx, ty)] + label];
  };
  const std::int32_t x0 = static_cast<std::int32_t>(block % blocks_x_) * BlockLabels::kSide;
  const std::int32_t y0 = static_cast<std::int32_t>(block / blocks_x_) * BlockLabels::kSide;
  std::vector<Joint> joints;
  for (std::int32_t ty = y0; ty < y0 + BlockLabels::kSide; ++ty)
    for (std::int32_t tx = x0; tx < x0 + BlockLabels::kSide; ++tx)
      for (const TileStep& step : kTileSteps) {
        const std::int32_t ox = tx + step.dx;
        const std::int32_t oy = ty + step.dy;
        if (ox >= layer_.tiles_x() || oy >= layer_.tiles_y() || block_at(ox, oy) == block) continue;
        find_joints(tile_at(tx, ty), tile_at(ox, oy), step.side, is_hex_, &joints);
        for (const Joint& joint : joints)
          sets->unite(piece_at(tx, ty, joint.own), piece_at(ox, oy, joint.other));
      }
}

// A tile of open ground takes 0.12 us, of rooms 0.7 to 1.5, of noise 30 to 50.
WorkUnits ComponentMap::units_to_label(std::uint32_t block) const {
  // If no tile is labelled, some tiles stand for all.
  constexpr std::array<std::uint64_t, 4> kSample{9, 22, 44, 51};
  const Block& at = *blocks_[block];
  if (at.labels.get() != nullptr) return 0;
  if (!at.before) {
    WorkUnits units = 0;
    for (const std::uint64_t tile : kSample) units += units_for_tile(block, tile);
    return kUnitsForBlock + units * (BlockLabels::kTiles / kSample.size());
  }
  WorkUnits units = kUnitsForBlock + at.before->piece_of.size() / kPartsForUnit;
  for (std::uint64_t left = at.touched; left != 0; left &= left - 1)
    units += units_for_tile(block, static_cast<std::uint64_t>(std::countr_zero(left)));
  return units;
}

// Returns 0 for tiles off the map.
WorkUnits ComponentMap::units_for_tile(std::uint32_t block, std::uint64_t tile) const {
  const auto tx =
      static_cast<std::int32_t>(block % blocks_x_ * BlockLabels::kSide + tile % BlockLabels::kSide);
  const auto ty =
      static_cast<std::int32_t>(block / blocks_x_ * BlockLabels::kSide + tile / BlockLabels::kSide);
  if (tx >= layer_.tiles_x() || ty >= layer_.tiles_y()) return 0;
  const auto& rows = layer_.tile(tx, ty).free;
  const auto starts = [&](std::size_t y) { return rows[y] & ~(rows[y] << 1); };
  int changes = 0;
  for (std::size_t y = 1; y < rows.size(); ++y) changes += std::popcount(starts(y) ^ starts(y - 1));
  return kUnitsForTile + static_cast<WorkUnits>(changes) / kChangesForUnit;
}

WorkUnits ComponentMap::units_to_join() const {
  return is_joined() ? 0 : kUnitsToJoinBlock * blocks_.size();
}

}  // namespace repath
