// Runs one query's kernels to their end within its limits. Belongs to one query on one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "engine/cut_off.h"
#include "engine/queries.h"
#include "grid/cells/place.h"
#include "grid/cells/snap.h"
#include "search/graph.h"

namespace repath {

// The place where a query's path begins.
template <class Position>
struct QueryStart {
  std::optional<Position> place;
  bool is_blocked = false;  // the place, if there is one, is the nearest free one
};

inline QueryStart<NodeId> find_start(const GridLayer& layer, MapPoint from, bool snaps) {
  const NodeId node = node_at(layer, from);
  if (layer.is_free(node)) return {node};
  if (!snaps) return {std::nullopt, true};
  return {nearest_free_cell(layer, from, kSnapCellsMax), true};
}

// Adds a search's own figures to the answer, whether or not it found a path.
template <class Kernel>
void add_effort(const Kernel& kernel, PathAnswer* answer) {
  answer->expanded += kernel.expanded();
  if constexpr (requires { kernel.generated(); }) answer->generated += kernel.generated();
  answer->peak_bytes = std::max<std::uint64_t>(answer->peak_bytes, kernel.bytes());
}

// `Ends` is Progress or LimitedProgress.
template <class Ends>
QueryState query_state(Ends progress) {
  if (progress == Ends::kPathFound) return QueryState::kComplete;
  if (progress == Ends::kNoPath) return QueryState::kUnreachable;
  if constexpr (requires { Ends::kMemoryLimit; })
    if (progress == Ends::kMemoryLimit) return QueryState::kOutOfMemory;
  return QueryState::kOutOfBudget;
}

class QueryRun {
 public:
  // Borrows what `limits` borrows.
  explicit QueryRun(const QueryLimits& limits)
      : stop_(limits.stop),
        left_(limits.max_expansions),
        bytes_max_(limits.bytes_max),
        work_(limits.work) {}

  // Calls search.advance(&expansions) slice by slice until it ends. Returns kOutOfBudget if the
  // expansions of all searches of this query are spent, if the search's memory exceeds the limit,
  // or if `stop` requests it. With `cut_off`, ends with kNoPath as soon as `cut_off` finds that
  // there is no path; if the search itself finds none, it notes that there.
  template <class Search>
  auto to_end(Search& search, CutOff* cut_off = nullptr) {
    std::uint64_t spent = 0;
    for (;;) {
      const auto granted = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(left_, cut_off != nullptr && spent == 0 ? kFirstSlice : kSlice));
      std::uint32_t expansions = granted;
      const auto progress = search.advance(&expansions);  // Progress or LimitedProgress
      left_ -= granted - expansions;
      spent += granted - expansions;
      note_work(search, granted - expansions);
      using Ends = decltype(progress);
      if (progress == Ends::kNoPath && cut_off != nullptr) cut_off->note_no_path(spent);
      if (progress != Ends::kOutOfBudget) return progress;
      if (left_ == 0 || (stop_ != nullptr && stop_->stop_requested())) return progress;
      if constexpr (requires { search.bytes(); }) {
        is_out_of_memory_ = search.bytes() > bytes_max_;
        if (is_out_of_memory_) return progress;
      }
      if (cut_off != nullptr && cut_off->is_found(spent)) return Ends::kNoPath;
    }
  }

  // Returns the state of an answer whose last search ended so.
  template <class Ends>
  QueryState state_after(Ends progress) const {
    const QueryState state = query_state(progress);
    return state == QueryState::kOutOfBudget && is_out_of_memory_ ? QueryState::kOutOfMemory
                                                                  : state;
  }

 private:
  // Counts the work of a slice, with that of edges, which max_expansions does not limit.
  template <class Search>
  void note_work(Search& search, std::uint64_t expansions) {
    if (work_ == nullptr) return;
    *work_ += expansions;
    if constexpr (requires { search.take_edge_units(); }) *work_ += search.take_edge_units();
  }

  static constexpr std::uint64_t kSlice = 4096;
  static constexpr std::uint64_t kFirstSlice = 512;  // labels of a small map cost no more

  const StopToken* stop_;
  std::uint64_t left_;
  std::size_t bytes_max_;
  std::uint64_t* work_;  // may be null
  bool is_out_of_memory_ = false;
};

}  // namespace repath
