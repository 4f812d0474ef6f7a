// The priority queue of jump point search: entries in buckets by key, the newest of a bucket first.
//
// Source: R. Dial, "Algorithm 360: shortest-path forest with topological ordering", 1969, as a ring
// of buckets. A bucket is a list in one pool, so an entry costs two stores and no comparison. Keys
// may come out of order by the width of a bucket; the search goes on until no bucket can hold a
// better entry. Not thread-safe.
// 1. Buckets before the first one are empty. An entry with a lower key goes into the first bucket.
// 2. All entries lie within the ring, which grows when an entry would not fit.
// 3. Equal pushes and pops give equal orders everywhere.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/cost.h"

namespace repath {

class BucketQueue {
 public:
  // Keys are `least` or more.
  explicit BucketQueue(Cost least) : least_(least), heads_(kRingLeast, kNone) {
    occupied_.resize(kRingLeast / 64);
  }
  // Forgets all entries and keeps the memory. Keys are `least` or more. O(ring / 64 + entries).
  void clear(Cost least) {
    for (std::size_t i = 0; i < occupied_.size(); ++i)
      for (std::uint64_t word = std::exchange(occupied_[i], 0); word != 0; word &= word - 1)
        heads_[i * 64 + static_cast<std::size_t>(std::countr_zero(word))] = kNone;
    pool_.clear();
    free_ = kNone;
    size_ = 0;
    first_ = 0;
    least_ = least;
  }

  bool empty() const { return size_ == 0; }

  // Amortized O(1); allocates when the queue is larger or its keys are further apart than ever
  // before.
  void push(Cost key, std::uint32_t value) {
    std::uint64_t bucket = key < least_ ? 0 : (key - least_) >> kWidthBits;
    if (bucket < first_) bucket = first_;
    while (bucket - first_ >= heads_.size()) [[unlikely]] grow();
    std::uint32_t at = free_;
    if (at == kNone) {
      at = static_cast<std::uint32_t>(pool_.size());
      pool_.push_back({});
    } else {
      free_ = pool_[at].next;
    }
    const std::size_t place = bucket & (heads_.size() - 1);
    pool_[at] = {value, heads_[place]};
    heads_[place] = at;
    occupied_[place / 64] |= std::uint64_t{1} << (place % 64);
    ++size_;
  }

  // Returns the newest value of the first bucket that has any. REQUIRES: !empty().
  std::uint32_t top() {
    seek();
    return pool_[heads_[first_ & (heads_.size() - 1)]].value;
  }
  // Returns a lower bound of all keys. REQUIRES: !empty().
  Cost floor() {
    seek();
    return least_ + (first_ << kWidthBits);
  }
  // Removes top(). REQUIRES: !empty().
  void pop() {
    seek();
    const std::size_t place = first_ & (heads_.size() - 1);
    const std::uint32_t at = heads_[place];
    heads_[place] = pool_[at].next;
    if (heads_[place] == kNone) occupied_[place / 64] &= ~(std::uint64_t{1} << (place % 64));
    pool_[at].next = free_;
    free_ = at;
    --size_;
  }

  std::size_t bytes() const {
    return pool_.capacity() * sizeof(Entry) + heads_.capacity() * sizeof(std::uint32_t) +
           occupied_.capacity() * sizeof(std::uint64_t);
  }

 private:
  struct Entry {
    std::uint32_t value = 0;
    std::uint32_t next = kNone;  // next entry in its bucket, or next free entry
  };

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  // Width of a bucket: about a third of a straight step.
  static constexpr int kWidthBits = 19;
  static constexpr std::size_t kRingLeast = 256;

  // Moves first_ to the first bucket that has entries.
  void seek() {
    std::size_t place = first_ & (heads_.size() - 1);
    std::uint64_t word = occupied_[place / 64] >> (place % 64);
    if ((word & 1) != 0) return;
    while (word == 0) {
      first_ += 64 - place % 64;
      place = first_ & (heads_.size() - 1);
      word = occupied_[place / 64];
    }
    first_ += static_cast<std::uint64_t>(std::countr_zero(word));
  }

  // Doubles the ring; lists stay as they are.
  void grow() {
    const std::size_t size = heads_.size();
    std::vector<std::uint32_t> heads(2 * size, kNone);
    occupied_.assign(2 * size / 64, 0);
    for (std::uint64_t bucket = first_; bucket < first_ + size; ++bucket) {
      const std::uint32_t head = heads_[bucket & (size - 1)];
      if (head == kNone) continue;
      const std::size_t place = bucket & (2 * size - 1);
      heads[place] = head;
      occupied_[place / 64] |= std::uint64_t{1} << (place % 64);
    }
    heads_ = std::move(heads);
  }

  Cost least_;
  std::uint64_t first_ = 0;  // number of the first bucket that may have entries
  std::size_t size_ = 0;
  std::uint32_t free_ = kNone;
  std::vector<std::uint32_t> heads_;     // a ring; its size is a power of two
  std::vector<std::uint64_t> occupied_;  // by place in the ring
  std::vector<Entry> pool_;
};

}  // namespace repath
