// What CorridorSearch shows of its states to those who look inside.
#include <algorithm>
#include <cmath>

#include "navmesh/search/corridor.h"

namespace repath {

bool CorridorSearch::append_seen(std::size_t most, std::vector<Seen>* out) const {
  std::vector<std::uint32_t> reached;
  for (std::uint32_t s = 0; s < states_.size(); ++s)
    if (states_[s].stamp == stamp_) reached.push_back(s);
  std::ranges::sort(reached, {}, [this](std::uint32_t s) { return states_[s].order; });
  for (std::size_t i = 0; i < std::min(most, reached.size()); ++i) {
    const State& state = states_[reached[i]];
    const bool is_edge = reached[i] < mesh_->edges_end();
    const bool is_first = state.parent == kStart;
    const double dx = goal_.x - state.x;
    const double dz = goal_.z - state.z;
    out->push_back({.cell = cell_of_state(reached[i]),
                    .at = {state.x, state.z},
                    .from_cell = is_first ? start_.cell : cell_of_state(state.parent),
                    .from = is_first ? Point{start_.x, start_.z}
                                     : Point{states_[state.parent].x, states_[state.parent].z},
                    .edge = is_edge ? reached[i] : kNoEdge,
                    .link = is_edge ? kNoLink : (reached[i] - mesh_->edges_end()) / 2,
                    .g = state.g,
                    .h = std::sqrt(dx * dx + dz * dz),
                    .is_open = state.is_open});
  }
  return reached.size() <= most;
}

}  // namespace repath
