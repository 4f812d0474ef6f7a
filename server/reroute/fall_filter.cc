#include "reroute/fall_filter.h"

#include <algorithm>

namespace repath {
namespace {

constexpr std::size_t kGroupChanges = 32;

}  // namespace

RouteFalls::RouteFalls(const RouteGround& ground, std::span<const RouteChange> changes)
    : ground_(ground) {
  for (const RouteChange& change : changes) {
    if (!change.fell) continue;
    if (falls_.size() % kGroupChanges == 0)
      groups_.push_back({falls_.size(), falls_.size(), {}, {}});
    falls_.push_back(&change);
    add(&groups_.back(), change);
    add(&all_, change);
    groups_.back().end = falls_.size();
  }
}

void RouteFalls::add(Group* group, const RouteChange& change) const {
  add_to(&group->from, change.from);
  add_to(&group->to, change.to);
  group->least = std::min(group->least, change.least);
}

Cost RouteFalls::bound(const RouteBox& origin, const RouteBox& from, Cost least, const RouteBox& to,
                       const RouteBox& goals) const {
  const Cost there = saturating_add(ground_.least_cost(origin, from), least);
  return saturating_add(there, ground_.least_cost(to, goals));
}

RouteRival RouteFalls::cheapest(const Spot& origin, const RouteBox& goals, Cost limit,
                                std::uint64_t* tests) const {
  RouteRival rival{limit, nullptr};
  ++*tests;
  if (empty() || is_empty(goals)) return {};
  const RouteBox here = box_of(origin);
  if (bound(here, all_.from, all_.least, all_.to, goals) >= limit) return {};
  for (const Group& group : groups_) {
    ++*tests;
    if (bound(here, group.from, group.least, group.to, goals) >= rival.cost) continue;
    for (std::size_t i = group.first; i < group.end; ++i) {
      ++*tests;
      const RouteChange& change = *falls_[i];
      const Cost cost = bound(here, change.from, change.least, change.to, goals);
      if (cost < rival.cost) rival = {cost, &change};
    }
  }
  return rival.change != nullptr ? rival : RouteRival{};
}

const RouteChange* RouteFalls::near(const Spot& at, double radius) const {
  const RouteBox box = box_of(at);
  for (const RouteChange* change : falls_)
    if (meet(box, change->from, radius + kBoxMargin) || meet(box, change->to, radius + kBoxMargin))
      return change;
  return nullptr;
}

}  // namespace repath
