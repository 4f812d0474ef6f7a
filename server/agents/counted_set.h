// A multiset of values of which few differ, such as the frames and revisions that agents wait
// since: an ascending row of values with counts.
//
// New values mostly come at the end. Keeps its memory when it empties. Plain value.
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
  // Both O(log d + values after it), d the different values held. REQUIRES for remove: held.
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
  // REQUIRES: not empty.
  T least() const { return rows_.front().first; }
  // Whether one of them is in [first, end). O(log of those that differ).
  bool any_in(T first, T end) const {
    const auto at = std::lower_bound(rows_.begin(), rows_.end(), first,
                                     [](const Row& row, T v) { return row.first < v; });
    return at != rows_.end() && at->first < end;
  }
  // How many are less than `value`. O(those that differ).
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
  typename std::vector<Row>::iterator find(T value) {
    return std::lower_bound(rows_.begin(), rows_.end(), value,
                            [](const Row& row, T v) { return row.first < v; });
  }

  std::vector<Row> rows_;
  std::size_t size_ = 0;
};

}  // namespace repath
