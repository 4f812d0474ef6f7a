// Which held paths pass where: so that a change costs only the paths in the blocks it touches.
//
// The map is cut into blocks of 16 x 16 cells. A block lists the runs of path steps that begin in
// it: (slot, generation of the path, first step, past the last one). Entries of paths that were
// replaced or walked past are dropped when a change meets them; besides, every entry made pays for
// a look at kSweptEach others, block after block, so that no more are dead than live and no call
// pays for all. The last few paths are not in blocks yet: each is looked through whole, in strides,
// so that paths that do not last cost no more than that. Not thread-safe. Borrows the table, which
// must outlive it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "grid/edges.h"
#include "grid/layer.h"
#include "replan/agent_table.h"
#include "replan/place.h"
#include "replan/pooled_lists.h"

namespace repath {

// Step `step` of the agent's path, nodes[step] to nodes[step + 1], is among the changes looked for.
struct PathHit {
  Slot slot{};
  std::uint32_t step = 0;
  const EdgeChange* change = nullptr;
};

class PathIndex {
 public:
  PathIndex(const AgentTable& agents, std::int32_t width, std::int32_t height);

  // The agent's held path, from its place on. An older path of the slot stops counting when its
  // generation, which no two paths share, is no longer the agent's. `layer`: any of the world's.
  // O(1), and O(length) for the path that has been among the last few for longest, amortized over a
  // block's entries.
  void add(const GridLayer& layer, Slot slot);
  // Every changed step that still lies before an agent of the view, by slot and then step; added to
  // `hits`. REQUIRES: changes sorted by (from, to). Drops dead entries on its way.
  // O(changes + entries of the blocks touched). Returns how many steps were looked at.
  std::uint64_t find(ViewId view, const GridLayer& layer, const std::vector<EdgeChange>& changes,
                     std::vector<PathHit>* hits);

  std::uint64_t bytes() const { return blocks_.bytes(); }

 private:
  struct Entry {
    Slot slot{};
    std::uint32_t generation = 0;
    std::uint32_t first = 0;  // steps [first, end)
    std::uint32_t end = 0;
  };
  static constexpr std::size_t kRecentMax = 8;
  static constexpr std::size_t kSweptEach = 2;

  // Cells of one block, and the changes that begin in them, in their order.
  struct Change {
    std::size_t block = 0;
    std::array<std::uint64_t, 4> cells{};
    std::vector<const EdgeChange*> edges;
  };

  std::size_t block_of(Place p) const;
  void enter_blocks(const GridLayer& layer, const Entry& whole);
  void gather(const GridLayer& layer, const std::vector<EdgeChange>& changes);
  std::uint64_t find_in_blocks(ViewId view, const GridLayer& layer,
                               const std::vector<EdgeChange>& changes, std::vector<PathHit>* hits);
  std::uint64_t find_among_recent(ViewId view, const GridLayer& layer,
                                  const std::vector<EdgeChange>& changes,
                                  std::vector<PathHit>* hits);
  bool is_live(const Entry& e) const;
  void sweep();

  const AgentTable& agents_;
  std::int32_t blocks_x_;
  PooledLists<Entry> blocks_;
  std::vector<Entry> recent_;  // whole paths that are in no block yet, the oldest first
  // Of one call of find(); kept for their memory.
  std::vector<Change> changes_;
  std::size_t changes_used_ = 0;
  std::vector<std::uint32_t> change_at_;  // by column of blocks: its place in changes_
  std::size_t sweep_at_ = 0;              // the next block to be swept
  std::size_t sweep_owed_ = 0;            // entries to be looked at
};

}  // namespace repath
