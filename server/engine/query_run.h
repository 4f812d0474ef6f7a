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

class QueryRun {
 public:
  // Borrows what `limits` borrows.
  explicit QueryRun(const QueryLimits& limits) : stop_(limits.stop), left_(limits.max_expansions) {}

  // Calls advance(&expansions) slice by slice until it ends. Returns kOutOfBudget if the expansions
  // of all searches of this query are spent or `stop` requests it.
  template <class Advance>
  auto to_end(Advance advance) {
    return to_end(advance, nullptr);
  }
  // Does the same, and ends with kNoPath as soon as `cut_off` finds that there is no path. A search
  // that ends without a path is noted in `cut_off`, which may be null.
  template <class Advance>
  auto to_end(Advance advance, CutOff* cut_off) {
    std::uint64_t spent = 0;
    for (;;) {
      const auto granted = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(left_, cut_off != nullptr && spent == 0 ? kFirstSlice : kSlice));
      std::uint32_t expansions = granted;
      const auto progress = advance(&expansions);  // Progress or LimitedProgress
      left_ -= granted - expansions;
      spent += granted - expansions;
      using Ends = decltype(progress);
      if (progress == Ends::kNoPath && cut_off != nullptr) cut_off->note_no_path(spent);
      if (progress != Ends::kOutOfBudget) return progress;
      if (left_ == 0 || (stop_ != nullptr && stop_->stop_requested())) return progress;
      if (cut_off != nullptr && cut_off->is_found(spent)) return Ends::kNoPath;
    }
  }

 private:
  static constexpr std::uint64_t kSlice = 4096;
  static constexpr std::uint64_t kFirstSlice = 512;  // labels of a small map cost no more

  const StopToken* stop_;
  std::uint64_t left_;
};

inline QueryState query_state(Progress progress) {
  switch (progress) {
    case Progress::kPathFound:
      return QueryState::kComplete;
    case Progress::kNoPath:
      return QueryState::kUnreachable;
    case Progress::kOutOfBudget:
      break;
  }
  return QueryState::kOutOfBudget;
}

inline QueryState query_state(LimitedProgress progress) {
  switch (progress) {
    case LimitedProgress::kPathFound:
      return QueryState::kComplete;
    case LimitedProgress::kNoPath:
      return QueryState::kUnreachable;
    case LimitedProgress::kMemoryLimit:
      return QueryState::kOutOfMemory;
    case LimitedProgress::kOutOfBudget:
    case LimitedProgress::kWorkLimit:
      break;
  }
  return QueryState::kOutOfBudget;
}

}  // namespace repath
