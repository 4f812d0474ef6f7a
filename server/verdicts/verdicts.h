// How an agent passes between SETTLED and WAITING, and how a fact becomes an event. Every change of
// an agent's standing goes through here, so that rows, queue and books cannot disagree.
//
// Words (server/docs/promise.md defines them; this class is their one place in code):
//   SETTLED: a filter or a search proved that the agent's last verdict holds at the world's
//     revision. The agent is not in the queue.
//   WAITING: the last verdict is proved only up to `proved`, the last such revision (0: for
//     nothing). The agent is in the queue and in the waiting book. The greatest revision for which
//     no agent waits, settled_revision, is the least `proved` in that book.
//   in silence: at each settled_revision that a batch names, an agent without a newer event counts
//     as confirmed. So an agent that was proved up to s and then again from t > s on must get a
//     CONFIRMED if a batch may still name a revision between them (silence_would_mislead).
// Not thread-safe. Borrows the state. `Kind` is what kind.h asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "agents/waiting_book.h"
#include "verdicts/agent_record.h"

namespace repath {

template <class Kind>
class Verdicts {
 public:
  using State = typename Kind::State;
  using Point = typename Kind::Point;

  explicit Verdicts(State& state) : s_(state) {}

  // ---- waiting ----
  // The verdict is proved up to `proved` only (0: for nothing). An agent that waits already keeps
  // its place, and the lesser of both revisions. Unless expect() says otherwise, a path found is
  // told as the standing suggests.
  void wait(Slot slot, Revision proved);
  // Ends the agent's turn, but its verdict is proved only up to `proved`. It waits on, since the
  // change that spoils the verdict was made.
  void serve_and_wait(Slot slot, Revision proved, std::uint64_t since_frame, Micros since_us);
  // The verdict holds at the world's revision, by a search or a proof. No effect if it was settled.
  void settle(Slot slot);
  // The same, but the agent has not come to its turn: a change settled it.
  void settle_unserved(Slot slot);
  // The agent's question is void: out of queue and book. No effect if it did not wait.
  void stop_asking(Slot slot);
  // A path that is found will be told as `type`, and silence will be no answer. A NEW_PATH that is
  // due already is not replaced.
  void expect(Slot slot, EventType type, EventReason reason);
  // The question stays, but when and how often it is to be answered is as `spec` says from now on.
  void retune(Slot slot, const AgentSpec& spec);
  // Adds what is behind the wait.
  void add_cause(Slot slot, Revision revision, std::optional<ObstacleId> obstacle);
  void clear_causes(Slot slot);

  // ---- standing ----
  // The held path no longer counts; its client may follow it still, so it is kept as past.
  void drop_path(Slot slot);
  // Sets a new path and version. The caller sets the row's costs and what is claimed of the path.
  void hold_path(Slot slot, std::vector<Point> points, Standing standing);
  // A search that runs for the agent must not give its answer: the question is another one now.
  void begin_search_anew(Slot slot) { s_.agents[slot].search_epoch = ++s_.last_epoch; }

  // ---- events ----
  // Fills agent, owner, place, version, causes and how long the agent waited, and puts the event
  // out. Verdicts (all but COST_CHANGED and CONFIRMED) become the agent's latest.
  void tell(Slot slot, AgentEvent&& event);
  // COST_CHANGED of the held path, at the world's revision.
  void tell_cost(Slot slot, Cost before, Cost after);
  // The agent has another question: its latest verdict is gone, and kAsked is put out.
  void begin_question(Slot slot);
  // CONFIRMED, if asked for and nothing was told at this revision yet.
  void confirm(Slot slot);
  // Whether silence of this agent, which waits, would claim too much once it is proved from `since`
  // on: nothing proves it for the revisions before that it waited through, and a batch may still
  // name one of them.
  bool silence_would_mislead(Slot slot, Revision since) const;
  // CONFIRMED at `revision`, asked for or not: silence speaks for nothing before it.
  void assure(Slot slot, Revision revision);
  // Of a settled agent whose verdict holds today at another place than before: CONFIRMED if a batch
  // may still name an earlier revision, for which nothing proves it there.
  void assure_from_now_on(Slot slot);

  WaitingEntry entry_of(Slot slot) const;

 private:
  static constexpr std::size_t kEventsExpected = 3;  // more in a frame grow as they come
  static constexpr std::size_t kPastPathsMax = 4;

  bool may_be_named(Revision first, Revision end) const;
  void stop_waiting(Slot slot);
  void leave_books(Slot slot);
  void enter(Slot slot, Revision proved, std::uint64_t frame, Micros us);
  void put_path_aside(Slot slot);

  State& s_;
};

}  // namespace repath
