// The checker's model of a mesh or a graph at every revision: plain geometry in doubles and plain
// searches, without the server's code. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "repath/v1/common.pb.h"
#include "repath/v1/world.pb.h"
#include "verify/dice.h"

namespace repath::verify {

// World units, y up.
struct Spot {
  double x = 0;
  double y = 0;
  double z = 0;
  bool operator==(const Spot&) const = default;
};
double plane_distance(const Spot& a, const Spot& b);

// A path as it was received.
struct Walk {
  std::vector<Spot> points;
  std::vector<std::uint64_t> nodes;  // graphs: one for each point
  std::vector<std::uint64_t> links;  // one for each point, 0: none; or empty
  std::vector<std::uint32_t> keys;   // graphs: of the edge from each point; empty: all 0
  // If false, ends up to a millimetre inside of an obstacle may count as open or as blocked.
  bool must_be_clear = false;
};
Walk walk_of(const v1::Path& path);

inline constexpr double kNoWay = std::numeric_limits<double>::infinity();

// The result of a walk.
struct Walked {
  double cost = 0;  // if `broken` is empty
  double most = 0;  // then: the greatest cost; beside dearer ground the server may use either
  std::optional<int> broken;  // the waypoint at the end of the first leg that is not open
};

// An answer that may need too long a search.
struct Verdict {
  bool is_known = true;
  double cost = kNoWay;       // of the cheapest path below the bound; kNoWay: there is none
  std::vector<Spot> by = {};  // its turns, from one of its ends
};

// Straight distances to the nearest node that stands for a goal.
struct Nearness {
  double of_end = 0;
  double least = 0;  // of all nodes that can be reached
};

class RouteModel {
 public:
  virtual ~RouteModel() = default;

  // Whether an agent can be anywhere on its path, or at waypoints only.
  virtual bool is_continuous() const = 0;
  virtual int views() const = 0;
  virtual std::string profile(int view) const = 0;
  virtual std::uint32_t team(int /*view*/) const { return 0; }
  // Returns the turning radius of the view's profile; 0: its agents turn on the spot.
  virtual double turning_radius(int /*view*/) const { return 0; }

  // Returns a change of the world that is not empty, mostly near one of `spots`.
  virtual v1::ChangeBatch next_change(const std::vector<Spot>& spots, Dice& dice) = 0;
  // Takes in a change that made this revision. Returns false after a refusal of the server, with
  // the reason in `failure`.
  virtual bool take(const v1::ChangeBatch& batch, std::uint64_t revision, std::string* failure) = 0;

  // Returns a free place at the last revision.
  virtual Spot some_place(int view, Dice& dice) = 0;
  // Returns the nearest other such place. Graphs only.
  virtual Spot place_beside(int /*view*/, const Spot& at) { return at; }
  // Whether an agent can stand at `at` at the revision.
  virtual bool stands(int view, std::uint64_t revision, const Spot& at) = 0;
  // Returns the place that an agent at `at` counts as having.
  virtual Spot settled_at(int view, std::uint64_t revision, const Spot& at) = 0;

  virtual Walked walk(int view, std::uint64_t revision, const Walk& walk) = 0;
  // Whether the server may call an open walk broken, because it squeezes between two things less
  // than a millimetre apart.
  virtual bool squeezes(int /*view*/, std::uint64_t /*revision*/, const Walk&) { return false; }
  // Returns the cheapest path if it costs less than `bound`.
  virtual Verdict cheapest(int view, std::uint64_t revision, const Spot& from, const Spot& to,
                           double bound) = 0;

  // Returns how near to a goal a partial path ends and could end at best. Graphs only.
  virtual Nearness nearness(int /*view*/, std::uint64_t /*revision*/, const Spot& /*from*/,
                            const Spot& /*end*/, const std::vector<Spot>& /*goals*/) {
    return {};
  }

  // Drops all earlier revisions.
  virtual void forget_before(std::uint64_t revision) = 0;
};

}  // namespace repath::verify
