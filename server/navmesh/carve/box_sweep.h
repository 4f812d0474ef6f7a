// Finds the pairs of boxes that meet, by a sweep along x: a part of navmesh/carve/carve.h. Not
// thread-safe; keeps its memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/work_meter.h"
#include "geometry/ring.h"

namespace repath {

class BoxSweep {
 public:
  // Calls visit(i, k) once for each pair of closed boxes that meet, in either order of i and k,
  // until it returns false. Returns false if visit did, or if `work` is over. O(n log n), and for
  // each box the number of boxes that meet the line on which it begins.
  template <class Visit>
  [[nodiscard]] bool run(std::span<const LatticeBox> boxes, WorkMeter* work, Visit visit);

 private:
  std::vector<std::uint32_t> order_;  // boxes by their least x
  std::vector<LatticeBox> open_;      // boxes that meet the sweep line
  std::vector<std::uint32_t> names_;  // of open_
};

template <class Visit>
bool BoxSweep::run(std::span<const LatticeBox> boxes, WorkMeter* work, Visit visit) {
  order_.clear();
  for (std::uint32_t i = 0; i < boxes.size(); ++i) order_.push_back(i);
  std::ranges::sort(order_, {}, [boxes](std::uint32_t i) { return boxes[i].low.x; });
  open_.clear();
  names_.clear();
  for (const std::uint32_t i : order_) {
    const LatticeBox& box = boxes[i];
    if (!work->spend(1 + open_.size())) return false;
    std::size_t kept = 0;
    for (std::size_t o = 0; o < open_.size(); ++o) {
      if (open_[o].high.x < box.low.x) continue;
      open_[kept] = open_[o];
      names_[kept++] = names_[o];
      if (box.meets(open_[o]) && !visit(i, names_[o])) return false;
    }
    open_.resize(kept);
    names_.resize(kept);
    open_.push_back(box);
    names_.push_back(i);
  }
  return true;
}

}  // namespace repath
