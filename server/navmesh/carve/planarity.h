// Tests whether the links of an arrangement meet at nodes only: a part of navmesh/carve/carve.h.
// Exact. Not thread-safe; keeps its memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/work_meter.h"
#include "geometry/ring.h"
#include "navmesh/carve/box_sweep.h"
#include "navmesh/carve/carve_nodes.h"

namespace repath {

class Planarity {
 public:
  // Returns whether no two links cross at an inner point of both, and none passes through a node
  // that is not its end. Returns false if `work` is over. REQUIRES: `nodes` ascend, each once; a
  // link leads from node `low` to node `high`, low < high. O(n log n), and for each link the number
  // of links and nodes beside it along z.
  template <class Link>
  [[nodiscard]] bool test(std::span<const LatticePoint> nodes, std::span<const Link> links,
                          WorkMeter* work) {
    boxes_.clear();
    for (const Link& link : links) {
      const LatticePoint a = nodes[link.low];
      const LatticePoint b = nodes[link.high];
      boxes_.push_back(bounds_of(a, b));
      if (!work->spend(link.high - link.low)) return false;
      for (std::uint32_t n = link.low + 1; n < link.high; ++n)  // only these can lie on it
        if (boxes_.back().holds(nodes[n]) && turn(a, b, nodes[n]) == 0) return false;
    }
    return sweep_.run(boxes_, work, [=](std::uint32_t i, std::uint32_t k) {
      LatticePoint at;
      return !cross(nodes[links[i].low], nodes[links[i].high], nodes[links[k].low],
                    nodes[links[k].high], &at);
    });
  }

 private:
  BoxSweep sweep_;
  std::vector<LatticeBox> boxes_;  // of links
};

}  // namespace repath
