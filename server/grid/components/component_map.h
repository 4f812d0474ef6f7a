// Whether cells hang together, for those who only read: what a search need not be begun for. As
// grid/components/components.h of all rules of movement, but found by whoever asks and not by
// whoever edits.
//
// The map is cut into blocks of 512 x 512 cells (grid/components/block_labels.h). What hangs
// together within a block is a piece; pieces that touch other blocks and are joined there are one
// group. Both are functions of the cells, found when first asked for and then there for everybody
// (grid/cells/published_once.h); an edit forgets the block it touches and the groups, and keeps the
// labels of all other tiles. Copies share what is known, so a copy is a snapshot.
//
// Thread rule: as GridLayer; label(), join() and all that asks may be called by many threads at
// once on one object that nobody updates. Memory: 100 bytes a block, and once it is known 1.3 KB, 4
// bytes a part, and for each tile that is neither all free nor all blocked 200 and 2 a run, within
// FactMemory.
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
#include "grid/cells/published_once.h"
#include "grid/cells/topology.h"
#include "grid/components/block_labels.h"

namespace repath {

// What searches have shown of whether it pays to know what hangs together. Any thread; a hint.
struct LabelDemand : CowCounted {
  static constexpr std::uint32_t kPatienceMax = 16;

  // Expansions of searches that ended without a path since labels were made last.
  mutable std::atomic<std::uint64_t> in_vain{0};
  // Labels are made once searches have cost as many times as much.
  mutable std::atomic<std::uint32_t> patience{kPatienceMax};
};

class ComponentMap {
 public:
  // Knows nothing yet. `topology`: only whether the cells are hexagons. O(blocks).
  ComponentMap(const GridLayer& layer, Topology topology,
               Cow<FactMemory> memory = Cow<FactMemory>(new FactMemory));

  // Goes over to another layer of the same size, and forgets what its changes touched. O(pages of
  // tiles + changed pages x tiles + changed tiles).
  void update(const GridLayer& layer);

  enum class Answer : std::uint8_t { kTogether, kApart, kUnknown };
  // Whether steps lead from `from` to one of `cells`, by what is known now. Never kUnknown once
  // join() returned true. A blocked cell hangs together with none. O(cells).
  Answer ask(NodeId from, std::span<const NodeId> cells) const;

  // Equal for two cells exactly if they hang together.
  struct Component {
    std::uint32_t block = 0;  // that it lies within; kNoBlock if it touches several
    std::uint32_t number = 0;
    auto operator<=>(const Component&) const = default;
  };
  static constexpr std::uint32_t kNoBlock = ~std::uint32_t{0};
  // REQUIRES: is_joined(); the cell is free. O(1).
  Component component_of(NodeId cell) const;

  std::uint32_t block_count() const { return static_cast<std::uint32_t>(blocks_.size()); }
  std::uint32_t block_of(NodeId cell) const;
  // Finds what hangs together in the block; the same as doing nothing if it is known. False: the
  // memory is full.
  bool label(std::uint32_t block) const;
  // Joins the blocks. False: the memory is full, or not all of them are known.
  bool join() const;
  // All blocks, and joins them. False: the memory is full.
  bool find_all() const;
  bool is_joined() const { return whole_->groups.get() != nullptr; }

  // About what label() and join() would take, in expansions of a search; 0: nothing.
  WorkUnits units_to_label(std::uint32_t block) const;  // O(1), O(tiles touched) of a known block
  WorkUnits units_to_join() const;                      // O(1); without the blocks

  // Of all copies together.
  const LabelDemand& demand() const { return *demand_; }
  // Of the places for labels; these are counted in memory().
  std::uint64_t bytes() const;
  const FactMemory& memory() const { return *memory_; }

 private:
  struct Block : CowCounted {
    PublishedOnce<BlockLabels> labels;
    Cow<BlockLabels> before;    // of an earlier layer
    std::uint64_t touched = 0;  // bit i: tile i has changed since
  };
  struct Piece {
    std::uint32_t block = 0;
    std::uint32_t piece = 0;
    bool is_known = false;
    bool is_open = false;
    bool operator==(const Piece&) const = default;
  };
  // Which pieces make one group, by first[block] + piece; of open ones only.
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
