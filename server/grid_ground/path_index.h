// Which held paths pass where: so that a change costs only the paths in the blocks it touches.
//
// The map is cut into blocks of 16 x 16 cells. A block lists the runs of path steps that begin in
// it. Steps are counted from the path's end: a new path mostly ends as the old one did, and the
// steps that both have in common stay listed. An entry is dead if its steps belong to no path any
// more. A change that meets a dead entry drops it. Besides, every entry made pays for a look at
// kSweptEach others, block after block. So at most as many entries are dead as live, and no call
// pays for all. The last few paths are not in blocks yet: the new part of each is looked through
// whole, in strides. So a path that does not last costs only that look. Not thread-safe. Borrows
// the table, which must outlive it.
//
// Invariant: each of a held path's last `entered` steps is in one live entry of its block. The
// other steps are in none. If any of the other steps lie ahead, the slot is among the last few.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "grid/cells/edges.h"
#include "grid/cells/layer.h"
#include "grid/cells/place.h"
#include "grid_ground/agent_table.h"
#include "grid_ground/pooled_lists.h"

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

  // Adds the agent's held path, from its place on. Its last `kept` nodes were the last ones of the
  // path before it, as far as that lay ahead. `kept` is 0 if the slot had no path, or it was
  // removed. `layer`: any of the world's. O(1), and O(new steps) for the path that has been among
  // the last few for longest, amortized over a block's entries.
  void add(const GridLayer& layer, Slot slot, std::size_t kept);
  // Removes an agent that holds no path any more, or is gone. O(1).
  void remove(Slot slot);
  // Adds to `hits` every changed step that still lies before an agent of the view, by slot and then
  // step. Drops dead entries on its way. Returns how many steps were looked at. REQUIRES: changes
  // sorted by (from, to). O(changes + entries of the blocks touched).
  std::uint64_t find(ViewId view, const GridLayer& layer, const std::vector<EdgeChange>& changes,
                     std::vector<PathHit>* hits);
  // Adds to `slots` the agents whose path goes on from within `box`, each once, until there are
  // `most`. `layer`: any of the world's. Returns how many entries were looked at. O(entries of the
  // blocks touched).
  std::uint64_t find_walkers(const GridLayer& layer, const PlaceBox& box, std::size_t most,
                             std::vector<Slot>* slots) const;

  std::uint64_t bytes() const { return blocks_.bytes() + held_.capacity() * sizeof(Held); }

 private:
  // Steps of a slot's path in one block: the first has `left` steps to the end, itself included.
  struct Entry {
    Slot slot{};
    std::uint32_t generation = 0;  // generation of the path they were entered for
    std::uint32_t left = 0;
    std::uint32_t steps = 0;
  };
  // For paths up to this generation, the last `left` steps are steps of the held path, too.
  struct Kept {
    std::uint32_t generation = 0;
    std::uint32_t left = 0;
  };
  static constexpr std::size_t kKeptMax = 4;  // then a path is entered whole
  struct Held {
    std::uint32_t generation = 0;  // counts the slot's paths
    std::uint32_t oldest = 1;      // generation of which something may be left
    std::uint32_t entered = 0;     // steps at the path's end that are in blocks
    std::uint32_t kept_count = 0;
    std::array<Kept, kKeptMax> kept;  // older first, so less of it is left
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
  void enter_blocks(const GridLayer& layer, Slot slot);
  void leave_recent(Slot slot);
  void gather(const GridLayer& layer, const std::vector<EdgeChange>& changes);
  std::uint64_t find_in_blocks(ViewId view, const GridLayer& layer,
                               const std::vector<EdgeChange>& changes, std::vector<PathHit>* hits);
  std::uint64_t find_among_recent(ViewId view, const GridLayer& layer,
                                  const std::vector<EdgeChange>& changes,
                                  std::vector<PathHit>* hits);
  std::uint32_t steps_left(const Entry& e) const;
  bool has_next_step(const Entry& e) const;
  bool is_dead(const Entry& e) const { return steps_left(e) <= e.left - e.steps; }
  void sweep();

  const AgentTable& agents_;
  std::int32_t blocks_x_;
  PooledLists<Entry> blocks_;
  std::vector<Held> held_;    // by slot
  std::vector<Slot> recent_;  // those with steps in no block yet, the oldest first
  // Scratch memory of one call of find(), kept between calls.
  std::vector<Change> changes_;
  std::size_t changes_used_ = 0;
  std::vector<std::uint32_t> change_at_;  // by column of blocks: its place in changes_
  std::size_t sweep_at_ = 0;              // the next block to be swept
  std::size_t sweep_owed_ = 0;            // entries to be looked at
};

}  // namespace repath
