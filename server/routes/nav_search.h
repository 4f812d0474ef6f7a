// Searches a carved navmesh for the cheapest of several goals. Goals are searched one after the
// other, nearest first. Goals that are too far off to be cheaper than the best one found are left
// out. Where the start or a goal is on several pieces of ground, each pair of pieces is searched as
// a goal of its own. See routes/nav_ground.h.
//
// AnyAngleSearch finds the shortest way to a goal without links. If no other ground has a lower
// factor than all ground along it, that way is the cheapest; otherwise its length times the lowest
// factor bounds the cost from below. If something cheaper is possible over dearer ground or over a
// link, CorridorSearch is asked too. Links are judged by straight distances to and from each link.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "geometry/lattice.h"
#include "navmesh/search/known_lengths.h"
#include "routes/nav_ground.h"
#include "routes/nav_kernels.h"
#include "search/steps_taken.h"

namespace repath {

// Lengths between the vertices of a mesh and a goal.
class NavHindsight final : public Hindsight {
 public:
  // World units by which known ways may be longer than the shortest: walking round a new obstacle
  // rarely costs more. It takes 15 % more nodes (server/docs/measurements.md, "What a search leaves
  // to the next one").
  static constexpr double kBeyond = 2;

  NavHindsight(KnownLengths lengths, const Spot& goal)
      : lengths_(std::move(lengths)), goal_(goal) {}

  const KnownLengths& lengths() const { return lengths_; }
  const Spot& goal() const { return goal_; }
  // Subtracts the greatest distance between places that count as one.
  Cost certain() const override {
    if (is_of_all_places()) return kUnreachable;
    const double steps = lengths_.certain - LandmarkView::kSlack;
    return steps > 0 ? static_cast<Cost>(steps / kLatticePerUnit * kRouteCostUnit) : 0;
  }
  bool is_of_all_places() const override { return !lengths_.by_vertex.empty(); }
  std::size_t bytes() const override { return sizeof(*this) + lengths_.bytes(); }

 private:
  KnownLengths lengths_;
  Spot goal_;
};

// A corridor search whose work is kept from question to question, as NavSearch uses it.
class CorridorSource {
 public:
  virtual ~CorridorSource() = default;
  // Begins to look for a way from there.
  virtual void begin(const MeshPlace& from) = 0;
  [[nodiscard]] virtual Progress advance(std::uint32_t* expansions) = 0;
  // Returns the way found. REQUIRES: advance() returned kPathFound.
  virtual const CorridorPath& path() = 0;
};

class NavSearch final : public RouteSearch {
 public:
  // `guide`: asks CorridorSearch alone, with this guide. Remembers at most `touched_max` places.
  NavSearch(const NavGround* ground, std::shared_ptr<const NavKernels> kernels,
            const std::optional<CorridorGuide>& guide, const RoutePlace& from,
            std::span<const RoutePlace> goals, std::size_t touched_max);

  // Uses the hindsight. REQUIRES: the search has not begun; one goal, no links in the mesh, and no
  // places to be remembered.
  void use(const HeldHindsight& known);
  // Asks `source`, which must outlive this search, where it would ask CorridorSearch. REQUIRES: the
  // search has not begun; one goal, that of the source, no guide, and no places to be remembered.
  void ask(CorridorSource* source) { source_ = source; }

  Progress advance(std::uint32_t* expansions) override;
  void append_route(std::vector<RoutePoint>* out) const override;
  Cost cost() const override { return cost_; }
  Cost lower_bound() const override { return bound_; }
  std::uint64_t expanded() const override;
  std::shared_ptr<const Hindsight> hindsight() const override { return left_; }
  RouteTrace touched() const override;

 private:
  enum class Stage { kNone, kAnyAngle, kCorridor };
  struct Goal {
    MeshPlace start;  // the start, in a cell of one of its pieces
    RoutePlace place;
    Cost least;  // by the straight distance
  };

  // Begins with the next goal; returns false if it need not be searched. Takes off `*expansions`
  // what it used.
  bool begin_goal(const Goal& goal, std::uint32_t* expansions);
  Cost least_by_links(const RoutePlace& goal) const;
  // Returns the search that follows for this goal, if it is worth while.
  Stage stage_after(const Goal& goal, Stage stage) const;
  void begin(const Goal& goal);
  Progress advance_stage(std::uint32_t* expansions);
  void add_goals(std::span<const RoutePlace> goals);
  void begin_any_angle(const MeshPlace& from, const MeshPlace& to);
  void end_survey(const Goal& goal);
  std::uint64_t expanded_now() const;
  void take_route(const Goal& goal);
  // Appends the run in progress.
  void trace_run(const Goal& goal, RouteTrace* trace) const;
  Cost least_by_shortest(const std::vector<RoutePoint>& route, Cost cost, double length) const;
  Cost complete(const Goal& goal, MeshPlace* start, std::vector<RoutePoint>* route) const;
  void straighten(const MeshPlace& start, std::vector<RoutePoint>* route) const;
  // Completes the route from route[i] on, which lies at `place`. Returns false if that fails from
  // there.
  bool complete_from(std::size_t i, const MeshPlace& place, std::vector<RoutePoint>* route,
                     Cost* cost, int* tries) const;

  const NavGround* ground_;
  const bool asks_any_angle_;
  const CorridorGuide guide_;
  std::shared_ptr<const NavKernels> kernels_;
  LentKernel kernel_;  // while it runs
  RoutePlace from_;
  std::vector<std::uint32_t> starts_;  // a cell of each piece of ground that the start is on
  bool is_on_one_piece_ = true;        // the start, and every goal
  std::vector<Goal> goals_;            // nearest first
  std::size_t next_ = 0;
  Stage stage_ = Stage::kNone;
  Cost least_by_ground_ = kUnreachable;  // of ways to the goal in work that take no link
  Cost least_by_links_ = kUnreachable;  // of ways to it that take one, if any-angle search is asked
  std::uint64_t expanded_ = 0;          // expansions of kernels that ended
  std::vector<RoutePoint> route_;
  Cost cost_ = kUnreachable;
  Cost bound_ = kUnreachable;
  std::shared_ptr<const NavHindsight> known_;
  double certain_ = 0;    // certain length of the hindsight, steps
  bool leaves_ = false;   // then AnyAngleSearch goes from the goal to the start
  bool surveys_ = false;  // it goes from the goal to everywhere first, then begins again
  std::shared_ptr<const NavHindsight> left_;
  std::size_t touched_max_;  // 0: no places are remembered
  RouteTrace trace_;         // of runs that ended
  std::vector<SeenCone> seen_;
  std::optional<StepsTaken<CorridorSearch>> corridor_steps_;  // of the corridor stage
  CorridorSource* source_ = nullptr;
  std::uint64_t source_expanded_ = 0;  // in the corridor stage
};

}  // namespace repath
