// How an agent passes between SETTLED and WAITING, and how a fact becomes an event. Every change of
// an agent's standing goes through here, so that rows, queue and books cannot disagree.
//
// Words (server/docs/promise.md defines them; this class is their one place in code):
//   SETTLED: a filter or a search proved that the agent's last verdict holds at the world's
//     revision. The agent is not in the queue.
//   WAITING: the last verdict is proved only up to `proved`, the last such revision (0: for
//     nothing). The agent is in the queue and in the waiting book. The greatest revision at which
//     no agent waits is settled_revision. It is the least `proved` in that book.
//   in silence: at each settled_revision that a batch names, an agent without a newer event counts
//     as confirmed.
//     An agent may have been proved up to s and then again from t > s on. It must get a CONFIRMED
//     if a batch may still name a revision between them (silence_would_mislead).
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
  // Makes the agent wait: its verdict is proved up to `proved` only (0: for nothing). An agent that
  // waits already keeps its place in the queue, and the lesser of both revisions. The standing
  // decides the type of the event that will send a path found, unless expect() sets another one.
  void wait(Slot slot, Revision proved);
  // Ends the agent's turn, but its verdict is proved only up to `proved`. The agent waits on, and
  // its wait counts from the change that spoils the verdict.
  void serve_and_wait(Slot slot, Revision proved, std::uint64_t since_frame, Micros since_us);
  // Settles the agent: its verdict holds at the world's revision, by a search or a proof. No effect
  // if it was settled.
  void settle(Slot slot);
  // Settles the agent like settle(), but outside its turn: a change settled it.
  void settle_unserved(Slot slot);
  // Takes the agent out of queue and book, because its question is void. Does nothing for an agent
  // that is settled.
  void stop_asking(Slot slot);
  // Sets the type of the event that will send a path found. Silence will be no answer. A NEW_PATH
  // that is due already is not replaced.
  void expect(Slot slot, EventType type, EventReason reason);
  // Sets the priority, the staleness bound and the wish for confirmations from `spec`. The question
  // stays.
  void retune(Slot slot, const AgentSpec& spec);
  // Adds what is behind the wait.
  void add_cause(Slot slot, Revision revision, std::optional<ObstacleId> obstacle);
  void clear_causes(Slot slot);

  // ---- standing ----
  // Drops the held path, which no longer counts. Its client may still follow it, so it is kept as a
  // past path.
  void drop_path(Slot slot);
  // Sets a new path and version. The caller sets the row's costs and what is claimed of the path.
  void hold_path(Slot slot, std::vector<Point> points, Standing standing);
  // Makes a search in progress for the agent begin again: the question is another one now, so the
  // search must not give its answer.
  void begin_search_anew(Slot slot) { s_.agents[slot].search_epoch = ++s_.last_epoch; }

  // ---- events ----
  // Puts the event out, with agent, owner, place, version, causes and the time the agent waited.
  // Verdicts (all but COST_CHANGED and CONFIRMED) become the agent's latest.
  void tell(Slot slot, AgentEvent&& event);
  // Sends COST_CHANGED of the held path, at the world's revision.
  void tell_cost(Slot slot, Cost before, Cost after);
  // Begins another question of the agent: drops its latest verdict and puts kAsked out.
  void begin_question(Slot slot);
  // Sends CONFIRMED if the agent asked for confirmations and got no event at this revision yet.
  void confirm(Slot slot);
  // Returns whether silence of this waiting agent would claim too much once it is proved from
  // `since` on. It would if a batch may still name a revision before `since` through which the
  // agent waited: no proof covers it.
  bool silence_would_mislead(Slot slot, Revision since) const;
  // Sends CONFIRMED at `revision`, asked for or not: silence speaks for nothing before it.
  void assure(Slot slot, Revision revision);
  // Sends CONFIRMED to a settled agent whose verdict holds today at another place than before, if a
  // batch may still name an earlier revision. For such a revision the verdict is unproved at the
  // new place.
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
