// Finds the agents whose path takes a changed step: filter 1 for a crowd. Paths are listed by the
// blocks of 16 x 16 cells in which their steps begin. An entry of a replaced path is dropped when a
// change meets it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cost.h"
#include "grid/cells/edges.h"
#include "grid/cells/layer.h"

namespace repath::bench {

class PathBook {
 public:
  // Borrows the layer.
  PathBook(const GridLayer& layer, std::size_t agents)
      : layer_(layer),
        blocks_x_((layer.width() + kMask) >> kBits),
        blocks_(static_cast<std::size_t>(blocks_x_) *
                static_cast<std::size_t>((layer.height() + kMask) >> kBits)),
        paths_(agents) {}

  // Returns the agent's path; empty if it has none.
  std::span<const NodeId> path(std::uint32_t agent) const { return paths_[agent].nodes; }

  // Swaps the agent's path for `nodes`.
  void hold(std::uint32_t agent, std::vector<NodeId>* nodes) {
    Path& path = paths_[agent];
    path.nodes.swap(*nodes);
    ++path.generation;
    const auto steps = static_cast<std::uint32_t>(path.nodes.empty() ? 0 : path.nodes.size() - 1);
    for (std::uint32_t first = 0, end = 0; first < steps; first = end) {
      const std::size_t block = block_of(path.nodes[first]);
      while (end < steps && block_of(path.nodes[end]) == block) ++end;
      blocks_[block].push_back({agent, path.generation, first, end});
    }
  }

  // Appends the agents whose path takes one of the edges, ascending, each once. REQUIRES: edges are
  // sorted by (from, to).
  void find(const std::vector<EdgeChange>& edges, std::vector<std::uint32_t>* agents) {
    std::vector<std::size_t> touched;
    for (const EdgeChange& edge : edges) touched.push_back(block_of(edge.from));
    std::ranges::sort(touched);
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const std::size_t block : touched) {
      std::erase_if(blocks_[block], [&](const Run& run) {
        const Path& path = paths_[run.agent];
        if (run.generation != path.generation) return true;
        if (takes_one(std::span(path.nodes).subspan(run.first, run.end - run.first + 1), edges))
          agents->push_back(run.agent);
        return false;
      });
    }
    std::ranges::sort(*agents);
    agents->erase(std::unique(agents->begin(), agents->end()), agents->end());
  }

 private:
  static constexpr int kBits = 4;
  static constexpr std::int32_t kMask = (1 << kBits) - 1;
  struct Path {
    std::vector<NodeId> nodes;
    std::uint32_t generation = 0;
  };
  struct Run {  // steps [first, end)
    std::uint32_t agent = 0;
    std::uint32_t generation = 0;
    std::uint32_t first = 0;
    std::uint32_t end = 0;
  };

  std::size_t block_of(NodeId n) const {
    return static_cast<std::size_t>((layer_.y_of(n) >> kBits) * blocks_x_ +
                                    (layer_.x_of(n) >> kBits));
  }
  static bool takes_one(std::span<const NodeId> nodes, const std::vector<EdgeChange>& edges) {
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
      auto edge = std::ranges::lower_bound(edges, nodes[i], {}, &EdgeChange::from);
      for (; edge != edges.end() && edge->from == nodes[i]; ++edge)
        if (edge->to == nodes[i + 1]) return true;
    }
    return false;
  }

  const GridLayer& layer_;
  std::int32_t blocks_x_;
  std::vector<std::vector<Run>> blocks_;
  std::vector<Path> paths_;
};

}  // namespace repath::bench
