// A binary heap over the elements of a pool, stored in the elements themselves: entry i of the heap
// lies in element i of the pool. So heap and pool grow together, and there is always room.
//
// Not thread-safe. Invariants: no entry comes before its parent in the total order `Before`, which
// may only change for an element between remove() and put(); (pool[entry(i)].*kAt) == i for every
// entry.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "search/chunked_stack.h"

namespace repath {

inline constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

// `kEntry` is the member that serves as the heap's array. `kAt` is an element's own place in the
// heap, kNowhere if it is not in the heap. The first element by `Before` is at the top.
template <class T, std::uint32_t T::*kEntry, std::uint32_t T::*kAt, class Before>
class PoolHeap {
 public:
  explicit PoolHeap(ChunkedStack<T>* pool) : pool_(pool) {}

  bool empty() const { return size_ == 0; }
  // REQUIRES: !empty().
  std::uint32_t top() const { return (*pool_)[0].*kEntry; }
  bool contains(std::uint32_t n) const { return (*pool_)[n].*kAt != kNowhere; }

  // O(log n). REQUIRES: !contains(n).
  void put(std::uint32_t n) {
    REPATH_CHECK(!contains(n));
    settle(size_++, n);
  }
  // Removes n if it is in the heap. O(log n).
  void remove(std::uint32_t n) {
    if (!contains(n)) return;
    const std::uint32_t hole = (*pool_)[n].*kAt;
    (*pool_)[n].*kAt = kNowhere;
    const std::uint32_t last = (*pool_)[--size_].*kEntry;
    if (hole < size_) settle(hole, last);
  }

 private:
  bool before(std::uint32_t a, std::uint32_t b) const { return Before()((*pool_)[a], (*pool_)[b]); }
  std::uint32_t entry(std::uint32_t at) const { return (*pool_)[at].*kEntry; }
  void place(std::uint32_t at, std::uint32_t n) {
    (*pool_)[at].*kEntry = n;
    (*pool_)[n].*kAt = at;
  }

  // Fills the hole at `at` with n, moving the hole to where n belongs.
  void settle(std::uint32_t at, std::uint32_t n) {
    while (at > 0 && before(n, entry((at - 1) / 2))) {
      place(at, entry((at - 1) / 2));
      at = (at - 1) / 2;
    }
    while (2 * at + 1 < size_) {
      std::uint32_t child = 2 * at + 1;
      if (child + 1 < size_ && before(entry(child + 1), entry(child))) ++child;
      if (!before(entry(child), n)) break;
      place(at, entry(child));
      at = child;
    }
    place(at, n);
  }

  ChunkedStack<T>* pool_;
  std::uint32_t size_ = 0;
};

}  // namespace repath
