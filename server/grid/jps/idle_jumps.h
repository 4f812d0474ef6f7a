// Keeps jump point searches that have ended, so that later searches use their memory. On small
// maps, allocating it costs as much as the search itself.
//
// Not thread-safe: take and give back while no search runs. Keeps at most kIdleMax searches, none
// with more memory than a limit. Owns the idle ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "grid/cells/goals.h"
#include "grid/cells/place.h"
#include "grid/jps/jps.h"
#include "grid/jps/jump_map.h"
#include "search/goal_set.h"

namespace repath {

class IdleJumps {
 public:
  // Keeps no search with more than `bytes_max` bytes.
  explicit IdleJumps(std::size_t bytes_max = std::size_t{1} << 20) : bytes_max_(bytes_max) {}

  // Returns a search that has begun, as the constructor of JumpPointSearch. The caller owns it and
  // may give it back.
  std::unique_ptr<JumpPointSearch> take(const GridLayer& layer, const JumpMap& map, NodeId start,
                                        const Goals& goals) {
    return take(layer, map, start, goals.nodes(), GoalsCellBound(goals));
  }
  // Returns such a search between two cells.
  std::unique_ptr<JumpPointSearch> take(const GridLayer& layer, const JumpMap& map, NodeId start,
                                        NodeId goal) {
    return take(layer, map, start, GoalSet{goal}, GoalsCellBound(place_of(layer, goal)));
  }
  void give_back(std::unique_ptr<JumpPointSearch> search) {
    if (idle_.size() < kIdleMax && search->bytes() <= bytes_max_)
      idle_.push_back(std::move(search));
  }

  std::uint64_t bytes() const {
    std::uint64_t bytes = 0;
    for (const auto& search : idle_) bytes += search->bytes();
    return bytes;
  }

 private:
  static constexpr std::size_t kIdleMax = 4;

  std::unique_ptr<JumpPointSearch> take(const GridLayer& layer, const JumpMap& map, NodeId start,
                                        const GoalSet& goals, GoalsCellBound bound) {
    if (idle_.empty()) return std::make_unique<JumpPointSearch>(layer, map, start, goals, bound);
    std::unique_ptr<JumpPointSearch> search = std::move(idle_.back());
    idle_.pop_back();
    search->begin_anew(layer, map, start, goals, bound);
    return search;
  }

  std::size_t bytes_max_;
  std::vector<std::unique_ptr<JumpPointSearch>> idle_;
};

}  // namespace repath
