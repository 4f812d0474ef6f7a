// Runs one query's kernels to their end within its limits. Belongs to one query on one thread.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/queries.h"
#include "search/graph.h"
#include "search/limits.h"

namespace repath {

class QueryRun {
 public:
  // Borrows what `limits` borrows.
  explicit QueryRun(const QueryLimits& limits) : stop_(limits.stop), left_(limits.max_expansions) {}

  // Calls advance(&expansions) slice by slice until it ends, the expansions of all searches of this
  // query are spent, or `stop` says so; the latter two are kOutOfBudget.
  template <class Advance>
  auto to_end(Advance advance) {
    for (;;) {
      const auto granted = static_cast<std::uint32_t>(std::min<std::uint64_t>(left_, kSlice));
      std::uint32_t expansions = granted;
      const auto progress = advance(&expansions);  // Progress or LimitedProgress
      left_ -= granted - expansions;
      if (progress != decltype(progress)::kOutOfBudget) return progress;
      if (left_ == 0 || (stop_ != nullptr && stop_->stop_requested())) return progress;
    }
  }

 private:
  static constexpr std::uint64_t kSlice = 4096;

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
