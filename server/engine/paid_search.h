// HPA* within the limit of a query. A slice of HPA* may do more work than it was granted. Some
// work cannot be cut: joining the start and the goals to their clusters, a step between two nodes,
// a window of the smoothing, the facts of a cluster. The work that a slice owes is
// subtracted from the next ones, and the search ends only when nothing is owed. So a search that
// did more work than its limit has run out of budget. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>

namespace repath {

// `Kernel` counts all its work in expanded(), and subtracts at most that from its slices.
template <class Kernel>
class PaidSearch : public Kernel {
 public:
  using Kernel::Kernel;

  // As Kernel::advance.
  [[nodiscard]] auto advance(std::uint32_t* expansions) {
    using Ends = decltype(Kernel::advance(expansions));
    if (!pay(expansions)) return Ends::kOutOfBudget;
    const std::uint32_t granted = *expansions;
    const Ends progress = Kernel::advance(expansions);
    paid_ += granted - *expansions;
    return pay(expansions) ? progress : Ends::kOutOfBudget;
  }

 private:
  // Returns whether nothing is owed any more.
  bool pay(std::uint32_t* expansions) {
    const std::uint64_t owed = Kernel::expanded() - paid_;
    const auto part = static_cast<std::uint32_t>(std::min<std::uint64_t>(owed, *expansions));
    paid_ += part;
    *expansions -= part;
    return part == owed;
  }

  std::uint64_t paid_ = 0;
};

}  // namespace repath
