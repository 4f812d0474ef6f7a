// How an agent passes between SETTLED and WAITING, and how what it is told becomes an event. Every
// change of an agent's standing goes through here, so that rows, queue and books cannot disagree.
// The same as replan's, for routes.
//
// Not thread-safe. Borrows the state.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reroute/state.h"

namespace repath {

class RouteVerdicts {
 public:
  explicit RouteVerdicts(RouteState& state) : s_(state) {}

  // ---- waiting ----
  // The verdict is proved up to `proved` only (0: for nothing). One that waits already keeps its
  // place, and the lesser of both revisions. Without another answer set, a route found will be told
  // as the standing suggests.
  void wait(RouteSlot slot, Revision proved);
  // Its turn is over, but the verdict is proved only up to `proved`; since then, when the change
  // that spoils it was made, it waits.
  void serve_and_wait(RouteSlot slot, Revision proved, std::uint64_t since_frame, Micros since_us);
  // The verdict holds at the world's revision, by a search or a proof. No effect if it was settled.
  void settle(RouteSlot slot);
  // The same, but it has not come to its turn: a change settled it.
  void settle_unserved(RouteSlot slot);
  // It waits for another question from now on: out of queue and book. No effect on a settled one.
  void leave_queue(RouteSlot slot);
  // A route that is found will be told as `type`, and silence will be no answer. A NEW_PATH that is
  // due already is not replaced.
  void expect(RouteSlot slot, EventType type, EventReason reason);
  // The question stays, but when and how often it is to be answered is as `spec` says from now on.
  void retune(RouteSlot slot, const AgentSpec& spec);
  // What is behind the wait.
  void add_cause(RouteSlot slot, Revision revision, std::optional<ObstacleId> obstacle);
  void clear_causes(RouteSlot slot);

  // ---- standing ----
  // The held route no longer counts; its client may follow it still, so it is kept as past, and it
  // may be the best one again (recall.h).
  void drop_route(RouteSlot slot);
  // Sets a new route and version. The caller sets the row's costs and the route's claims.
  void hold_route(RouteSlot slot, std::vector<RoutePoint> points, RouteStanding standing);
  // On to points[at] or the leg that begins there; row.origin has moved along.
  void set_place(RouteSlot slot, std::uint32_t at, const Spot& spot);
  // Where it is and where its route begins; empty: nowhere.
  void set_origin(RouteSlot slot, const Spot& spot, const std::optional<Spot>& origin);
  // A search that runs for it must not give its answer: it is asked about something else now.
  void begin_search_anew(RouteSlot slot) { s_.agents[slot].epoch = ++s_.last_epoch; }

  // ---- events ----
  // Fills agent, owner, spot, version, causes and how long it waited, and puts it out. Verdicts
  // (all but COST_CHANGED and CONFIRMED) become the agent's latest.
  void tell(RouteSlot slot, AgentEvent event);
  // The agent has another question: its latest verdict is gone, and kAsked is put out.
  void begin_question(RouteSlot slot);
  // CONFIRMED, if asked for and nothing was told at this revision yet.
  void confirm(RouteSlot slot);
  // Whether silence of this agent, which waits, would claim too much once it is proved from `since`
  // on: nothing proves it for the revisions before that it waited through, and a batch may still
  // name one of them.
  bool silence_would_mislead(RouteSlot slot, Revision since) const;
  // CONFIRMED at `revision`, asked for or not: silence speaks for nothing before it.
  void assure(RouteSlot slot, Revision revision);
  // Of a settled agent whose verdict holds today at another place than before: CONFIRMED if a batch
  // may still name an earlier revision, for which nothing proves it there.
  void assure_from_now_on(RouteSlot slot);

  WaitingEntry entry_of(RouteSlot slot) const;

 private:
  bool may_be_named(Revision first, Revision end) const;
  void stop_waiting(RouteSlot slot);
  void enter(RouteSlot slot, Revision proved, std::uint64_t frame, Micros us);

  RouteState& s_;
};

// The rest of a route as points: `origin`, on the leg that begins at points[at], then the points
// ahead. The i-th is points[at + i], but for the first. REQUIRES: at < points.size().
void rest_of_route(std::span<const RoutePoint> points, std::uint32_t at, const Spot& origin,
                   std::vector<RoutePoint>* out);

}  // namespace repath
