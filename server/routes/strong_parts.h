// Answers which nodes of a directed graph lead to which. It uses the graph's strong parts, within
// which every node leads to every other, and the ways between them.
//
// Source: R. Tarjan, "Depth-first search and linear graph algorithms", 1972, without recursion.
// Parts are numbered as they are finished, so that a way from a part to another leads to a lower
// number. Not thread-safe: leads() marks the parts it met.
#pragma once

#include <cstdint>
#include <span>
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
  // towards a higher one, else O(ways between parts): for many questions see routes/parts_reach.h.
  bool leads(std::uint32_t from, std::uint32_t to);
  std::uint32_t part_of(std::uint32_t node) const { return part_[node]; }

  std::uint32_t part_count() const { return static_cast<std::uint32_t>(steps_.node_count()); }
  // Returns the parts to which ways lead from this one, each once and lower than it.
  std::span<const std::uint32_t> steps_from(std::uint32_t part) const {
    return std::span(steps_.targets)
        .subspan(steps_.firsts[part], steps_.firsts[part + 1] - steps_.firsts[part]);
  }
  // Returns the number of steps from all parts in [first, last]. O(1).
  std::uint64_t step_count(std::uint32_t first, std::uint32_t last) const {
    return steps_.firsts[last + 1] - steps_.firsts[first];
  }

 private:
  void find_parts(const NodeWays& ways);
  void find_steps(const NodeWays& ways);

  std::vector<std::uint32_t> part_;  // by node
  NodeWays steps_;                   // from part to part
  std::vector<std::uint32_t> met_;   // by part: stamp of the last question
  std::uint32_t stamp_ = 0;
};

}  // namespace repath
