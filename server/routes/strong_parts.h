// Answers which nodes of a directed graph lead to which. It uses the graph's strong parts, within
// which every node leads to every other, and the ways between them.
//
// Source: R. Tarjan, "Depth-first search and linear graph algorithms", 1972, without recursion.
// Parts are numbered as they are finished, so that a way from a part to another leads to a lower
// number. Not thread-safe: leads() marks the parts it met.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/work_meter.h"

namespace repath {

// Ways of nodes: node n leads to targets[firsts[n]] up to targets[firsts[n + 1]], that one
// excluded.
struct NodeWays {
  std::vector<std::uint32_t> firsts{0};
  std::vector<std::uint32_t> targets;

  std::uint32_t node_count() const { return static_cast<std::uint32_t>(firsts.size() - 1); }
  // Returns the number of ways from the node.
  std::uint32_t degree(std::uint32_t node) const { return firsts[node + 1] - firsts[node]; }
  // Takes memory at once; else the lists take up to twice as much.
  void reserve(std::size_t nodes, std::size_t ways) {
    firsts.reserve(nodes + 1);
    targets.reserve(ways);
  }
  // Ends the list of one node and begins that of the next.
  void end_node() { firsts.push_back(static_cast<std::uint32_t>(targets.size())); }
};

class StrongParts {
 public:
  // Units of work that the meter counts for each node and each way: to list it, to find its part,
  // and to find the steps between parts. A unit takes 3 to 6 ns.
  static constexpr std::uint64_t kUnitsToList = 1;
  static constexpr std::uint64_t kUnitsToPart = 3;
  static constexpr std::uint64_t kUnitsToStep = 2;
  static constexpr std::uint64_t kUnitsOfWay = kUnitsToList + kUnitsToPart + kUnitsToStep;

  // Returns the parts; null once the meter is over, which counts all but kUnitsToList. O(nodes and
  // ways).
  static std::unique_ptr<StrongParts> find(const NodeWays& ways, WorkMeter* meter);
  // Returns the most memory that finding the parts of so many nodes and ways takes, with the ways
  // themselves and a sweep over the parts (routes/parts_reach.h).
  static constexpr std::uint64_t bytes_to_find(std::uint64_t nodes, std::uint64_t ways) {
    return kBytesOfNode * nodes + kBytesOfWay * ways;
  }

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
  // A way has its target and, in a list that may have grown to twice its length, a step. A node has
  // numbers in up to ten such lists, and the marks of a sweep.
  static constexpr std::uint64_t kBytesOfWay = 12;
  static constexpr std::uint64_t kBytesOfNode = 72;

  StrongParts() = default;
  // Return false once the meter is over.
  bool find_parts(const NodeWays& ways, WorkMeter* meter);
  bool find_steps(const NodeWays& ways, WorkMeter* meter);

  std::vector<std::uint32_t> part_;  // by node
  NodeWays steps_;                   // from part to part
  std::vector<std::uint32_t> met_;   // by part: stamp of the last question
  std::uint32_t stamp_ = 0;
};

}  // namespace repath
