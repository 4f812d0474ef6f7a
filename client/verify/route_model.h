// What the checker knows of a world of routes (a mesh or a graph) at every revision: plain geometry
// in doubles, plain searches, nothing of the server's. Thread rule: one thread.
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

// A path as it came.
struct Walk {
  std::vector<Spot> points;
  std::vector<std::uint64_t> nodes;  // of graphs, one for each point
  std::vector<std::uint64_t> links;  // one for each point, 0: none; or empty
  // Of who begins or ends within a millimetre inside of what blocks, the server may say either.
  bool must_be_clear = false;
};
Walk walk_of(const v1::Path& path);

inline constexpr double kNoWay = std::numeric_limits<double>::infinity();

// What a walk comes to.
struct Walked {
  double cost = 0;            // if `broken` is empty
  double most = 0;            // then: no less than that. Beside dearer ground either may be said
  std::optional<int> broken;  // the waypoint at the end of the first leg that is not open
};

// An answer that may be too dear to find.
struct Verdict {
  bool is_known = true;
  double cost = kNoWay;       // of the cheapest way found below the bound; kNoWay: there is none
  std::vector<Spot> by = {};  // where it turns, from one of its ends
};

class RouteModel {
 public:
  virtual ~RouteModel() = default;

  // Whether an agent can be anywhere on its path, or at waypoints only.
  virtual bool is_continuous() const = 0;
  virtual int views() const = 0;
  virtual std::string profile(int view) const = 0;

  // A change of the world that is not empty, made where it hurts: near one of `spots` mostly.
  virtual v1::ChangeBatch next_change(const std::vector<Spot>& spots, Dice& dice) = 0;
  // It was applied and gave this revision. False after a refusal of the server that `failure`
  // tells.
  virtual bool take(const v1::ChangeBatch& batch, std::uint64_t revision, std::string* failure) = 0;

  // Somewhere to stand at the last revision.
  virtual Spot some_place(int view, Dice& dice) = 0;
  // Whether somebody at `at` can stand there at the revision.
  virtual bool stands(int view, std::uint64_t revision, const Spot& at) = 0;
  // Where somebody at `at` counts as being.
  virtual Spot settled_at(int view, std::uint64_t revision, const Spot& at) = 0;

  virtual Walked walk(int view, std::uint64_t revision, const Walk& walk) = 0;
  // Whether the server may say that the walk is broken though it is open: it squeezes between two
  // things less than a millimetre apart.
  virtual bool squeezes(int /*view*/, std::uint64_t /*revision*/, const Walk&) { return false; }
  // The cheapest way, if it costs less than `bound`.
  virtual Verdict cheapest(int view, std::uint64_t revision, const Spot& from, const Spot& to,
                           double bound) = 0;

  // Nothing is asked any more about what lies before.
  virtual void forget_before(std::uint64_t revision) = 0;
};

}  // namespace repath::verify
