// What IDA* remembers of nodes it has left, in a table of fixed size.
//
// Source: A. Reinefeld, T. A. Marsland, "Enhanced iterative-deepening search", IEEE PAMI 16, 1994.
// An entry says with which g its node was reached in which pass, and a lower bound of the cost from
// it to the nearest goal, the search's own or a better one learned below it. Whatever is forgotten
// costs work only, never rightness. With room for all nodes of the graph an entry lies at its
// node's id and nothing is ever forgotten; else in one of the four places that its id is mixed to,
// where it displaces what is left over from earlier passes first, then what has the largest g,
// unless its own is larger. Not thread-safe. Memory: 24 bytes an entry, taken at once.
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

  // At most `bytes_max`, and no more than the graph has use for.
  TranspositionTable(std::uint32_t node_count, std::size_t bytes_max)
      : has_all_(node_count <= bytes_max / sizeof(Entry)),
        entries_(has_all_ ? node_count : fitting(bytes_max)) {}

  // nullptr if nothing is known of it. The address is good until the next put().
  Entry* find(NodeId n) {
    if (entries_.empty()) return nullptr;
    Entry* const set = set_of(n);
    for (std::size_t i = 0; i < ways(); ++i)
      if (set[i].node == n) return &set[i];
    return nullptr;
  }

  // Says what is known of `e.node` now; may be forgotten at once.
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

  // Every entry, in no order that means anything.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const Entry& e : entries_)
      if (e.node != kNoNode) visit(e);
  }

  // Memory held, in bytes.
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
