// The memory of IDA* about nodes it has left, in a table of fixed size.
//
// Source: A. Reinefeld, T. A. Marsland, "Enhanced iterative-deepening search", IEEE PAMI 16, 1994.
// An entry holds the pass that last reached its node and the g it was reached with. It also holds a
// lower bound of the cost to the nearest goal: the search's own bound or a better one learned below
// the node. Forgetting an entry costs work but never makes a result wrong.
//
// If there is room for all nodes of the graph, an entry lies at its node's id and stays. Otherwise
// it lies in one of the four places that its id is hashed to. There it displaces first an entry of
// an earlier pass, then the entry with the largest g, unless its own g is larger. Not thread-safe.
// Memory: 24 bytes for each entry, allocated at once.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash.h"
#include "search/graph.h"

namespace repath {

class TranspositionTable {
 public:
  struct Entry {
    NodeId node = kNoNode;  // kNoNode: free
    std::uint32_t pass = 0;
    Cost g = kUnreachable;
    Cost h = 0;
  };

  // Takes at most `bytes_max`, and not more than the graph needs.
  TranspositionTable(std::uint32_t node_count, std::size_t bytes_max)
      : has_all_(node_count <= bytes_max / sizeof(Entry)),
        entries_(has_all_ ? node_count : fitting(bytes_max)) {}

  // Returns the entry of n; null if there is none. The address is valid until the next put().
  Entry* find(NodeId n) {
    if (entries_.empty()) return nullptr;
    Entry* const set = set_of(n);
    for (std::size_t i = 0; i < ways(); ++i)
      if (set[i].node == n) return &set[i];
    return nullptr;
  }

  // Stores the entry of `e.node`. It may be forgotten at once.
  void put(const Entry& e) {
    if (entries_.empty()) return;
    Entry* const set = set_of(e.node);
    Entry* victim = set;
    for (std::size_t i = 0; i < ways(); ++i) {
      if (set[i].node == e.node || set[i].node == kNoNode) {
        set[i] = e;
        return;
      }
      if (is_rather_lost(set[i], *victim, e.pass)) victim = &set[i];
    }
    if (victim->pass != e.pass || victim->g >= e.g) *victim = e;
  }

  // Visits every entry, in an order without meaning.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const Entry& e : entries_)
      if (e.node != kNoNode) visit(e);
  }

  // Returns the memory held, in bytes.
  std::size_t bytes() const { return entries_.capacity() * sizeof(Entry); }

 private:
  static constexpr std::size_t kWays = 4;

  static std::size_t fitting(std::size_t bytes_max) {
    const std::size_t entries = std::bit_floor(bytes_max / sizeof(Entry));
    return entries < kWays ? 0 : entries;
  }
  static bool is_rather_lost(const Entry& a, const Entry& b, std::uint32_t pass) {
    if ((a.pass == pass) != (b.pass == pass)) return b.pass == pass;
    return a.g > b.g;
  }
  std::size_t ways() const { return has_all_ ? 1 : kWays; }
  Entry* set_of(NodeId n) {
    if (has_all_) return &entries_[index(n)];
    return &entries_[mix(index(n)) % (entries_.size() / kWays) * kWays];
  }

  bool has_all_;
  std::vector<Entry> entries_;
};

}  // namespace repath
