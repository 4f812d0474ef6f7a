// Which kernel answers an agent, and what that has cost in this world so far: a search that is kept
// and repaired, the field of its goals, or one from scratch.
//
// Why a repair is exact: D* Lite and LPA* (search/incremental/) are notified of every node with a
// changed edge. They end with an optimal path of the world's revision, as a search from scratch
// does. A repair has a cap (verdicts/repair_costs.h): it wins by orders of magnitude or loses.
//
// Strategy::kAuto takes D* Lite as long as its repairs save more than they cost, else A*. It takes
// the field of goals that kFieldAgentsMin agents or more share, if that costs less than a search
// for each of them that waits. On meshes it takes A*: repairs mostly take longer there (README).
// Where a question is not worth a kept search (RouteGround::keeps_searches) all is A*. Not
// thread-safe; owned by one planner. Borrows the state.
#pragma once

#include <array>
#include <cstdint>

#include "route_ground/state.h"
#include "verdicts/repair_costs.h"

namespace repath {

class RouteSearchCosts : public RepairCosts {
 public:
  using RepairCosts::RepairCosts;

  // Notes the end of a repair of one agent's search: with an answer, or at its cap.
  void note_repair(WorkUnits units, bool is_found) { repairs_.note(units, is_found); }
  // Notes the units of a search of one agent, and whether it gave an answer.
  void note_single(WorkUnits units, bool is_answer);
  // Notes the units of looking for a remembered route, and whether one settled the agent. Agents
  // with a broken route are counted apart: they look for one that opened again, the others for a
  // better one.
  void note_recall(bool is_broken, WorkUnits units, bool is_found) {
    recalls_[is_broken ? 1 : 0].note(units, is_found);
  }
  // Returns whether looking costs less than the searches that it saves.
  bool recalls_pay(bool is_broken) {
    return recalls_[is_broken ? 1 : 0].pays(kSearchOverhead + single_fresh());
  }
  // Returns whether repairs cost less than the searches from scratch that they save.
  bool repairs_pay() { return repairs_.pays(single_fresh()); }
  // Returns whether bringing the field up to date, which is so many revisions behind, costs less
  // than an answer of its own for each of `agents`.
  bool field_pays(std::uint64_t agents, std::uint64_t behind) const {
    return agents * single() >= field_work(behind);
  }
  // As field_pays, for a field that is still to be made.
  bool new_field_pays(std::uint64_t agents) const {
    return agents * single() >= mean_fresh(SearchKind::kField);
  }

 private:
  static constexpr WorkUnits kRecallOverhead = 16;
  static constexpr WorkUnits kSearchOverhead = 8;  // to begin a search and to take its route

  // Average cost of one agent's search from scratch, and of any answer for one agent.
  WorkUnits single_fresh() const;
  WorkUnits single() const {
    return singles_.searches == 0 ? single_fresh() : singles_.units / singles_.searches;
  }

  CostOfAttempts repairs_{1, 8, 6, 16};
  std::array<CostOfAttempts, 2> recalls_{CostOfAttempts{kRecallOverhead, 5, 4, 0},
                                         CostOfAttempts{kRecallOverhead, 5, 4, 0}};
  Kind singles_;
};

class KeptSearches {
 public:
  explicit KeptSearches(RouteState& state) : costs(state.world.node_count()), s_(state) {}

  // Returns the kind of search that the agent's question calls for. Call it once in a turn.
  SearchKind kind_for(Slot slot);
  // Returns whether that may be the field, which one job at a time may bring up to date.
  bool may_use_field(Slot slot) const;
  // Returns the search that the agent, or its goals for a field, keep. It is empty if another kind
  // was kept before.
  RouteSearchState* state_of(Slot slot, SearchKind kind);
  // Returns the units that a repair may cost before a search from scratch begins.
  WorkUnits cap_of(SearchKind kind) const;
  bool is_over_memory() const {
    return s_.search_memory.bytes() + s_.fresh_bytes > s_.options.search_memory_bytes;
  }
  // Takes memory back that exceeds the limit, from searches that are not busy.
  template <class IsBusy>
  void keep_within_memory(const IsBusy& is_busy) {
    s_.stats.evictions += s_.search_memory.evict([this] { return is_over_memory(); }, is_busy);
  }

  RouteSearchCosts costs;

 private:
  bool field_pays(const RouteGoals& goals) const;

  RouteState& s_;
};

}  // namespace repath
