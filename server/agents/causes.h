// The changes that a verdict answers to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace repath {

// Of one verdict; it says no more.
inline constexpr std::size_t kCausesMax = 16;

// Ascending, each once. Of more than kCausesMax the first and the latest stay. O(n).
template <class T>
void insert_cause(std::vector<T>* causes, T cause) {
  const auto at = std::lower_bound(causes->begin(), causes->end(), cause);
  if (at != causes->end() && *at == cause) return;
  causes->insert(at, cause);
  if (causes->size() > kCausesMax) causes->erase(causes->begin() + kCausesMax / 2);
}

}  // namespace repath
