// Answers which nodes of a directed graph lead to which. It uses the graph's strong parts, within
// which every node leads to every other, and the ways between them.
//
// Source: R. Tarjan, "Depth-first search and linear graph algorithms", 1972, without recursion.
// Parts are numbered as they are finished, so that a way from a part to another leads to a lower
// number. Not thread-safe: leads() marks the parts it met.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace repath {

// Ways of nodes: node n leads to targets[firsts[n]] up to targets[firsts[n + 1]], that one
// excluded.
struct NodeWays {
  std::vector<std::uint32_t> firsts{0};
  std::vector<std::uint32_t> targets;

  std::uint32_t node_count() const { return static_cast<std::uint32_t>(firsts.size() - 1); }
  // Ends the list of one node and begins that of the next.
  void end_node() { firsts.push_back(static_cast<std::uint32_t>(targets.size())); }
};

class StrongParts {
 public:
  // O(nodes and ways).
  explicit StrongParts(const NodeWays& ways);

  // Returns whether one node leads to the other; every node leads to itself. O(1) within a part or
  // towards a higher one, else O(ways between parts).
  bool leads(std::uint32_t from, std::uint32_t to);
  std::uint32_t part_of(std::uint32_t node) const { return part_[node]; }

 private:
  void find_parts(const NodeWays& ways);

  std::vector<std::uint32_t> part_;                             // by node
  std::vector<std::pair<std::uint32_t, std::uint32_t>> steps_;  // from part to part, ascending
  std::vector<std::uint32_t> met_;  // by part: stamp of the last question
  std::uint32_t stamp_ = 0;
};

}  // namespace repath
