// The open list that the searches of this room share, and the loop that works it off in slices.
//
// The open list is a 4-ary heap of nodes by f, the least first; of equal f, the node pushed last
// comes first. A node may be in it several times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace repath {

class NodeHeap {
 public:
  struct Entry {
    double f = 0;
    std::uint32_t order = 0;  // unique among the entries
    std::uint32_t node = 0;
  };

  bool empty() const { return entries_.empty(); }
  // REQUIRES: !empty().
  const Entry& top() const { return entries_.front(); }
  // In no order.
  const std::vector<Entry>& entries() const { return entries_; }
  void clear() { entries_.clear(); }
  std::size_t bytes() const { return entries_.capacity() * sizeof(Entry); }

  void push(const Entry& entry) {
    std::size_t place = entries_.size();
    entries_.push_back(entry);
    while (place > 0) {
      const std::size_t above = (place - 1) / 4;
      if (!comes_before(entry, entries_[above])) break;
      entries_[place] = entries_[above];
      place = above;
    }
    entries_[place] = entry;
  }

  // REQUIRES: !empty().
  void pop() {
    const Entry last = entries_.back();
    entries_.pop_back();
    const std::size_t n = entries_.size();
    if (n == 0) return;
    std::size_t place = 0;
    for (;;) {
      const std::size_t below = 4 * place + 1;
      if (below >= n) break;
      std::size_t least = below;
      const std::size_t end = below + 4 < n ? below + 4 : n;
      for (std::size_t k = below + 1; k < end; ++k)
        if (comes_before(entries_[k], entries_[least])) least = k;
      if (!comes_before(entries_[least], last)) break;
      entries_[place] = entries_[least];
      place = least;
    }
    entries_[place] = last;
  }

 private:
  static bool comes_before(const Entry& a, const Entry& b) {
    return a.f < b.f || (a.f == b.f && a.order > b.order);
  }
  std::vector<Entry> entries_;
};

// The next thing that a search does: it expands a node, ends, or goes on in the next slice.
enum class Turn { kNode, kEnd, kNextSlice };

struct NodeQueue {
  NodeHeap heap;
  std::uint32_t order = 0;  // of the newest entry
  std::uint64_t expanded = 0;
  std::uint64_t generated = 0;  // counted by the search
  bool is_done = false;

  void clear() {
    heap.clear();
    order = 0;
    expanded = generated = 0;
    is_done = false;
  }
  void push(double f, std::uint32_t node) { heap.push({f, ++order, node}); }

  // Expands at most `*expansions` nodes and takes off what it used: `expand` follows each `next`
  // that returns kNode. Returns false if the slice was too short for the search to end.
  template <class Next, class Expand>
  [[nodiscard]] bool work(std::uint32_t* expansions, Next next, Expand expand) {
    while (!is_done) {
      const Turn turn = next();
      if (turn == Turn::kNextSlice) return false;
      if (turn == Turn::kEnd) {
        is_done = true;
        break;
      }
      if (*expansions == 0) return false;
      --*expansions;
      ++expanded;
      expand();
    }
    return true;
  }
};

}  // namespace repath
