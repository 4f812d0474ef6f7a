// A grid's search with what it reads (verdicts/kept_state.h): either the live layer, or one fixed
// revision.
//
// A search begins fresh on the world's revision and stays on it, so it ends at any rate of edits.
// Before a commit changes the layer under it, pin() keeps a copy-on-write snapshot. Not
// thread-safe; advance() of different states may run in parallel while world and log stay
// unchanged. Borrows world, log and goals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/ids.h"
#include "grid/cells/goals.h"
#include "grid/cells/graph.h"
#include "grid_ground/delta_log.h"
#include "grid_ground/path_search.h"
#include "grid_ground/search_memory.h"
#include "verdicts/kept_state.h"
#include "world/world.h"

namespace repath {

class SearchState : public KeptState<SearchState, PathSearch, NodeId> {
 public:
  SearchState(const World& world, const DeltaLog& log, ViewId view, const Goals& goals,
              SearchKind kind, SearchMemory& memory);
  ~SearchState();

  // Forgets all work and begins again on the world's revision. REQUIRES for kJump: the world keeps
  // a jump map of the view, and its layer is uniform.
  void begin(NodeId start);
  // Keeps a snapshot for a search on a fixed revision, before the world changes. O(pages of the
  // layer).
  void pin();
  // Notes that no agent waits for its answer now. It reads the live layer from now on, if it can,
  // or keeps its snapshot.
  void rest();

  // The graph that the search read when it ended. Valid until the next commit or call.
  const GridGraph& graph() const { return graph_; }

 private:
  friend class SearchMemory;
  friend KeptState;

  bool covers(Revision since) const { return log_.covers(view_, since); }
  std::uint64_t changed_after(Revision since) const {
    return log_.changed_nodes_after(view_, since);
  }
  Revision today() const { return world_.revision(); }
  void read_live();
  void note_follows() { want_no_pin(); }
  std::uint64_t feed();
  void let_go();
  std::uint64_t other_bytes() const { return pinned_ ? pinned_->bytes() / 8 : 0; }
  Progress advance_search(NodeId target, std::uint32_t* left) {
    return search_->advance(target, left);
  }

  void unpin();
  void want_pin();
  void want_no_pin();

  const World& world_;
  const DeltaLog& log_;
  ViewId view_;
  const Goals& goals_;
  SearchMemory& memory_;
  static constexpr std::size_t kNoPlace = ~std::size_t{0};
  std::size_t pin_at_ = kNoPlace;  // its place among those to pin
  std::optional<GridLayer> pinned_;
  JumpMap jumps_;  // of kJump, while it works
  GridGraph graph_;
};

}  // namespace repath
