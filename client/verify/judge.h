// Holds the server to its promise: every verdict against the model at the verdict's revision, and
// every silence against the settled_revision that was claimed over it.
//
// What is held against the server:
//  - a verdict names a revision, a position that the agent had, and a path that is valid, costs
//  what it says and is optimal
//    (or within its allowance or bound) there; INVALIDATED a path that really is broken, and where;
//    UNREACHABLE really so;
//  - an agent whose path a commit broke, or made dearer or cheaper, or whose cell it closed, hears
//  of it at once;
//  - a claim "settled up to s" is true of every agent whose newest verdict is no newer than s: its
//  path, from where it
//    stands, is valid and optimal at s; what was said to be unreachable is so;
//  - versions, revisions, batch numbers and claims only grow (a claim may fall when agents were
//  asked for or moved).
// Not held against it: claims about an agent for revisions before its last question, and about one
// that follows an older path of which the newer's arrival had not been told.
//
// Costs in messages are world units; `cell_size` of them are a cell. Thread rule: one thread.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "repath/v1/agent.pb.h"
#include "verify/agents.h"
#include "verify/oracle.h"
#include "verify/tally.h"

namespace repath::verify {

class Judge {
 public:
  // Borrows all four. `has_legs`: paths may be first legs.
  Judge(WorldModel& world, Agents& agents, Oracle& oracle, Tally& tally, double cell_size,
        bool has_legs = false)
      : world_(world),
        agents_(agents),
        oracle_(oracle),
        tally_(tally),
        cell_size_(cell_size),
        has_legs_(has_legs) {}

  // The model has just taken a batch in: notes who must hear of it at once. Everything sent before
  // has been judged.
  void on_commit();
  // Everything has arrived that the server sent up to a frame after the last commit.
  void check_notices();

  // One batch of the stream, in order. `applied` is the last message that its events take into
  // account: a batch that did not empty the server's outbox repeats an older applied_sequence, and
  // the next one tells.
  void on_batch(const v1::EventBatch& batch, std::uint64_t applied);

  // The last batch's claim, about every agent, searched out.
  void check_claims();
  // The claims that a Tick's answer makes.
  void on_tick(const v1::TickResponse& answer);

  // An action of the client (not an acknowledgement) was sent: the claim may fall after it.
  void note_action(std::uint64_t sequence) { last_action_ = sequence; }

  std::uint64_t settled() const { return claim_.settled; }
  std::uint64_t applied() const { return claim_.applied; }

 private:
  struct Claim {
    std::uint64_t settled = 0;
    std::uint64_t applied = 0;
    std::uint64_t revision = 0;
    std::uint64_t batch = 0;
  };
  enum class Cause { kBroken, kDearer, kStartClosed };
  struct Notice {
    std::uint64_t agent;
    std::uint64_t revision;
    std::uint64_t heard;
    Cause cause;
  };
  // By silence or by CONFIRMED.
  struct Saying {
    std::uint64_t revision;
    const char* word;
    std::string text() const { return word + (" at " + std::to_string(revision)); }
  };
  // One event being judged.
  struct Case {
    const v1::PathEvent& event;
    Agent& agent;
    Cell cell;              // the position it names
    std::uint64_t applied;  // the client's messages that it takes into account
  };

  void check_order(const v1::EventBatch& batch);
  void steady(Agent& agent, const Claim& claim) const;

  // judge_events.cc
  void on_event(const v1::PathEvent& event, const v1::EventBatch& batch, std::uint64_t applied);
  static void trace(const v1::PathEvent& event, const v1::EventBatch& batch, std::uint64_t applied);
  void check_frame(const Case& c, const v1::EventBatch& batch);
  void check_position(const Case& c, bool exactly);
  void check_causes(const Case& c);
  void on_route(const Case& c);
  bool check_route(const Case& c, const Route& route, const AgentSpec& spec);
  void check_optimal(const Case& c, const Route& route, std::uint64_t revision);
  bool is_leg(const Case& c) const;
  double check_bound(const Case& c);
  void check_leg(const Case& c);
  void check_partial(const Case& c, const Route& route);
  void check_snapped(const Case& c, const Route& route);
  std::optional<int> place_on_route(const Case& c) const;
  void check_improved(const Case& c);
  void on_invalidated(const Case& c);
  void on_cost_changed(const Case& c);
  void on_unreachable(const Case& c);
  void on_confirmed(const Case& c);
  void on_start_blocked(const Case& c);

  // judge_silence.cc
  void check_claim(Agent& agent, const Claim& claim, bool search);
  // What is said of an agent at a revision: that what it holds is right there. Without `search`
  // only as far as that costs none.
  void check_held(Agent& agent, const Saying& saying, const Position& position, bool search);
  void check_held_route(Agent& agent, const Saying& saying, const Position& position, bool search);
  void check_held_partial(Agent& agent, const Saying& saying, Cell cell);
  void check_held_start(Agent& agent, const Saying& saying, const Position& position, bool search);
  void check_some_claims();
  bool concerned(const Agent& agent, Cell cell, std::uint64_t revision, Cause cause);
  // The free cell whose centre is nearest to the position's point, within 64 cells; of several the
  // first by rows.
  std::optional<Cell> nearest_free(int view, std::uint64_t revision, const Position& from);
  double straight(const Position& from, Cell to) const;  // to the centre, in cells

  // Off its path because it follows an older one, the newer's arrival not having been told when it
  // said so?
  bool exempt(const Agent& agent, const Position& position) const;
  void defect(Defect kind, const Agent& agent, const std::string& what);
  std::string place(Cell cell) const;
  double cells(double world_units) const { return world_units / cell_size_; }

  WorldModel& world_;
  Agents& agents_;
  Oracle& oracle_;
  Tally& tally_;
  double cell_size_;
  bool has_legs_;
  Claim claim_;
  std::uint64_t last_action_ = 0;
  std::vector<Notice> notices_;
  std::uint64_t sampled_ = 0;  // turns over the agents whose claims are searched out at every batch
};

// Equal up to the rounding of the server's integer costs.
bool same_cost(double a, double b);
// a is less than b by more than that rounding.
bool less_cost(double a, double b);

}  // namespace repath::verify
