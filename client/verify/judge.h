// Holds the server to its promise: it checks every verdict against the model at the verdict's
// revision, and every silence at the settled_revisions that batches name.
//
// A verdict names its revision, a position that the agent had, and a path. The path is valid there,
// costs what it claims, and is optimal or within its allowance or bound. INVALIDATED names a path
// that is broken, and the right waypoint. UNREACHABLE is true.
//
// An agent gets a verdict at once if a commit broke its path, changed the path's cost, or closed
// its cell.
//
// A claim "settled up to s" is true of every agent whose newest verdict is not newer than s. Its
// path, from its position, is valid and optimal at s; UNREACHABLE still is true.
//
// Versions, revisions, batch numbers and claims only grow. A claim may fall when agents were added
// or moved.
//
// Not checked are claims about an agent for revisions before its last question. The same goes for
// an agent that follows an older path until the newer one is acknowledged.
//
// Costs in messages are world units; `cell_size` of them are a cell. Thread rule: one thread.
#pragma once

#include <optional>
#include <set>
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
  // Borrows all four. With `has_legs` paths may be first legs.
  Judge(WorldModel& world, Agents& agents, Oracle& oracle, Tally& tally, double cell_size,
        bool has_legs = false)
      : world_(world),
        agents_(agents),
        oracle_(oracle),
        tally_(tally),
        cell_size_(cell_size),
        has_legs_(has_legs) {}

  // Call it after the model has taken in a batch: notes the agents that must get a verdict at once.
  // Everything sent before has been judged.
  void on_commit();
  // Call it when everything has arrived that the server sent up to a frame after the last commit.
  void check_notices();

  // Takes one batch of the stream, in order. `applied` is the last message that its events take
  // into account. A batch that did not empty the server's outbox repeats an older applied_sequence;
  // the next batch then has it.
  void on_batch(const v1::EventBatch& batch, std::uint64_t applied);

  // Call it after a restart of the server: no earlier claim counts, and batches count from 1.
  // Agents with these ids were removed, but the restart may have undone that: REMOVED may come once
  // more.
  void on_restart(std::set<std::uint64_t> removed_again);

  // Checks the last batch's claim about every agent, with searches.
  void check_claims();
  // Checks the claims of a Tick's answer.
  void on_tick(const v1::TickResponse& answer);

  // Notes that the client sent an action other than an acknowledgement, after which the claim may
  // fall.
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
  // A claim by silence or by CONFIRMED.
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
  std::vector<int> places_on_route(const Case& c) const;
  std::optional<double> held_cost(const Case& c, double said);
  void check_improved(const Case& c);
  void on_invalidated(const Case& c);
  void on_cost_changed(const Case& c);
  void on_unreachable(const Case& c);
  void on_confirmed(const Case& c);
  void on_start_blocked(const Case& c);

  // judge_lines.cc: the lines of agents that keep a turning radius
  void check_line(const Case& c, const Route& route);
  bool are_neighbours(Cell a, Cell b) const;
  // Whether no part of the held line from that place of the route on lies in a blocked cell; with a
  // margin, whether none comes so near to one.
  bool is_line_open(const Agent& agent, std::uint64_t revision, int from, double margin = 0);

  // judge_silence.cc
  void check_claim(Agent& agent, const Claim& claim, bool search);
  // Checks the claim that an agent's verdict holds at a revision. Without `search` it checks only
  // what needs no search.
  void check_held(Agent& agent, const Saying& saying, const Position& position, bool search);
  // `at`: the place of the position on the held route.
  void check_held_route(Agent& agent, const Saying& saying, const Position& position,
                        std::optional<int> at, bool search);
  void check_held_partial(Agent& agent, const Saying& saying, Cell cell, std::optional<int> at);
  void check_held_start(Agent& agent, const Saying& saying, const Position& position, bool search);
  void check_some_claims();
  bool concerned(const Agent& agent, const Position& position, std::uint64_t revision, Cause cause);
  // Returns the free cell whose centre is nearest to the position's point, within 64 cells; of
  // several the first by rows.
  std::optional<Cell> nearest_free(int view, std::uint64_t revision, const Position& from);
  double straight(const Position& from, Cell to) const;  // to the centre, in cells

  // Whether the agent is off its path because it follows an older one, and had not acknowledged the
  // newer one.
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
  std::set<std::uint64_t> removed_again_;
  std::uint64_t sampled_ = 0;  // rotates the agents whose claims are searched at each batch
};

// Returns the line of a driven path, in cells; empty if it has none.
std::vector<LinePoint> line_of(const v1::Path& path, double cell_size);

// Whether both are equal up to the rounding of the server's integer costs.
bool same_cost(double a, double b);
// Whether a is less than b by more than that rounding.
bool less_cost(double a, double b);

}  // namespace repath::verify
