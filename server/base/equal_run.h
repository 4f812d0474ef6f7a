// The elements of a sorted vector that have a given key. std::ranges::equal_range would give a view
// that clang 14 cannot compile with the standard library of g++ 12.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

namespace repath {

// Returns the elements whose `key_of` equals `key`; empty if there are none. The span borrows the
// vector. REQUIRES: the vector is ascending by `key_of`. Cost: O(log n).
template <class T, class Key, class KeyOf>
std::span<const T> equal_run(const std::vector<T>& sorted, const Key& key, KeyOf key_of) {
  const auto begin = std::ranges::lower_bound(sorted, key, {}, key_of);
  return {begin, std::ranges::upper_bound(begin, sorted.end(), key, {}, key_of)};
}

}  // namespace repath
