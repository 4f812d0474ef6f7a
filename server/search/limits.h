// The limits of kernels that keep to a limit of memory and work, and the result of a slice of their
// work.
#pragma once

#include <cstddef>
#include <cstdint>

namespace repath {

// The resources that a search may take altogether, in any number of slices.
struct SearchLimits {
  // Upper limit of bytes(), even while a container grows. The goals belong to the caller and do not
  // count.
  std::size_t bytes_max = std::size_t{1} << 20;
  // Upper limit of expanded(). With little memory a search may go on for very long, above all if no
  // goal can be reached. Without a limit the caller decides when to stop asking for slices.
  std::uint64_t expansions_max = ~std::uint64_t{0};
};

// A Progress with two more ends. It is a type of its own, so that a caller cannot mistake a refusal
// for "no path" or for a slice that needs to be continued. The ends kPathFound and kNoPath are
// proved, as everywhere; kMemoryLimit and kWorkLimit mean that neither is. Once an end is reached,
// further slices report the same end at no cost.
enum class LimitedProgress { kPathFound, kNoPath, kOutOfBudget, kMemoryLimit, kWorkLimit };

}  // namespace repath
