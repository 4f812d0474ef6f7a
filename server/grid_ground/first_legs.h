// First legs: on large maps, a path soon for an agent that has none it can walk, over clusters of
// cells (grid/hpa/hpa_search.h), while its exact search goes on.
//
// A leg is worth its work once the exact search has gone on for as long as the leg would take. That
// time is learned for each cell of the way. The search over clusters is a weighted A* (kWeight): it
// asks for the facts of few clusters, so few unknown facts must be paid for. One leg is searched
// for at a time, on a copy of the clusters, so it ends at any rate of edits. Its result goes
// through the deltas since (Settling::lead). An agent gets one leg in a wait, and another one if
// that breaks. These agents get none: agents on hexagons, agents that keep clear of others, and
// agents whose path begins beside the obstacle they stand in. Not thread-safe; runs on the strand,
// not through the executor, so that facts are found in one order. Borrows state and settling.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "agents/agent.h"
#include "grid/hpa/hpa_search.h"
#include "grid_ground/settling.h"
#include "grid_ground/state.h"

namespace repath {

class FirstLegs {
 public:
  FirstLegs(ReplanState& state, Settling& settling) : s_(state), settling_(settling) {}

  // Returns whether the world is large enough for first legs.
  bool may_lead_any() const;
  // Returns whether the agent, which waits, may have a leg. Whether the leg pays is another
  // question.
  bool may_lead(Slot slot) const;
  // Returns the expected cost of a leg for the agent. REQUIRES: may_lead.
  WorkUnits price(Slot slot) const;

  // Gives up the leg in progress if its agent stands elsewhere or has an answer by now.
  void drop_in_vain();
  // Gives up the leg in progress if it is this agent's, which goes or is asked something else.
  void forget(Slot slot);
  // Returns whether no leg is in progress.
  bool is_idle() const { return leg_ == nullptr; }
  // REQUIRES: is_idle, may_lead. Adds its work to `units`.
  void begin(Slot slot, WorkUnits* units);
  // Goes on for about `grant` units, and adds the units it used to `units`. It exceeds `grant` by
  // at most a cluster's facts or a window of the path. An agent whose path proved to be optimal is
  // settled and returned. `least` as in Settling::lead. REQUIRES: !is_idle().
  std::optional<Slot> advance(WorkUnits grant, Cost least, WorkUnits* units);
  // Returns the agent whose leg is in progress. REQUIRES: !is_idle().
  Slot slot() const { return leg_->slot; }

 private:
  struct Leg {
    Leg(Slot slot_in, HpaMap clusters_in) : slot(slot_in), clusters(std::move(clusters_in)) {}
    Slot slot;
    HpaMap clusters;
    std::uint64_t epoch = 0;  // see Agent::search_epoch
    Revision revision{};      // revision of the clusters
    std::uint64_t cells = 0;  // cells of the way, at least
    std::optional<HpaSearch> search;
  };

  std::uint64_t cells_of(Slot slot) const;
  bool is_in_vain() const;
  void end();
  std::optional<Slot> tell(Cost least, WorkUnits* units);

  ReplanState& s_;
  Settling& settling_;
  std::unique_ptr<Leg> leg_;  // in progress
  // Cells and units of all legs so far, without facts. They start as if some legs had been found.
  std::uint64_t cells_ = 1u << 12;
  WorkUnits units_ = 1u << 16;
};

}  // namespace repath
