// Items that a query has notes on, by number. Each bears the number of the query that wrote it. An
// item of an earlier query counts as unknown, so nothing is cleared between queries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace repath {

// `Item` has a member `std::uint32_t stamp`, 0 by default. The writer of an item sets it to
// stamp().
template <class Item>
class Stamped {
 public:
  // Begins a query over [0, size). O(1), but for new items, and once in 2^32 queries.
  void begin(std::size_t size) {
    if (items_.size() < size) items_.resize(size);
    if (++stamp_ != 0) return;
    for (Item& item : items_) item.stamp = 0;
    stamp_ = 1;
  }
  std::uint32_t stamp() const { return stamp_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(items_.size()); }
  bool knows(std::uint32_t i) const { return items_[i].stamp == stamp_; }
  Item& operator[](std::uint32_t i) { return items_[i]; }
  const Item& operator[](std::uint32_t i) const { return items_[i]; }
  std::size_t bytes() const { return items_.capacity() * sizeof(Item); }

 private:
  std::vector<Item> items_;
  std::uint32_t stamp_ = 0;
};

}  // namespace repath
