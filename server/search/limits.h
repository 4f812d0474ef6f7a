// What the kernels that keep a limit of memory and work are given, and what a slice of theirs comes
// to.
#pragma once

#include <cstddef>
#include <cstdint>

namespace repath {

// What a search may take altogether, however many slices it is cut into.
struct SearchLimits {
  // bytes() never exceeds it, not even while something grows. The goals are the caller's and do not
  // count.
  std::size_t bytes_max = std::size_t{1} << 20;
  // expanded() never exceeds it. Where memory is short a search may go on for very long, above all
  // if no goal can be reached: without this it is up to the caller to stop asking for slices.
  std::uint64_t expansions_max = ~std::uint64_t{0};
};

// A Progress with two more ends. It is a type of its own, so that a caller of Progress cannot take
// a refusal for "no path", nor for a slice that only needs to be followed by another. kPathFound
// and kNoPath are proved, as everywhere; kMemoryLimit and kWorkLimit say that neither is. Once an
// end is reached, further slices report the same end and cost nothing.
enum class LimitedProgress { kPathFound, kNoPath, kOutOfBudget, kMemoryLimit, kWorkLimit };

}  // namespace repath
