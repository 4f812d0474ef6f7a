// What a batch would do to the agents of a world, if it has been done to a clone of that world.
// Changes nothing. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "route_ground/state.h"
#include "routes/route_world.h"

namespace repath {

// Which places lead to which in the views of one world, each found out about once. Borrows the
// world, which must not change meanwhile.
class ReachByView {
 public:
  explicit ReachByView(const RouteWorld& world) : world_(world) {}
  bool leads(RouteViewId view, const RoutePlace& from, const RoutePlace& to);

 private:
  const RouteWorld& world_;
  std::map<RouteViewId, std::unique_ptr<RouteReach>> by_view_;
};

struct AgentsHit {
  // Ascending: who would stand in an obstacle, or holds a route that would be broken, cost
  // something else or end at none of its goals any more (as these have other places then).
  std::vector<AgentId> affected;
  std::vector<AgentId> cut_off;  // of these: have a complete route, and no way would be left
  bool truncated = false;        // there are more of them than `most`
};

// `after` is a clone of s.world, to which the batch did what `commit` says; `reach` is of `after`.
// O(rows + legs near changes + goals), and for those affected what RouteReach costs.
AgentsHit find_agents_hit(const RouteState& s, const RouteWorld& after, const RouteCommit& commit,
                          std::uint32_t most, ReachByView* reach);

}  // namespace repath
