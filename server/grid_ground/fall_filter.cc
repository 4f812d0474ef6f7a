#include "grid_ground/fall_filter.h"

#include <algorithm>

namespace repath {
namespace {

constexpr std::size_t kGroupEdges = 32;

Cost less(Cost a, Cost b) { return a > b ? a - b : 0; }

}  // namespace

FallFilter::FallFilter(const GridLayer& layer, Metric metric, const std::vector<EdgeChange>& fallen)
    : layer_(layer), metric_(metric), fallen_(fallen) {
  const auto opened = std::ranges::find(fallen, kUnreachable, &EdgeChange::before);
  if (opened != fallen.end()) first_opened_ = &*opened;
}

void FallFilter::make_boxes() const {
  for (const EdgeChange& edge : fallen_) {
    all_.from.add(place_of(layer_, edge.from));
    all_.to.add(place_of(layer_, edge.to));
    all_.least_step = std::min(all_.least_step, edge.after);
  }
}

void FallFilter::make_groups() const {
  falls_.reserve(fallen_.size());
  for (const EdgeChange& edge : fallen_) {
    if (falls_.size() % kGroupEdges == 0) groups_.push_back({falls_.size(), falls_.size(), {}, {}});
    const Fall fall{place_of(layer_, edge.from), place_of(layer_, edge.to), &edge};
    Group& group = groups_.back();
    group.from.add(fall.from);
    group.to.add(fall.to);
    group.least_step = std::min(group.least_step, edge.after);
    falls_.push_back(fall);
    group.end = falls_.size();
  }
}

template <class BoundOfPlace, class BoundOfBox>
Rival FallFilter::cheapest(Place origin, Cost limit, std::uint64_t* tests,
                           const BoundOfPlace& bound_of_place,
                           const BoundOfBox& bound_of_box) const {
  if (groups_.empty()) make_groups();
  Rival rival{limit, nullptr};
  for (const Group& group : groups_) {
    ++*tests;
    const Cost at_least =
        metric_.to_box(origin, group.from) + group.least_step + bound_of_box(group.to);
    if (at_least >= rival.cost) continue;
    for (std::size_t i = group.first; i < group.end; ++i) {
      ++*tests;
      const Fall& fall = falls_[i];
      const Cost cost =
          metric_.between(origin, fall.from) + fall.edge->after + bound_of_place(fall.to);
      if (cost < rival.cost) rival = {cost, fall.edge};
    }
  }
  return rival.edge != nullptr ? rival : Rival{};
}

Rival FallFilter::to_goals(Place origin, const Goals& goals, Cost limit,
                           std::uint64_t* tests) const {
  return cheapest(
      origin, limit, tests, [&](Place p) { return goals.bound(p); },
      [&](const PlaceBox& box) { return goals.bound(box); });
}

// An end at distance d or less from a goal is at least distance(v) - d away from v.
Rival FallFilter::to_partial_end(Place origin, const Goals& goals, Cost end_distance, Cost limit,
                                 std::uint64_t* tests) const {
  return cheapest(
      origin, limit, tests, [&](Place p) { return less(goals.distance(p), end_distance); },
      [&](const PlaceBox&) { return Cost{0}; });
}

}  // namespace repath
