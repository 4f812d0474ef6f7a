// Where agents say they are: along the path they hold, along an older one, or astray.
//
// Walking along the held path keeps every proof: the cost of the part behind the agent comes off
// both costs of the row. An agent that follows an older path is not astray, but nothing is proved
// about its new place either. An agent that can reach no goal still cannot at any place it can walk
// to. An agent that stands in an obstacle and wants no other path stays START_BLOCKED in the next
// obstacle. Not thread-safe. Borrows the state and the verdicts. `Kind`: see kind.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "agents/agent.h"
#include "verdicts/verdicts.h"

namespace repath {

template <class Kind>
class Positions {
 public:
  using State = typename Kind::State;
  using Seen = typename Kind::Seen;

  Positions(State& state, Verdicts<Kind>& verdicts) : s_(state), v_(verdicts) {}

  // REQUIRES: the point is on the map, or finite. O(1) on a grid or O(legs ahead) for a step along
  // the path, O(length) for straying.
  void report(Slot slot, MapPoint point, PathVersion follows) {
    auto& agent = s_.agents[slot];
    agent.spec.position = point;
    acknowledge(slot, std::min(follows, agent.last_version));
    if (agent.path.holds()) {
      if (const auto on = Kind::find_on_path(s_, slot)) {
        // The agent walked into the obstacle that broke its path: a search must begin elsewhere.
        if (Kind::walk(s_, slot, *on)) v_.begin_search_anew(slot);
        return;
      }
    }
    bool follows_past = false;
    const auto seen = Kind::find_place(s_, slot, &follows_past);
    if (!seen) return;
    if (agent.path.holds()) return leave(slot, *seen, follows_past);
    move_without_path(slot, *seen);
  }

  // Notes that the path `version` and all older ones have arrived. Forgets the paths older than
  // `version`.
  void acknowledge(Slot slot, PathVersion version) {
    std::erase_if(s_.agents[slot].past, [&](const auto& past) { return past.version < version; });
  }

  // Puts a new or changed agent at the place in its spec. Proves nothing.
  void place(Slot slot) {
    Kind::put_at_position(s_, slot);
    v_.begin_search_anew(slot);
  }

 private:
  void leave(Slot slot, const Seen& seen, bool follows_past) {
    v_.wait(slot, Revision{});
    if (follows_past) {
      v_.expect(slot, EventType::kReplanned, EventReason::kNone);
    } else {
      v_.expect(slot, EventType::kNewPath, EventReason::kOffPath);
    }
    v_.drop_path(slot);
    const bool was_on_ground = Kind::is_on_ground(s_, slot);
    Kind::move_to(s_, slot, seen);
    if (!was_on_ground || !Kind::is_free(s_, slot, seen)) v_.begin_search_anew(slot);
  }

  void move_without_path(Slot slot, const Seen& seen) {
    const auto& row = s_.agents.row(slot);
    const bool is_free = Kind::is_free(s_, slot, seen);
    const bool was_blocked = row.standing == Standing::kStartBlocked;
    const bool is_still_cut_off =
        row.settled && row.standing == Standing::kCutOff && Kind::can_step_to(s_, slot, seen);
    const bool is_still_blocked =
        row.settled && was_blocked && !is_free && !s_.agents[slot].spec.snap_start;
    const bool was_on_ground = Kind::is_on_ground(s_, slot);
    if (is_still_blocked) {
      Kind::move_in_obstacle(s_, slot, seen);
    } else {
      Kind::move_to(s_, slot, seen);
    }
    if (is_still_blocked || is_still_cut_off) return v_.assure_from_now_on(slot);
    v_.wait(slot, Revision{});
    // The agent has left its obstacle. Even if it goes back into one, its latest verdict no longer
    // counts.
    if (was_blocked && is_free) v_.expect(slot, EventType::kNewPath, EventReason::kStartFreeAgain);
    if (!was_on_ground || !is_free) v_.begin_search_anew(slot);
  }

  State& s_;
  Verdicts<Kind>& v_;
};

}  // namespace repath
