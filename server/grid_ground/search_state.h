// A search with what it reads: either the live layer, taking in each delta before it goes on, or
// one fixed revision to its end.
//
// A search begins fresh on the world's revision and stays on it, so it ends at any rate of edits.
// Before a commit changes the layer under it, pin() keeps a copy-on-write snapshot. Once it has
// ended, an incremental search can be taken back to the live layer (follow()). That costs only the
// work that the deltas since then touch. Not thread-safe; advance() of different states may run in
// parallel while world and log stay unchanged. Borrows world, log and goals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "grid/cells/goals.h"
#include "grid/cells/graph.h"
#include "grid_ground/delta_log.h"
#include "grid_ground/path_search.h"
#include "grid_ground/search_memory.h"
#include "world/world.h"

namespace repath {

class SearchState {
 public:
  struct Slice {
    Progress progress = Progress::kOutOfBudget;
    WorkUnits used = 0;  // may exceed the grant by what catching up costs
  };

  SearchState(const World& world, const DeltaLog& log, ViewId view, const Goals& goals,
              SearchKind kind, SearchMemory& memory);
  ~SearchState();
  SearchState(const SearchState&) = delete;
  SearchState& operator=(const SearchState&) = delete;

  SearchKind kind() const { return kind_; }
  // Revision that its answers are about.
  Revision revision() const { return revision_; }
  // Reads one revision to its end, not the live layer.
  bool is_fixed() const { return fixed_; }

  // Holds no work: never begun, or given up for memory.
  bool is_empty() const { return search_ == nullptr; }

  // Forgets all work and begins again on the world's revision. REQUIRES for kJump: the world keeps
  // a jump map of the view, and its layer is uniform.
  void begin(NodeId start);
  // Returns whether follow() is possible and would feed at most `nodes_max` changed nodes.
  bool can_follow(std::uint64_t nodes_max) const;
  // Goes back to the live layer. REQUIRES: can_follow().
  void follow();
  // Keeps a snapshot for a search on a fixed revision, before the world changes. O(pages of the
  // layer).
  void pin();

  // Notes that no agent waits for its answer now. It reads the live layer from now on, if it can,
  // or keeps its snapshot.
  void rest();
  // Notes that its knowledge of its revision is useless. It goes back to the live layer, if it can,
  // or forgets all work.
  void leave_revision();
  // Gives all memory back.
  void give_up();
  // Counts its memory, and as used just now.
  void note_use();

  // Works for at most `grant` units on the cost from `target`.
  Slice advance(NodeId target, WorkUnits grant);

  // The graph that the search read when it ended, and the search. Valid until the next commit or
  // call.
  const GridGraph& graph() const { return graph_; }
  const PathSearch& search() const { return *search_; }
  std::uint64_t bytes() const;

 private:
  friend class SearchMemory;
  void read_live();
  void unpin();
  void want_pin();
  void want_no_pin();
  WorkUnits catch_up();

  const World& world_;
  const DeltaLog& log_;
  ViewId view_;
  const Goals& goals_;
  SearchKind kind_;
  SearchMemory& memory_;
  static constexpr std::size_t kNoPlace = ~std::size_t{0};
  std::uint64_t use_ = 0;          // its key there; 0: it is not there yet
  std::size_t pin_at_ = kNoPlace;  // its place among those to pin
  std::uint64_t bytes_noted_ = 0;  // its part of the sum
  Revision revision_{};
  bool fixed_ = true;
  std::optional<GridLayer> pinned_;
  JumpMap jumps_;  // of kJump, while it works
  GridGraph graph_;
  std::unique_ptr<PathSearch> search_;
};

}  // namespace repath
