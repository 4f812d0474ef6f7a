#include "route_ground/search_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"

namespace repath {

bool is_kept_place(const RouteGround& ground, const RoutePlace& a, const RoutePlace& b) {
  if (!ground.is_continuous()) return a.cell == b.cell;
  return a.at.x == b.at.x && a.at.z == b.at.z && std::abs(a.at.y - b.at.y) <= kSameFloor;
}

void RouteSearchState::begin(const RoutePlace& from, std::span<const RoutePlace> goals,
                             std::shared_ptr<const RouteGround> copy) {
  copy_ = std::move(copy);
  root_ = from;
  goals_.assign(goals.begin(), goals.end());
  const RouteGround& ground = copy_ != nullptr ? *copy_ : world_.ground(view_);
  std::unique_ptr<KeptRouteSearch> search = ground.kept_search(kind(), from, goals);
  REPATH_CHECK(search != nullptr);
  begin_with(std::move(search));
}

bool RouteSearchState::is_for(const RoutePlace& from, std::span<const RoutePlace> goals) const {
  const RouteGround& ground = world_.ground(view_);
  const auto is_of = [&](std::span<const RoutePlace> all, const RoutePlace& place) {
    return std::ranges::any_of(
        all, [&](const RoutePlace& one) { return is_kept_place(ground, one, place); });
  };
  return (is_goal_rooted(kind()) || is_kept_place(ground, from, root_)) &&
         std::ranges::all_of(goals, [&](const RoutePlace& goal) { return is_of(goals_, goal); }) &&
         std::ranges::all_of(goals_, [&](const RoutePlace& goal) { return is_of(goals, goal); });
}

std::uint64_t RouteSearchState::changed_after(Revision since) const {
  std::uint64_t nodes = 0;
  log_.for_each_after(
      view_, since, [&](const LoggedRouteDelta& logged) { nodes += changed_nodes(logged).size(); });
  return nodes;
}

void RouteSearchState::read_live() {
  search_->read(world_.ground(view_));
  copy_.reset();
}

std::uint64_t RouteSearchState::feed() {
  std::uint64_t nodes = 0;
  log_.for_each_after(view_, revision(), [&](const LoggedRouteDelta& logged) {
    const std::span<const NodeId> changed = changed_nodes(logged);
    nodes += changed.size();
    search_->on_edges_changed(changed);
  });
  return nodes;
}

}  // namespace repath
