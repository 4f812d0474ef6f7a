// Nodes in numbered buckets that are emptied from the lowest bucket on: the queues of a goal field.
//
// Source: R. Dial, "Algorithm 360: shortest-path forest with topological ordering", CACM 12 (1969).
// Departure: the array of buckets is not a ring but begins at base(). A repair inserts nodes over
// the whole width of the field at once, and also nodes lower than the last one taken out. Nodes
// whose bucket is kBucketsMax or more beyond base() wait unsorted until all lower nodes have been
// taken out.
//
// The same node may be in several buckets, or several times in one bucket. A node stays when it is
// no longer due; the caller checks that when it takes a node out. Not thread-safe.
// 1. Equal pushes and pops give equal orders everywhere. The newest node of a bucket comes first,
//    except for nodes that were far away.
// 2. No bucket below first() has nodes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/ids.h"

namespace repath {

class FieldBuckets {
 public:
  using Bucket = std::uint64_t;
  // Limits the array of bucket heads to 4 MiB.
  static constexpr Bucket kBucketsMax = Bucket{1} << 20;

  // Also counts nodes that are no longer due.
  bool empty() const { return size_ == 0 && far_.empty(); }
  // Returns the lowest bucket that may have nodes; after seek() it is the lowest that has.
  Bucket first() const { return base_ + cursor_; }

  // Amortized O(1).
  void push(Bucket bucket, NodeId n) {
    if (bucket < base_) [[unlikely]]
      rebase(bucket);
    const Bucket at = bucket - base_;
    if (at >= heads_.size() && !grow(at)) [[unlikely]] {
      far_.push_back({bucket, n});
      return;
    }
    put(at, n);
  }

  // Sets first(). REQUIRES: !empty(). O(buckets passed / 64); if only far nodes are left,
  // O(nodes left).
  void seek() {
    if (size_ == 0) [[unlikely]]
      rebase(std::ranges::min(far_, {}, &Far::bucket).bucket);
    std::size_t word = cursor_ / 64;
    std::uint64_t bits = occupied_[word] >> (cursor_ % 64);
    if (bits == 0) {
      while ((bits = occupied_[++word]) == 0) {
      }
      cursor_ = word * 64;
    }
    cursor_ += static_cast<std::size_t>(std::countr_zero(bits));
  }

  // Returns whether bucket first() has nodes; if not, seek() finds the next one that has.
  bool has_first() const { return cursor_ < heads_.size() && heads_[cursor_] != kNone; }
  // Takes out the newest node of bucket first(). REQUIRES: has_first().
  NodeId pop() {
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
    far_.clear();
    free_ = kNone;
    size_ = 0;
    base_ = 0;
    cursor_ = 0;
  }

  std::size_t bytes() const {
    return heads_.capacity() * sizeof(heads_[0]) + occupied_.capacity() * sizeof(occupied_[0]) +
           pool_.capacity() * sizeof(pool_[0]) + far_.capacity() * sizeof(far_[0]);
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr Bucket kBucketsLeast = 256;
  struct Entry {
    NodeId node{};
    std::uint32_t next = kNone;  // next entry in its bucket, or next free entry
  };
  struct Far {
    Bucket bucket = 0;
    NodeId node{};
  };

  void put(Bucket at, NodeId n) {
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
    cursor_ = std::min(cursor_, static_cast<std::size_t>(at));
    ++size_;
  }

  // Makes room for bucket base_ + at. Returns false if it is too far away.
  bool grow(Bucket at) {
    if (at >= kBucketsMax) return false;
    const Bucket size = std::max(kBucketsLeast, std::bit_ceil(at + 1));
    heads_.resize(size, kNone);
    occupied_.resize(size / 64, 0);
    return true;
  }

  // Makes `bucket` the first of the array. O(all nodes).
  void rebase(Bucket bucket) {
    for (cursor_ = 0; size_ > 0;) {
      seek();
      const Bucket from = first();
      far_.push_back({from, pop()});
    }
    base_ = bucket;
    cursor_ = 0;
    const std::vector<Far> all = std::exchange(far_, {});
    for (const Far& f : all) push(f.bucket, f.node);
  }

  Bucket base_ = 0;
  std::size_t cursor_ = 0;  // no bucket of the array below it has nodes
  std::size_t size_ = 0;    // nodes in the array
  std::uint32_t free_ = kNone;
  std::vector<std::uint32_t> heads_;     // newest entry of each bucket
  std::vector<std::uint64_t> occupied_;  // a bit for each bucket
  std::vector<Entry> pool_;
  std::vector<Far> far_;
};

}  // namespace repath
