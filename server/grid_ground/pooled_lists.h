// Many lists that grow and shrink by turns, in chunks of one pool. Chunks that one list gives back
// serve another, so memory is that of the most entries there ever were at once. Vectors would each
// keep the capacity of their own greatest size. Not thread-safe. Memory: that of the entries, up to
// a chunk more for each list, 12 bytes a list.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace repath {

// `T`: small, trivially copied.
template <class T>
class PooledLists {
 public:
  explicit PooledLists(std::size_t lists) : lists_(lists) {}

  std::size_t lists() const { return lists_.size(); }
  std::size_t size() const { return size_; }  // entries in all lists
  std::size_t size(std::size_t list) const { return lists_[list].size; }

  // Amortized O(1).
  void push(std::size_t list, const T& entry);
  // Takes out what dead(entry) is true of; keeps the order of the others. O(entries of the list).
  template <class Dead>
  void drop_if(std::size_t list, Dead&& dead);
  // Calls visit(entry) for each, the oldest first. It must not change the lists.
  template <class Visit>
  void for_each(std::size_t list, Visit&& visit) const;

  std::size_t bytes() const {
    return lists_.capacity() * sizeof(List) + slabs_.size() * sizeof(Slab);
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint32_t kEntries = 15;
  static constexpr std::uint32_t kChunks = 64;
  struct Chunk {
    std::array<T, kEntries> entries;
    std::uint32_t next = kNone;  // next chunk of its list, or of the free ones
  };
  using Slab = std::array<Chunk, kChunks>;
  // All chunks of a list are full but the last.
  struct List {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
    std::uint32_t size = 0;
  };

  Chunk& chunk(std::uint32_t at) { return (*slabs_[at / kChunks])[at % kChunks]; }
  const Chunk& chunk(std::uint32_t at) const { return (*slabs_[at / kChunks])[at % kChunks]; }
  std::uint32_t take_chunk();
  void give_back_after(List* list, std::uint32_t last);

  std::vector<List> lists_;
  std::vector<std::unique_ptr<Slab>> slabs_;
  std::uint32_t free_ = kNone;
  std::size_t size_ = 0;
};

template <class T>
void PooledLists<T>::push(std::size_t list, const T& entry) {
  List& l = lists_[list];
  const std::uint32_t at = l.size % kEntries;
  if (at == 0) {
    const std::uint32_t taken = take_chunk();
    (l.last == kNone ? l.first : chunk(l.last).next) = taken;
    l.last = taken;
  }
  chunk(l.last).entries[at] = entry;
  ++l.size;
  ++size_;
}

template <class T>
template <class Dead>
void PooledLists<T>::drop_if(std::size_t list, Dead&& dead) {
  List& l = lists_[list];
  std::uint32_t kept = 0;
  std::uint32_t last = kNone;    // chunk that was written to last
  std::uint32_t next = l.first;  // and the one behind it
  std::uint32_t from = l.first;
  for (std::uint32_t i = 0; i < l.size; ++i) {
    const T entry = chunk(from).entries[i % kEntries];
    if (i % kEntries == kEntries - 1) from = chunk(from).next;
    if (dead(entry)) continue;
    if (kept % kEntries == 0) {
      last = next;
      next = chunk(last).next;
    }
    chunk(last).entries[kept++ % kEntries] = entry;
  }
  size_ -= l.size - kept;
  l.size = kept;
  give_back_after(&l, last);
}

template <class T>
template <class Visit>
void PooledLists<T>::for_each(std::size_t list, Visit&& visit) const {
  const List& l = lists_[list];
  std::uint32_t at = l.first;
  for (std::uint32_t i = 0; i < l.size; ++i) {
    visit(chunk(at).entries[i % kEntries]);
    if (i % kEntries == kEntries - 1) at = chunk(at).next;
  }
}

template <class T>
std::uint32_t PooledLists<T>::take_chunk() {
  if (free_ == kNone) {
    const auto first = static_cast<std::uint32_t>(slabs_.size()) * kChunks;
    slabs_.push_back(std::make_unique<Slab>());
    for (std::uint32_t i = kChunks; i > 0; --i) {
      chunk(first + i - 1).next = free_;
      free_ = first + i - 1;
    }
  }
  const std::uint32_t taken = free_;
  free_ = chunk(taken).next;
  chunk(taken).next = kNone;
  return taken;
}

// `last` becomes the list's last chunk; kNone: it is empty.
template <class T>
void PooledLists<T>::give_back_after(List* list, std::uint32_t last) {
  if (last == list->last) return;
  std::uint32_t& end = last == kNone ? list->first : chunk(last).next;
  chunk(list->last).next = free_;
  free_ = end;
  end = kNone;
  list->last = last;
}

}  // namespace repath
