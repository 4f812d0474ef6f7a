// Nodes in numbered buckets that are emptied from the lowest bucket on: the queues of a goal field.
//
// Source: R. Dial, "Algorithm 360: shortest-path forest with topological ordering", CACM 12 (1969).
// Departure: the array of buckets is not a ring but begins at base_. A repair inserts nodes over
// the whole width of the field at once, and also nodes lower than the last one taken out. A node
// goes into a heap if its bucket lies below base_, or kBucketsMax or more beyond it. base_ changes
// only while the array is empty. So a node stays where it was put until it is taken out, and no
// order of pushes makes one of them dear.
//
// The same node may be in several buckets, or several times in one bucket. A node stays when it is
// no longer due; the caller checks that when it takes a node out. Not thread-safe. `Node` is a
// small value. Invariants:
// 1. Equal pushes and pops give equal orders everywhere. The newest node of a bucket comes first.
// 2. No bucket below first() has nodes.
// 3. If nodes of one bucket are in both the array and the heap, those in the heap are older. They
//    were put there before base_ changed.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace repath {

template <class Node>
class FieldBuckets {
 public:
  using Bucket = std::uint64_t;
  // Limits the array of bucket heads to 4 MiB.
  static constexpr Bucket kBucketsMax = Bucket{1} << 20;

  // Also counts nodes that are no longer due.
  bool empty() const { return size_ == 0 && heap_.empty(); }
  // Returns the lowest bucket that may have nodes; after seek() it is the lowest that has.
  Bucket first() const { return first_; }

  // REQUIRES: bucket < 2^63. Amortized O(1) in the array, O(log(nodes in the heap)) in the heap.
  void push(Bucket bucket, Node n) {
    if (empty()) base_ = 0;
    first_ = std::min(first_, bucket);
    const Bucket at = bucket - base_;  // 2^63 or more if the bucket lies below base_
    if (at >= heads_.size() && !grow(at)) [[unlikely]] {
      heap_.push_back({bucket, heap_pushes_++, n});
      std::ranges::push_heap(heap_, is_after);
      return;
    }
    put(at, n);
  }

  // Sets first(). REQUIRES: !empty(). O(buckets passed / 64).
  void seek() {
    if (size_ == 0) [[unlikely]] {
      first_ = base_ = heap_.front().bucket;
      return;
    }
    std::size_t word = cursor_ / 64;
    std::uint64_t bits = occupied_[word] >> (cursor_ % 64);
    if (bits == 0) {
      while ((bits = occupied_[++word]) == 0) {
      }
      cursor_ = word * 64;
    }
    cursor_ += static_cast<std::size_t>(std::countr_zero(bits));
    first_ = base_ + cursor_;
    if (!heap_.empty()) first_ = std::min(first_, heap_.front().bucket);
  }

  // Returns whether bucket first() has nodes; if not, seek() finds the next one that has.
  bool has_first() const {
    return array_has_first() || (!heap_.empty() && heap_.front().bucket == first_);
  }
  // Takes out the newest node of bucket first(). REQUIRES: has_first(). O(1) from the array,
  // O(log(nodes in the heap)) from the heap.
  Node pop() {
    if (!array_has_first()) [[unlikely]] {
      std::ranges::pop_heap(heap_, is_after);
      const Node n = heap_.back().node;
      heap_.pop_back();
      return n;
    }
    const std::uint32_t at = heads_[cursor_];
    heads_[cursor_] = pool_[at].next;
    if (heads_[cursor_] == kNone) occupied_[cursor_ / 64] &= ~(std::uint64_t{1} << (cursor_ % 64));
    pool_[at].next = free_;
    free_ = at;
    --size_;
    return pool_[at].node;
  }

  // Removes all nodes and keeps the memory. O(buckets).
  void clear() {
    std::ranges::fill(heads_, kNone);
    std::ranges::fill(occupied_, 0);
    pool_.clear();
    heap_.clear();
    free_ = kNone;
    size_ = 0;
    first_ = 0;
  }

  std::size_t bytes() const {
    return heads_.capacity() * sizeof(heads_[0]) + occupied_.capacity() * sizeof(occupied_[0]) +
           pool_.capacity() * sizeof(pool_[0]) + heap_.capacity() * sizeof(heap_[0]);
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr Bucket kBucketsLeast = 256;
  struct Entry {
    Node node{};
    std::uint32_t next = kNone;  // next entry in its bucket, or next free entry
  };
  struct Outside {
    Bucket bucket = 0;
    std::uint64_t order = 0;  // greater is newer
    Node node{};
  };
  // The first of the heap is the newest node of the lowest bucket.
  static bool is_after(const Outside& a, const Outside& b) {
    return a.bucket != b.bucket ? a.bucket > b.bucket : a.order < b.order;
  }

  bool array_has_first() const {
    return size_ > 0 && base_ + cursor_ == first_ && heads_[cursor_] != kNone;
  }

  void put(Bucket at, Node n) {
    std::uint32_t entry = free_;
    if (entry == kNone) {
      entry = static_cast<std::uint32_t>(pool_.size());
      pool_.push_back({});
    } else {
      free_ = pool_[entry].next;
    }
    pool_[entry] = {n, heads_[at]};
    heads_[at] = entry;
    occupied_[at / 64] |= std::uint64_t{1} << (at % 64);
    cursor_ = size_ == 0 ? at : std::min(cursor_, static_cast<std::size_t>(at));
    ++size_;
  }

  // Makes room for bucket base_ + at. Returns false if it belongs into the heap.
  bool grow(Bucket at) {
    if (at >= kBucketsMax) return false;
    const Bucket size = std::max(kBucketsLeast, std::bit_ceil(at + 1));
    heads_.resize(size, kNone);
    occupied_.resize(size / 64, 0);
    return true;
  }

  Bucket first_ = 0;
  Bucket base_ = 0;         // first bucket of the array
  std::size_t cursor_ = 0;  // no bucket of the array below it has nodes
  std::size_t size_ = 0;    // nodes in the array
  std::uint32_t free_ = kNone;
  std::vector<std::uint32_t> heads_;     // newest entry of each bucket
  std::vector<std::uint64_t> occupied_;  // a bit for each bucket
  std::vector<Entry> pool_;
  std::vector<Outside> heap_;  // nodes whose bucket was not in the array
  std::uint64_t heap_pushes_ = 0;
};

}  // namespace repath
