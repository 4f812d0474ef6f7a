// A search that an agent, or agents with the same goals, keep, with what it reads
// (verdicts/kept_state.h): the live ground, or an immutable copy.
//
// A search begins on the live ground. If a commit comes before its end, it takes in what changed
// and goes on. A search that must end at any rate of edits reads a copy instead. Not thread-safe;
// advance() of different states may run in parallel while world and log stay unchanged. Borrows
// world and log; the view must be in use.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ids.h"
#include "route_ground/delta_log.h"
#include "routes/route_world.h"
#include "verdicts/kept_state.h"

namespace repath {

// Returns whether two places of the ground, at whatever revisions, are the same to a kept search:
// one node of a graph, or one point of a mesh, whose cells change.
bool is_kept_place(const RouteGround& ground, const RoutePlace& a, const RoutePlace& b);

class RouteSearchState : public KeptState<RouteSearchState, KeptRouteSearch, RoutePlace> {
 public:
  RouteSearchState(const RouteWorld& world, const RouteDeltaLog& log, RouteViewId view,
                   SearchKind kind, KeptMemory<RouteSearchState>& memory)
      : KeptState(kind, memory), world_(world), log_(log), view_(view) {}

  // Forgets all work and begins again on today's ground: on `copy`, or on the live one if that is
  // null. REQUIRES: places of that ground; it has kept searches of this kind.
  void begin(const RoutePlace& from, std::span<const RoutePlace> goals,
             std::shared_ptr<const RouteGround> copy);
  // Returns whether it speaks of ways from there to these goals. O(goals squared).
  bool is_for(const RoutePlace& from, std::span<const RoutePlace> goals) const;
  // Notes that no agent waits for its answer now. It reads the live ground from now on.
  void rest() {
    if (!is_empty()) leave_revision();
  }
  bool reads_copy() const { return copy_ != nullptr; }
  // As RouteSearch::take_edge_units().
  std::uint64_t take_edge_units() { return is_empty() ? 0 : search_->take_edge_units(); }

 private:
  friend KeptState;

  bool covers(Revision since) const {
    return since >= world_.shape_since() && log_.covers(view_, since);
  }
  std::uint64_t changed_after(Revision since) const;
  Revision today() const { return world_.revision(); }
  void read_live();
  void note_follows() {}
  std::uint64_t feed();
  void let_go() { copy_.reset(); }
  std::uint64_t other_bytes() const { return goals_.capacity() * sizeof(RoutePlace); }
  Progress advance_search(const RoutePlace& from, std::uint32_t* left) {
    return search_->advance(from, left);
  }
  std::span<const NodeId> changed_nodes(const LoggedRouteDelta& logged) const {
    return is_goal_rooted(kind()) ? logged.tails : logged.heads;
  }

  const RouteWorld& world_;
  const RouteDeltaLog& log_;
  RouteViewId view_;
  RoutePlace root_;  // where a start-rooted search began
  std::vector<RoutePlace> goals_;
  std::shared_ptr<const RouteGround> copy_;
};

// The answer of a kept search for one place, after its last slice. Borrows the search.
class KeptAnswer final : public RouteSearch {
 public:
  KeptAnswer(const RouteSearchState* state, const RoutePlace& from) : state_(state), from_(from) {}

  Progress advance(std::uint32_t*) override { return Progress::kPathFound; }
  void append_route(std::vector<RoutePoint>* out) const override {
    state_->search().append_route(from_, out);
  }
  Cost cost() const override { return state_->search().cost(from_); }
  Cost lower_bound() const override { return state_->search().lower_bound(from_); }
  std::uint64_t expanded() const override { return 0; }

 private:
  const RouteSearchState* state_;
  RoutePlace from_;
};

}  // namespace repath
