// The priority queue of the kernels: an indexed 4-ary heap over nodes. A node is in it at most
// once, so a key can be changed and a node removed in O(log n), without stale entries to skip.
//
// A node's own record stores its place in the heap as a HeapSlot. The list borrows the address of
// the slot, which must stay the same (NodePages never moves a record). With four children for each
// parent the heap is half as deep, and siblings lie next to each other. Not thread-safe.
// Invariants:
// 1. No entry orders before its parent. Entries order by key, then by node id, so no two are equal
//    and the order of expansions is the same with every compiler and standard library.
// 2. For every entry e at i: e.slot->at == i. The slots of all other nodes are absent.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "search/graph.h"

namespace repath {

// Part of a node's record. A new slot belongs to a node that is in no list.
struct HeapSlot {
  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};
  std::uint32_t at = kAbsent;
  bool is_queued() const { return at != kAbsent; }
};

// The two-part key of LPA* and D* Lite, [k1; k2] of the papers. A new Key is greater than the key
// of every queued node.
struct Key {
  Cost k1 = kUnreachable;
  Cost k2 = kUnreachable;
  auto operator<=>(const Key&) const = default;
};

// `KeyT` is ordered, and KeyT{} is not less than any key in the list.
template <class KeyT>
class OpenList {
 public:
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }

  // Returns KeyT{} when the list is empty, as in the papers. O(1).
  KeyT top_key() const { return heap_.empty() ? KeyT{} : heap_.front().key; }
  // Returns the node with the least key; the least id among equals. REQUIRES: !empty(). O(1).
  NodeId top() const { return heap_.front().node; }

  // Inserts `n`, or moves it to its new place. A node must always come with the same `slot`.
  // O(log n); allocates only when the list becomes longer than ever before.
  void put(NodeId n, const KeyT& key, HeapSlot* slot) {
    const Entry e{key, n, slot};
    if (!slot->is_queued()) {
      heap_.push_back(e);
      rise(heap_.size() - 1, e);
    } else {
      settle(slot->at, e);
    }
  }

  // REQUIRES: slot->is_queued(). O(log n).
  void remove(HeapSlot* slot) {
    REPATH_CHECK(slot->is_queued());
    const std::size_t hole = slot->at;
    slot->at = HeapSlot::kAbsent;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (hole < heap_.size()) settle(hole, last);
  }

  // Returns the memory held, in bytes.
  std::size_t bytes() const { return heap_.capacity() * sizeof(Entry); }

 private:
  struct Entry {
    KeyT key;
    NodeId node;
    HeapSlot* slot;
    bool before(const Entry& other) const {
      const auto order = key <=> other.key;
      return order < 0 || (order == 0 && node < other.node);
    }
  };
  static constexpr std::size_t kChildren = 4;

  void place(std::size_t at, const Entry& e) {
    heap_[at] = e;
    e.slot->at = static_cast<std::uint32_t>(at);
  }

  // Fills the hole at `at` with `e`, moving the hole up to where `e` belongs.
  void rise(std::size_t at, const Entry& e) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / kChildren;
      if (!e.before(heap_[parent])) break;
      place(at, heap_[parent]);
      at = parent;
    }
    place(at, e);
  }

  // Fills the hole at `at` with `e`, moving the hole up or down.
  void settle(std::size_t at, const Entry& e) {
    if (at > 0 && e.before(heap_[(at - 1) / kChildren])) return rise(at, e);
    while (true) {
      const std::size_t first = at * kChildren + 1;
      if (first >= heap_.size()) break;
      std::size_t least = first;
      const std::size_t end = std::min(first + kChildren, heap_.size());
      for (std::size_t child = first + 1; child < end; ++child)
        if (heap_[child].before(heap_[least])) least = child;
      if (!heap_[least].before(e)) break;
      place(at, heap_[least]);
      at = least;
    }
    place(at, e);
  }

  std::vector<Entry> heap_;
};

}  // namespace repath
