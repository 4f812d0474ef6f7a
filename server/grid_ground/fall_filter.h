// Filter 2 of server/docs/promise.md for one delta: does some edge that got cheaper allow a path
// that undercuts the held one?
//
// A rival that uses the fallen edge (u, v) costs at least lb(position, u) + cost(u, v) + lb(v,
// goals). The boxes around groups of edges exclude most rivals. Only where a box may matter are its
// edges looked at one by one, so the answer is exact. Borrows layer and delta. Not thread-safe: the
// groups are made when they are first asked.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grid/cells/edges.h"
#include "grid/cells/goals.h"
#include "grid/cells/layer.h"
#include "grid/cells/place.h"

namespace repath {

// The least that a rival through a fallen edge can cost, if that is below what was asked about.
struct Rival {
  Cost cost = kUnreachable;
  const EdgeChange* edge = nullptr;  // null: every rival costs at least what was asked about
};

class FallFilter {
 public:
  // Borrows `fallen`. O(edges) at most; the groups and boxes are made when first asked for.
  FallFilter(const GridLayer& layer, Metric metric, const std::vector<EdgeChange>& fallen);

  bool empty() const { return fallen_.empty(); }
  // Returns whether some edge opened that was closed, so that an unreachable place may have become
  // reachable.
  bool opens() const { return first_opened_ != nullptr; }
  // Null unless opens().
  const EdgeChange* first_opened() const { return first_opened_; }

  // Returns whether no rival from `origin` to a goal within `goals` costs less than `limit`, by the
  // boxes around all edges alone. This test decides for most agents. REQUIRES: not empty. O(1),
  // O(edges) the first time.
  bool excludes(Place origin, const PlaceBox& goals, Cost limit) const {
    if (all_.from.empty()) make_boxes();
    return metric_.to_box(origin, all_.from) + all_.least_step + metric_.between(all_.to, goals) >=
           limit;
  }
  // Returns the cheapest rival from `origin` to the goals below `limit`. Adds what it looked at to
  // `tests`. O(groups), and O(edges) of the groups whose box may matter.
  Rival to_goals(Place origin, const Goals& goals, Cost limit, std::uint64_t* tests) const;
  // Returns the same for any place not farther (by Goals::distance) from the goals than
  // `end_distance`.
  Rival to_partial_end(Place origin, const Goals& goals, Cost end_distance, Cost limit,
                       std::uint64_t* tests) const;

 private:
  struct Fall {
    Place from;
    Place to;
    const EdgeChange* edge = nullptr;
  };
  struct Group {  // falls [first, end)
    std::size_t first = 0;
    std::size_t end = 0;
    PlaceBox from;
    PlaceBox to;
    Cost least_step = kUnreachable;
  };

  void make_boxes() const;
  void make_groups() const;
  template <class BoundOfPlace, class BoundOfBox>
  Rival cheapest(Place origin, Cost limit, std::uint64_t* tests, const BoundOfPlace& bound_of_place,
                 const BoundOfBox& bound_of_box) const;

  const GridLayer& layer_;
  Metric metric_;
  std::span<const EdgeChange> fallen_;
  mutable std::vector<Fall> falls_;
  mutable std::vector<Group> groups_;
  mutable Group all_;  // without first and end
  const EdgeChange* first_opened_ = nullptr;
};

}  // namespace repath
