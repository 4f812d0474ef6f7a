// CorridorSearch against the direction of links: who can come to a place, and how.
#include <algorithm>
#include <tuple>

#include "navmesh/search/corridor.h"

namespace repath {

// A link is taken back from where it leads to, and one that goes both ways from either end.
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

// From where links can be taken in the direction of this search.
std::span<const NavMesh::LinkEnd> CorridorSearch::link_ends_of(std::uint32_t cell) const {
  if (!is_backward_) return mesh_->link_ends_of(cell);
  const auto range = std::ranges::equal_range(exits_, cell, {}, &NavMesh::LinkEnd::cell);
  return {range.begin(), range.end()};
}

// Parts of no length are passed over; behind a link that ends there is nothing to go to first.
CorridorSearch::LastLeg CorridorSearch::last_leg(const CellEntry& entry) const {
  if (entry.state != kStart && entry.state >= mesh_->edges_end()) {
    const std::uint32_t place = (entry.state - mesh_->edges_end()) / 2;
    const bool is_forward = (entry.state - mesh_->edges_end()) % 2 == 0;
    const NavLink& link = mesh_->links()[place];
    return {to_point(is_forward ? link.from : link.to), place};
  }
  const Point end = path_.back().at;
  for (std::size_t i = path_.size() - 1; i > 0 && path_[i - 1].link == kNoLink; --i)
    if (path_[i - 1].at != end) return {path_[i - 1].at, kNoLink};
  return {end, kNoLink};
}

}  // namespace repath
