// A multiset for values with few distinct ones, such as the frames and revisions since which agents
// wait. It holds the distinct values in ascending order, each with its count.
//
// New values mostly come at the end. Keeps its memory when it becomes empty. Plain value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/check.h"

namespace repath {

template <class T>
class CountedSet {
 public:
  // Both are O(log d + values after `value`), where d is the number of distinct values. REQUIRES
  // for remove(): the set holds `value`.
  void add(T value) {
    const auto at = find(value);
    ++size_;
    if (at != rows_.end() && at->first == value) {
      ++at->second;
    } else {
      rows_.insert(at, {value, 1});
    }
  }
  void remove(T value) {
    const auto at = find(value);
    REPATH_CHECK(at != rows_.end() && at->first == value);
    --size_;
    if (--at->second == 0) rows_.erase(at);
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  // Returns the least value. REQUIRES: not empty.
  T least() const { return rows_.front().first; }
  // Returns whether a value lies in [first, end). O(log of the distinct values).
  bool any_in(T first, T end) const {
    const auto at = std::ranges::lower_bound(rows_, first, {}, &Row::first);
    return at != rows_.end() && at->first < end;
  }
  // Returns how many values are less than `value`. O(distinct values).
  std::uint64_t below(T value) const {
    std::uint64_t sum = 0;
    for (const auto& [held, count] : rows_) {
      if (held >= value) break;
      sum += count;
    }
    return sum;
  }

 private:
  using Row = std::pair<T, std::uint64_t>;
  auto find(T value) { return std::ranges::lower_bound(rows_, value, {}, &Row::first); }

  std::vector<Row> rows_;
  std::size_t size_ = 0;
};

}  // namespace repath
