// Whether cells are connected, so that a search need not be started in vain. It gives the answers
// of grid/components/components.h for all movement rules, but the query that asks first does the
// work instead of the edit.
//
// The map is cut into blocks of 512 x 512 cells (grid/components/block_labels.h). Connected cells
// of a block are a piece. Pieces that touch other blocks and are joined there form a group. Pieces
// and groups depend on the cells alone; the first query that needs them finds them and shares them
// with all others (grid/cells/fact_memory.h). An edit forgets the block that it touches and the
// groups, and keeps the labels of all other tiles. Copies share the known labels, so a copy is a
// snapshot.
//
// Thread rule: as GridLayer. Many threads may call label(), join() and the queries at once on one
// object that no thread updates. Memory: 100 bytes for each block. A labelled block takes 1.3 KB
// more, 4 bytes for each part, and for each tile that is neither all free nor all blocked 200 bytes
// and 2 for each run. FactMemory limits it.
#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"
#include "grid/cells/cow.h"
#include "grid/cells/fact_memory.h"
#include "grid/cells/layer.h"
#include "grid/cells/topology.h"
#include "grid/components/block_labels.h"

namespace repath {

// Experience from searches about whether labels pay. Any thread may use it; it is only a hint.
struct LabelDemand : CowCounted {
  static constexpr std::uint32_t kPatienceMax = 16;

  // Number of expansions of searches that ended without a path since labels were last made.
  mutable std::atomic<std::uint64_t> in_vain{0};
  // Labels are made when searches in vain have cost this many times as much as the labels.
  mutable std::atomic<std::uint32_t> patience{kPatienceMax};
};

class ComponentMap {
 public:
  // Makes a map without labels. `topology` only matters in that the cells may be hexagons.
  // O(blocks).
  ComponentMap(const GridLayer& layer, Topology topology,
               Cow<FactMemory> memory = Cow<FactMemory>(new FactMemory));

  // Switches to another layer of the same size, and forgets the labels that its changes touch.
  // O(pages of tiles + changed pages x tiles + changed tiles).
  void update(const GridLayer& layer);

  enum class Answer : std::uint8_t { kTogether, kApart, kUnknown };
  // Returns whether steps lead from `from` to one of `cells`, by the labels known now; never
  // kUnknown once join() has returned true. A blocked cell is not connected to any cell. O(cells).
  Answer ask(NodeId from, std::span<const NodeId> cells) const;

  // Equal for two cells iff they are connected.
  struct Component {
    // Block that holds the whole component; kNoBlock if it touches several.
    std::uint32_t block = 0;
    std::uint32_t number = 0;
    auto operator<=>(const Component&) const = default;
  };
  static constexpr std::uint32_t kNoBlock = ~std::uint32_t{0};
  // REQUIRES: is_joined(); the cell is free. O(1).
  Component component_of(NodeId cell) const {
    const Piece piece = piece_of(layer_.x_of(cell), layer_.y_of(cell));
    if (!piece.is_open) return {piece.block, piece.piece};
    return {kNoBlock, whole_->groups.get()->of(piece)};
  }

  std::uint32_t block_count() const { return static_cast<std::uint32_t>(blocks_.size()); }
  std::uint32_t block_of(NodeId cell) const {
    const std::int32_t x = layer_.x_of(cell);
    const std::int32_t y = layer_.y_of(cell);
    return static_cast<std::uint32_t>(block_at(x >> kTileBits, y >> kTileBits));
  }
  // Labels the block if it is not labelled yet. Returns false if the memory is full.
  bool label(std::uint32_t block) const;
  // Joins the blocks. Returns false if the memory is full or some block is not labelled.
  bool join() const;
  // Labels all blocks and joins them. Returns false if the memory is full.
  bool find_all() const {
    for (std::uint32_t block = 0; block < block_count(); ++block)
      if (!label(block)) return false;
    return join();
  }
  bool is_joined() const { return whole_->groups.get() != nullptr; }

  // Return the approximate cost of label() and join() in expansions of a search; 0 if there is no
  // work.
  // O(1); O(tiles touched) for a labelled block.
  WorkUnits units_to_label(std::uint32_t block) const;
  WorkUnits units_to_join() const;  // O(1); without the blocks

  // Shared by all copies.
  const LabelDemand& demand() const { return *demand_; }
  // Returns the memory of the places for labels. The labels themselves are counted in memory().
  std::uint64_t bytes() const {
    return blocks_.size() * (sizeof(Block) + sizeof(Cow<Block>)) + sizeof(Whole);
  }
  const FactMemory& memory() const { return *memory_; }

 private:
  struct Block : CowCounted {
    PublishedOnce<BlockLabels> labels;
    Cow<BlockLabels> before;    // labels of an earlier layer
    std::uint64_t touched = 0;  // bit i: tile i has changed since `before`
  };
  struct Piece {
    std::uint32_t block = 0;
    std::uint32_t piece = 0;
    bool is_known = false;
    bool is_open = false;
    bool operator==(const Piece&) const = default;
  };
  // The group of each open piece, by first[block] + piece.
  struct Groups : CowCounted {
    std::vector<std::uint32_t> first;  // by block
    std::vector<std::uint32_t> group;
    HeldBytes held;

    // REQUIRES: the piece is open.
    std::uint32_t of(const Piece& piece) const { return group[first[piece.block] + piece.piece]; }
  };
  struct Whole : CowCounted {
    PublishedOnce<Groups> groups;
  };

  // REQUIRES: the cell is free.
  Piece piece_of(std::int32_t x, std::int32_t y) const;
  Answer ask(const Piece& own, const Piece& other, const Groups* groups) const;
  std::size_t block_at(std::int32_t tx, std::int32_t ty) const {
    return static_cast<std::size_t>(ty >> BlockLabels::kBits) * blocks_x_ +
           static_cast<std::size_t>(tx >> BlockLabels::kBits);
  }
  WorkUnits units_for_tile(std::uint32_t block, std::uint64_t tile) const;
  void touch(std::int32_t tx, std::int32_t ty);
  void join_block(std::size_t block, const Groups& groups, UnitedSets* sets) const;

  GridLayer layer_;
  bool is_hex_;
  std::size_t blocks_x_;
  std::vector<Cow<Block>> blocks_;
  Cow<Whole> whole_;
  Cow<LabelDemand> demand_;
  Cow<FactMemory> memory_;
};

}  // namespace repath
