#include "route_ground/search_state.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace repath {
namespace {

std::vector<std::uint32_t> cells_of(std::span<const RoutePlace> places) {
  std::vector<std::uint32_t> cells;
  for (const RoutePlace& place : places) cells.push_back(place.cell);
  std::ranges::sort(cells);
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

}  // namespace

void RouteSearchState::begin(const RoutePlace& from, std::span<const RoutePlace> goals,
                             std::shared_ptr<const RouteGround> copy) {
  copy_ = std::move(copy);
  root_ = from.cell;
  goals_ = cells_of(goals);
  const RouteGround& ground = copy_ != nullptr ? *copy_ : world_.ground(view_);
  std::unique_ptr<KeptRouteSearch> search = ground.kept_search(kind(), from, goals);
  REPATH_CHECK(search != nullptr);
  begin_with(std::move(search));
}

bool RouteSearchState::is_for(const RoutePlace& from, std::span<const RoutePlace> goals) const {
  return (is_goal_rooted(kind()) || from.cell == root_) && cells_of(goals) == goals_;
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
