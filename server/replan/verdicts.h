// How an agent passes between SETTLED and WAITING, and how what it is told becomes an event. Every
// change of an agent's standing goes through here, so that rows, queue, books and the path index
// cannot disagree.
//
// Not thread-safe. Borrows the state.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "replan/state.h"

namespace repath {

class Verdicts {
 public:
  explicit Verdicts(ReplanState& state) : s_(state) {}

  // ---- waiting ----
  // The verdict is proved up to `proved` only (0: for nothing). One that waits already keeps its
  // place, and the lesser of both revisions. Without another answer set, a path found will be told
  // as the standing suggests (answer_of in the .cc).
  void wait(Slot slot, Revision proved);
  // Its turn is over, but the verdict is proved only up to `proved`; since then, when the change
  // that spoils it was made, it waits.
  void serve_and_wait(Slot slot, Revision proved, std::uint64_t since_frame, Micros since_us);
  // The verdict holds at the world's revision, by a search. No effect if it was settled.
  void settle(Slot slot);
  // The same, but it has not come to its turn: a change settled it.
  void settle_unserved(Slot slot);
  // Nobody wants to know its verdict any more. No effect if it did not wait.
  void stop_asking(Slot slot);
  // A path that is found will be told as `type`, and silence will be no answer. A NEW_PATH that is
  // due already is not replaced.
  void expect(Slot slot, EventType type, EventReason reason);
  // The question stays, but when and how often it is to be answered is as `spec` says from now on.
  void retune(Slot slot, const AgentSpec& spec);
  // What is behind the wait.
  void add_cause(Slot slot, Revision revision, std::optional<ObstacleId> obstacle);
  void clear_causes(Slot slot);

  // ---- standing ----
  // The held path no longer counts; its client may follow it still, so it is remembered as past.
  void drop_path(Slot slot);
  // From nodes[from] on the held path was optimal at `revision` and cost `cost`.
  void note_found(Slot slot, std::uint32_t from, Revision revision, Cost cost);
  // The held path is about to be broken or doubted: keeps it beside with what was proved of it,
  // either when it was found, if little changed since, or at `revision`, where it has this cost and
  // lower bound. REQUIRES: kPath, and settled at `revision`, the one before the world's.
  void remember_path(Slot slot, Revision revision, Cost cost, Cost lower);
  // Sets a new path, version and place in the index. The caller sets the row's costs.
  void hold_path(Slot slot, std::vector<NodeId> nodes, Standing standing);
  // kNoNode: it stands in an obstacle and nothing stands in for its place.
  void set_origin(Slot slot, NodeId origin);
  // A search that runs for it must not give its answer: it is asked about something else now.
  void begin_search_anew(Slot slot) { s_.agents[slot].search_epoch = ++s_.last_epoch; }

  // ---- events ----
  // Fills agent, owner, position, version, causes and how long it waited, and puts it out. Verdicts
  // (all but COST_CHANGED and CONFIRMED) become the agent's latest.
  void tell(Slot slot, AgentEvent&& event);
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
  // Of a settled agent whose verdict holds today at another cell than before: CONFIRMED if a batch
  // may still name an earlier revision, for which nothing proves it there.
  void assure_from_now_on(Slot slot);

  WaitingEntry entry_of(Slot slot) const;

 private:
  bool may_be_named(Revision first, Revision end) const;
  void stop_waiting(Slot slot);
  void leave_books(Slot slot);
  void enter(Slot slot, Revision proved, std::uint64_t frame, Micros us);

  void put_path_aside(Slot slot);

  ReplanState& s_;
};

// The deadline of an agent that waits since `since`.
inline Micros deadline_of(const AgentSpec& spec, Micros since) {
  return since + Micros{spec.max_staleness_ms} * 1000;
}

}  // namespace repath
