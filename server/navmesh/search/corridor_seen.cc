// The states of CorridorSearch as ExplainPath shows them.
#include <algorithm>
#include <cmath>

#include "navmesh/search/cone.h"
#include "navmesh/search/corridor.h"

namespace repath {

bool CorridorSearch::append_seen(std::size_t most, std::vector<Seen>* out) const {
  std::vector<std::uint32_t> reached;
  for (std::uint32_t s = 0; s < states_.size(); ++s)
    if (states_.knows(s)) reached.push_back(s);
  std::ranges::sort(reached, {}, [this](std::uint32_t s) { return states_[s].order; });
  for (std::size_t i = 0; i < std::min(most, reached.size()); ++i) {
    const State& state = states_[reached[i]];
    const bool is_first = state.parent == kStart;
    out->push_back({.cell = cell_of_state(reached[i]),
                    .at = {state.x, state.z},
                    .from_cell = is_first ? start_.cell : cell_of_state(state.parent),
                    .from = is_first ? Point{start_.x, start_.z}
                                     : Point{states_[state.parent].x, states_[state.parent].z},
                    .edge = is_edge(reached[i]) ? reached[i] : kNoEdge,
                    .link = is_edge(reached[i]) ? kNoLink : ride_of(reached[i]).link,
                    .g = state.g,
                    .h = length_of(goal_.x - state.x, goal_.z - state.z),
                    .is_open = state.is_open});
  }
  return reached.size() <= most;
}

}  // namespace repath
