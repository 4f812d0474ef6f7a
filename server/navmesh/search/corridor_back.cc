// CorridorSearch against the direction of links: the ways that lead to a place.
#include <algorithm>
#include <tuple>

#include "navmesh/search/corridor.h"

namespace repath {

// A link is taken backward from the end that it leads to. A link that goes both ways is taken from
// either end.
void CorridorSearch::list_exits() {
  exits_.clear();
  const std::vector<NavLink>& links = mesh_->links();
  for (std::uint32_t i = 0; i < links.size(); ++i) {
    if (links[i].from_cell == kNoCell || links[i].to_cell == kNoCell) continue;
    exits_.push_back({links[i].to_cell, i, false});
    if (links[i].both_ways) exits_.push_back({links[i].from_cell, i, true});
  }
  std::ranges::sort(exits_, {}, [](const NavMesh::LinkEnd& end) {
    return std::tuple(end.cell, end.link, end.is_from);
  });
}

// Returns the ends at which links can be entered in the direction of this search.
std::span<const NavMesh::LinkEnd> CorridorSearch::link_ends_of(std::uint32_t cell) const {
  if (!is_backward_) return mesh_->link_ends_of(cell);
  const auto range = std::ranges::equal_range(exits_, cell, {}, &NavMesh::LinkEnd::cell);
  return {range.begin(), range.end()};
}

// Parts of no length are passed over. If a link ends at the entry, the last part is the link
// itself.
CorridorSearch::LastLeg CorridorSearch::last_leg(const CellEntry& entry) const {
  if (entry.state != kStart && !is_edge(entry.state)) {
    const LinkRide ride = ride_of(entry.state);
    return {to_point(ride.near), ride.link};
  }
  const std::vector<CorridorCorner>& corners = path_.corners();
  const Point end = corners.back().at;
  for (std::size_t i = corners.size() - 1; i > 0 && corners[i - 1].link == kNoLink; --i)
    if (corners[i - 1].at != end) return {corners[i - 1].at, kNoLink};
  return {end, kNoLink};
}

}  // namespace repath
