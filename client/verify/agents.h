// The agents of a run as their game server sees them: their questions, their positions at every
// message, and their latest verdicts. Plain data. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "verify/ground.h"

namespace repath::verify {

// How the agent keeps clear of others; a penalty of 0: it does not.
struct Clearing {
  double penalty = 0;
  double radius = 0;  // cells
  double max_detour = 0;
};

struct AgentSpec {
  int view = 0;
  std::vector<Cell> goals;
  double radius = 0;           // cells
  std::vector<Cell> goal_set;  // cells whose centre lies within the radius of a goal's
  unsigned priority = 0;
  unsigned staleness_ms = 1000;
  double ratio = 0;  // hysteresis
  bool partial = false;
  bool snap = false;
  bool confirm = false;
  Clearing clearing;
  bool curves = false;  // its paths keep the turning radius of its profile
};

// Whether both ask the same question, so that the verdict stays.
bool ask_the_same(const AgentSpec& a, const AgentSpec& b);

// Returns the cells whose centre lies within `radius` of a goal's centre, ascending.
std::vector<Cell> goal_set(const Ground& ground, const std::vector<Cell>& goals, double radius);

// A point of a driven path, in cells.
struct LinePoint {
  double x = 0;
  double y = 0;
};

enum class Standing { kNone, kPath, kPartial, kUnreachable, kStartBlocked };

// The newest verdict.
struct Held {
  Standing standing = Standing::kNone;
  Route route;                 // with kPath and kPartial, and with kStartBlocked if it was snapped
  std::uint64_t version = 0;   // of the path
  std::uint64_t revision = 0;  // revision of the newest event
  std::uint64_t acknowledged =
      0;                  // sequence of the message that acknowledged the path; 0: none yet
  double allowance = 0;   // how much cheaper another path may be without an event
  double hysteresis = 0;  // how much a path that is sent as IMPROVED must save at least
  int walked = 0;         // place on the route at the first of the agent's positions
  bool broken = false;    // INVALIDATED since it came
  bool left = false;      // the agent has stepped off it, or back, since
  std::vector<LinePoint> line = {};  // of a driven path
  bool is_leg = false;               // a first leg: BOUNDED as it came, optimal once it is settled
  bool has_route() const { return !route.cells.empty(); }
};

struct Position {
  std::uint64_t sequence = 0;  // of the message that reported it
  Cell cell = 0;
  std::uint64_t follows = 0;  // the path_version reported
  double dx = 0;              // offset of its point from the cell's centre, in cells
  double dy = 0;
};

struct Agent {
  std::uint64_t id = 0;
  AgentSpec spec;
  std::uint64_t asked_at = 0;  // the sequence of its last upsert
  bool removing = false;
  Held held;
  std::deque<Position> positions;  // the last is where it is
  // The last message that made earlier verdicts void: an upsert, or a step off the path.
  std::uint64_t disturbed_at = 0;
  std::uint64_t steady_after = 0;  // disturbed_at, as the server knew it, when steady_from was set
  std::uint64_t steady_from = 0;   // claims for earlier revisions do not cover this agent
  std::uint64_t heard = 0;         // events so far
  std::optional<Held> old;         // a path that it follows although it has a newer one
  int old_steps = 0;

  Cell cell() const { return positions.back().cell; }
  // Returns its position when the server had taken in the messages up to `sequence`.
  const Position& position_at(std::uint64_t sequence) const;
  // Returns its place on the held route then: the first one that is in its cell and not behind it.
  // Empty: it was off the route.
  std::optional<int> place_at(std::uint64_t sequence) const;
  std::optional<int> place() const { return place_at(positions.back().sequence); }
  // Returns the places on the held route that it had lately in this cell.
  std::vector<int> places_in(Cell cell) const;
  // Forgets where it was before the server had taken in the messages up to `sequence`.
  void forget_before(std::uint64_t sequence);
};

using Agents = std::map<std::uint64_t, Agent>;

}  // namespace repath::verify
