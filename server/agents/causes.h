// The changes that caused a verdict.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace repath {

// Maximum number of causes in one verdict.
inline constexpr std::size_t kCausesMax = 16;

// Inserts a cause into an ascending list without duplicates. A list that would exceed kCausesMax
// keeps the first and the latest causes. O(n).
template <class T>
void insert_cause(std::vector<T>* causes, T cause) {
  const auto at = std::lower_bound(causes->begin(), causes->end(), cause);
  if (at != causes->end() && *at == cause) return;
  causes->insert(at, cause);
  if (causes->size() > kCausesMax) causes->erase(causes->begin() + kCausesMax / 2);
}

}  // namespace repath
