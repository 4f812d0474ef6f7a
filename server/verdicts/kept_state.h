// A search with what it reads: either the live ground, taking in each delta before it goes on, or
// one fixed revision to its end. Each kind of world derives its state from this class.
//
// Once a search on a fixed revision has ended, an incremental one can be taken back to the live
// ground (follow()). That costs only the work that the deltas since then touch. Not thread-safe;
// advance() of different states may run in parallel while world and log stay unchanged.
//
// `State` derives from this class, and defines:
//   `covers`             whether every delta after a revision is known, and the search could take
//                        these in.
//   `changed_after`      the number of changed nodes that these deltas name.
//   `today`              the world's revision.
//   `read_live`          lets the search read the live ground, and lets go of any other.
//   `note_follows`       called when the search goes back to the live ground.
//   `feed`               hands the changed nodes after `revision()` to the search; returns how
//                        many.
//   `let_go`             lets go of all that only a search needs.
//   `other_bytes`        the memory of what it holds beside the search.
//   `advance_search`     one slice of the search, on any thread.
// `Search` has bytes(); `Target` is what a search is asked about.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "base/check.h"
#include "base/ids.h"
#include "search/kept_search.h"
#include "verdicts/kept_memory.h"

namespace repath {

template <class State, class Search, class Target>
class KeptState {
 public:
  struct Slice {
    Progress progress = Progress::kOutOfBudget;
    WorkUnits used = 0;  // may exceed the grant by what catching up costs
  };
  // Number of changed nodes that can be taken in at the cost of one expansion: that only reads
  // their neighbours, while an expansion writes to them.
  static constexpr std::uint64_t kFedNodesPerUnit = 8;

  KeptState(const KeptState&) = delete;
  KeptState& operator=(const KeptState&) = delete;

  SearchKind kind() const { return kind_; }
  // Revision that its answers are about.
  Revision revision() const { return revision_; }
  // Reads one revision to its end, not the live ground.
  bool is_fixed() const { return fixed_; }
  // Holds no work: never begun, or given up for memory.
  bool is_empty() const { return search_ == nullptr; }

  // Returns whether follow() is possible and would feed at most `nodes_max` changed nodes.
  bool can_follow(std::uint64_t nodes_max) const {
    return search_ != nullptr && is_incremental(kind_) && self().covers(revision_) &&
           self().changed_after(revision_) <= nodes_max;
  }
  // Goes back to the live ground. Before it may go on there, after each commit, the owner asks
  // can_follow().
  void follow() {
    REPATH_CHECK(search_ != nullptr && is_incremental(kind_));
    self().read_live();
    fixed_ = false;
    self().note_follows();
  }
  // Notes that its knowledge of its revision is useless. It goes back to the live ground, if it
  // can, or forgets all work.
  void leave_revision() {
    if (is_incremental(kind_)) {
      follow();
    } else {
      give_up();
    }
  }
  // Gives all memory back.
  void give_up() {
    search_.reset();
    self().let_go();
    note_use();
  }
  // Counts its memory again, and notes that it was used just now.
  void note_use() { seat_.note_use(bytes()); }

  // Works for at most `grant` units on the cost from `target`. REQUIRES: it is fixed, or
  // can_follow() with any number of nodes.
  Slice advance(const Target& target, WorkUnits grant) {
    Slice slice;
    if (!fixed_) slice.used = catch_up();
    if (slice.used >= grant && slice.used > 0) return slice;
    const WorkUnits rest = grant - slice.used;
    const auto most = static_cast<std::uint32_t>(
        std::min<WorkUnits>(rest, std::numeric_limits<std::uint32_t>::max()));
    std::uint32_t left = most;
    slice.progress = self().advance_search(target, &left);
    slice.used += most - left;
    return slice;
  }

  const Search& search() const { return *search_; }
  std::uint64_t bytes() const {
    return sizeof(State) + (search_ ? search_->bytes() : 0) + self().other_bytes();
  }

 protected:
  KeptState(SearchKind kind, KeptMemory<State>& memory)
      : kind_(kind), seat_(memory, static_cast<State*>(this)) {}
  ~KeptState() = default;

  // Holds this search from now on, which reads today's ground to its end.
  void begin_with(std::unique_ptr<Search> search) {
    search_ = std::move(search);
    fixed_ = true;
    revision_ = self().today();
  }

  std::unique_ptr<Search> search_;

 private:
  State& self() { return static_cast<State&>(*this); }
  const State& self() const { return static_cast<const State&>(*this); }

  // The kernel borrows its graph, which stays where it is; what it shows has changed.
  WorkUnits catch_up() {
    REPATH_CHECK(self().covers(revision_));
    const std::uint64_t nodes = self().feed();
    revision_ = self().today();
    return (nodes + kFedNodesPerUnit - 1) / kFedNodesPerUnit;
  }

  SearchKind kind_;
  typename KeptMemory<State>::Seat seat_;
  Revision revision_{};
  bool fixed_ = true;
};

}  // namespace repath
