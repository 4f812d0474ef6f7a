#include "route_ground/fall_filter.h"

#include <algorithm>

namespace repath {
namespace {

constexpr std::size_t kGroupChanges = 32;
// Number of filter tests that take as long as asking the ground for the spans of one box.
constexpr std::uint64_t kTestsPerSpans = 16;

}  // namespace

RouteBox box_of(std::span<const RouteChange> changes) {
  RouteBox box;
  for (const RouteChange& change : changes) {
    add_to(&box, change.from);
    add_to(&box, change.to);
  }
  return box;
}

bool rises_at(std::span<const RouteChange> changes, const RouteBox& place) {
  return std::ranges::any_of(changes, [&](const RouteChange& change) {
    return change.rose && (meet(place, change.from) || meet(place, change.to));
  });
}

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
  fall_spans_.resize(falls_.size());
}

void RouteFalls::add(Group* group, const RouteChange& change) const {
  add_to(&group->from, change.from);
  add_to(&group->to, change.to);
  group->least = std::min(group->least, change.least);
  group->shut_at = std::min(group->shut_at, change.shut_at);
}

Cost RouteFalls::bound(const RouteBox& origin, const RouteBox& from, Cost least, const RouteBox& to,
                       const RouteBox& goals) const {
  const Cost there = saturating_add(ground_.least_cost(origin, from), least);
  return saturating_add(there, ground_.least_cost(to, goals));
}

const RouteFalls::Spans& RouteFalls::ask(const RouteBox& box, Spans* spans,
                                         std::uint64_t* tests) const {
  if (spans->is_asked) return *spans;
  *tests += kTestsPerSpans;
  spans->is_asked = true;
  spans->is_known = ground_.append_spans(box, &spans->all);
  return *spans;
}

// Returns a lower bound of a rival through the fall. Where nothing is known, straight distances
// give the bound. The goals are asked first: often they exclude the fall, and the origin need not
// be asked.
Cost RouteFalls::bound_by_spans(const RouteBox& origin, std::size_t fall, const RouteBox& goals,
                                Cost limit, Ends* ends, std::uint64_t* tests) const {
  const RouteChange& change = *falls_[fall];
  Cost before = ground_.least_cost(origin, change.from);
  Cost after = ground_.least_cost(change.to, goals);
  const auto raise = [&](const RouteBox& box, Spans* of_box, const RouteBox& at, Spans* of_fall,
                         Cost* least) {
    const Spans& there = ask(at, of_fall, tests);
    if (!there.is_known || !ask(box, of_box, tests).is_known) return;
    ++*tests;
    *least = std::max(*least, ground_.least_cost_between(of_box->all, there.all));
  };
  const auto sum = [&] { return saturating_add(saturating_add(before, change.least), after); };
  raise(goals, &ends->goals, change.to, &fall_spans_[fall].goals, &after);
  if (sum() < limit) raise(origin, &ends->origin, change.from, &fall_spans_[fall].origin, &before);
  return sum();
}

RouteRival RouteFalls::cheapest(const Spot& origin, const RouteBox& goals, Cost limit,
                                Revision proof, std::uint64_t* tests) const {
  RouteRival rival{limit, nullptr};
  ++*tests;
  if (!concern(proof) || is_empty(goals)) return {};
  const RouteBox here = box_of(origin);
  Ends ends;
  if (bound(here, all_.from, all_.least, all_.to, goals) >= limit) return {};
  for (const Group& group : groups_) {
    ++*tests;
    if (group.shut_at > proof) continue;
    if (bound(here, group.from, group.least, group.to, goals) >= rival.cost) continue;
    for (std::size_t i = group.first; i < group.end; ++i) {
      ++*tests;
      const RouteChange& change = *falls_[i];
      if (change.shut_at > proof) continue;
      Cost cost = bound(here, change.from, change.least, change.to, goals);
      if (cost < rival.cost) cost = bound_by_spans(here, i, goals, rival.cost, &ends, tests);
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
