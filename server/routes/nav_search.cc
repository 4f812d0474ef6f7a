#include "routes/nav_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/check.h"
#include "routes/boxes.h"

namespace repath {
namespace {

constexpr int kLegsTriedPerPoint = 8;
constexpr std::uint32_t kVerticesPerUnit = 64;  // written down, for one expansion
constexpr std::size_t kLinksPerUnit = 16;       // looked at, for one expansion
constexpr std::size_t kLegsJoined = 12;         // so many at most become one

RoutePoint corner_at(Point at) { return {.at = {at.x, 0, at.z}, .node = 0, .area = 0, .link = {}}; }

// Returns the guide that the wish asks for. Empty: the exact search, where it is possible.
std::optional<CorridorGuide> corridor_guide(const SearchWish& wish) {
  using Order = CorridorGuide::Order;
  using Estimate = CorridorGuide::Estimate;
  if (wish.method == RouteMethod::kDijkstra) return CorridorGuide{.order = Order::kDijkstra};
  if (wish.method == RouteMethod::kBfs) return CorridorGuide{.order = Order::kBfs};
  if (wish.method != RouteMethod::kAStar) return std::nullopt;
  CorridorGuide guide{.weight = wish.weight};
  switch (wish.guide) {
    case RouteGuide::kZero:
      guide.estimate = Estimate::kZero;
      break;
    case RouteGuide::kManhattan:
      guide.estimate = Estimate::kManhattan;
      break;
    case RouteGuide::kChebyshev:
      guide.estimate = Estimate::kChebyshev;
      break;
    case RouteGuide::kOctile:
      guide.estimate = Estimate::kOctile;
      break;
    case RouteGuide::kAuto:
    case RouteGuide::kEuclid:
      break;
  }
  return guide;
}

}  // namespace

NavSearch::NavSearch(const NavGround* ground, std::shared_ptr<const NavKernels> kernels,
                     const std::optional<CorridorGuide>& guide, const RoutePlace& from,
                     std::span<const RoutePlace> goals, std::size_t touched_max)
    : ground_(ground),
      asks_any_angle_(!guide),
      guide_(guide.value_or(CorridorGuide())),
      kernels_(std::move(kernels)),
      from_(from),
      starts_(ground->pieces_at(mesh_place(from))),
      touched_max_(touched_max) {
  add_goals(goals);
}

void NavSearch::add_goals(std::span<const RoutePlace> goals) {
  const NavMesh& mesh = ground_->mesh();
  is_on_one_piece_ = starts_.size() == 1;
  for (const RoutePlace& goal : goals) {
    if (!ground_->may_reach(from_, goal)) continue;
    const Cost least = ground_->least_cost(box_of(from_.at), box_of(goal.at));
    const std::vector<std::uint32_t> ends = ground_->pieces_at(mesh_place(goal));
    is_on_one_piece_ &= ends.size() == 1;
    for (const std::uint32_t start : starts_)
      for (const std::uint32_t end : ends)
        if (mesh.component_of(start) == mesh.component_of(end))
          goals_.push_back({mesh_place({from_.at, start}), {goal.at, end}, least});
  }
  std::ranges::stable_sort(goals_, {}, &Goal::least);
}

// Hindsight is known only if the start and the goal each lie on one piece of ground.
void NavSearch::use(const HeldHindsight& known) {
  if (goals_.empty() || !asks_any_angle_ || !is_on_one_piece_) return;
  const Spot& goal = goals_.front().place.at;
  auto of = std::dynamic_pointer_cast<const NavHindsight>(known.of);
  if (of != nullptr && of->goal().x == goal.x && of->goal().z == goal.z &&
      std::abs(of->goal().y - goal.y) <= kSameFloor) {
    known_ = std::move(of);
    certain_ = known.certain == kUnreachable
                   ? std::numeric_limits<double>::infinity()
                   : static_cast<double>(known.certain) / kRouteCostUnit * kLatticePerUnit;
  } else {
    surveys_ = known.wants_all;
    leaves_ = known.wants_more && !surveys_ && ground_->mesh().edits() > 0;
  }
}

Cost NavSearch::least_by_links(const RoutePlace& goal) const {
  Cost least = kUnreachable;
  const NavFilter& filter = ground_->filter();
  for (const NavLink& link : ground_->mesh().links()) {
    if (!link.enabled || !filter.allows(link.flags) || link.from_cell == kNoCell ||
        link.to_cell == kNoCell)
      continue;
    const Point a = to_point(link.from);
    const Point b = to_point(link.to);
    const Cost over = cost_over(link, filter);
    const auto offer = [&](Point near, Point far) {
      const Cost before = ground_->least_cost(box_of(from_.at), box_of({near.x, 0, near.z}));
      const Cost after = ground_->least_cost(box_of({far.x, 0, far.z}), box_of(goal.at));
      least = std::min(least, before + over + after);
    };
    offer(a, b);
    if (link.both_ways) offer(b, a);
  }
  return least;
}

NavSearch::Stage NavSearch::stage_after(const Goal& goal, Stage stage) const {
  if (goal.least >= cost_) return Stage::kNone;
  if (!asks_any_angle_) return stage == Stage::kNone ? Stage::kCorridor : Stage::kNone;
  const NavMesh& mesh = ground_->mesh();
  if (stage == Stage::kNone &&
      mesh.cell(goal.start.cell).component == mesh.cell(goal.place.cell).component)
    return Stage::kAnyAngle;
  const bool may_be_cheaper = std::min(least_by_ground_, least_by_links_) < cost_;
  return stage != Stage::kCorridor && may_be_cheaper ? Stage::kCorridor : Stage::kNone;
}

bool NavSearch::begin_goal(const Goal& goal, std::uint32_t* expansions) {
  least_by_ground_ = least_by_links_ = kUnreachable;
  if (asks_any_angle_ && goal.least < cost_ && ground_->has_links()) {
    least_by_links_ = least_by_links(goal.place);
    const std::size_t units = ground_->mesh().links().size() / kLinksPerUnit;
    *expansions -= static_cast<std::uint32_t>(std::min<std::size_t>(*expansions, units));
  }
  stage_ = stage_after(goal, Stage::kNone);
  if (stage_ == Stage::kNone) return false;
  begin(goal);
  return true;
}

Progress NavSearch::advance(std::uint32_t* expansions) {
  while (next_ < goals_.size()) {
    const Goal& goal = goals_[next_];
    if (stage_ == Stage::kNone && !begin_goal(goal, expansions)) {
      ++next_;
      continue;
    }
    const Progress progress = advance_stage(expansions);
    if (progress == Progress::kOutOfBudget) return progress;
    if (touched_max_ != 0) trace_run(goal, &trace_);
    expanded_ += expanded_now();
    if (stage_ == Stage::kAnyAngle && surveys_) {
      end_survey(goal);
      *expansions -= std::min(*expansions, ground_->mesh().vertices_end() / kVerticesPerUnit);
      continue;
    }
    if (progress == Progress::kPathFound) take_route(goal);
    stage_ = stage_after(goal, stage_);
    if (stage_ == Stage::kNone) {
      ++next_;
    } else {
      begin(goal);
    }
  }
  kernel_.reset();
  return cost_ != kUnreachable ? Progress::kPathFound : Progress::kNoPath;
}

Progress NavSearch::advance_stage(std::uint32_t* expansions) {
  if (stage_ == Stage::kCorridor && source_ != nullptr) {
    const std::uint32_t before = *expansions;
    const Progress progress = source_->advance(expansions);
    source_expanded_ += before - *expansions;
    return progress;
  }
  if (stage_ == Stage::kCorridor) return corridor_steps_->advance(expansions);
  return surveys_ ? kernel_->lengths_from.advance(expansions)
                  : kernel_->any_angle.advance(expansions);
}

void NavSearch::begin(const Goal& goal) {
  if (kernel_ == nullptr) kernel_ = lend(kernels_);
  const NavMesh& mesh = ground_->mesh();
  const MeshPlace to = mesh_place(goal.place);
  if (stage_ == Stage::kAnyAngle) {
    begin_any_angle(goal.start, to);
    seen_.clear();
    if (touched_max_ != 0) kernel_->any_angle.log_expanded(&seen_, touched_max_);
  } else if (source_ != nullptr) {
    source_expanded_ = 0;
    source_->begin(goal.start);
  } else {
    kernel_->corridor.begin(mesh, goal.start, to, ground_->filter(), guide_);
    corridor_steps_.emplace(&kernel_->corridor, touched_max_ == 0 ? 0 : kStepsToldMax);
  }
}

void NavSearch::begin_any_angle(const MeshPlace& from, const MeshPlace& to) {
  const LandmarkView landmarks = ground_->landmarks();
  AnyAngleSearch& search = kernel_->any_angle;
  if (surveys_) {
    kernel_->lengths_from.begin(ground_->mesh(), to);
  } else if (leaves_) {
    constexpr double kBeyond = NavHindsight::kBeyond * kLatticePerUnit;
    search.begin(ground_->mesh(), to, from, landmarks, {.beyond = kBeyond});
  } else {
    const KnownLengths* known = known_ != nullptr ? &known_->lengths() : nullptr;
    search.begin(ground_->mesh(), from, to, landmarks, {.known = known, .certain = certain_});
  }
}

// Ends a survey, which knows all places and so the start.
void NavSearch::end_survey(const Goal& goal) {
  surveys_ = false;
  KnownLengths lengths;
  kernel_->lengths_from.append_lengths(&lengths);
  left_ = known_ = std::make_shared<NavHindsight>(std::move(lengths), goal.place.at);
  certain_ = std::numeric_limits<double>::infinity();
  begin_any_angle(goal.start, mesh_place(goal.place));
}

std::uint64_t NavSearch::expanded_now() const {
  if (stage_ == Stage::kNone) return 0;
  if (stage_ == Stage::kCorridor)
    return source_ != nullptr ? source_expanded_ : kernel_->corridor.expanded();
  return surveys_ ? kernel_->lengths_from.expanded() : kernel_->any_angle.expanded();
}

std::uint64_t NavSearch::expanded() const { return expanded_ + expanded_now(); }

void NavSearch::take_route(const Goal& goal) {
  std::vector<RoutePoint> route;
  double length = 0;
  if (stage_ == Stage::kAnyAngle) {
    std::vector<PathCorner> corners;
    kernel_->any_angle.append_path(&corners);
    if (leaves_) {
      std::ranges::reverse(corners);
      KnownLengths lengths;
      if (kernel_->any_angle.append_lengths(&lengths))
        left_ = std::make_shared<NavHindsight>(std::move(lengths), goal.place.at);
    }
    for (const PathCorner& corner : corners) route.push_back(corner_at(corner.at));
    length = kernel_->any_angle.path_length();
  } else {
    const CorridorPath& way = source_ != nullptr ? source_->path() : kernel_->corridor.way();
    for (const CorridorCorner& corner : way.corners()) {
      route.push_back(corner_at(corner.at));
      if (corner.link != kNoLink) route.back().link = ground_->mesh().links()[corner.link].id;
    }
    length = way.cost();
  }
  route.front().at = from_.at;
  route.back().at = goal.place.at;
  MeshPlace start = goal.start;
  Cost cost = complete(goal, &start, &route);
  if (stage_ == Stage::kCorridor && cost != kUnreachable) {
    straighten(start, &route);
    cost = complete(goal, &start, &route);
  }
  // Where pieces of ground touch, a leg may be walked on another of them than the search took.
  if (!ground_->is_plain() && cost != kUnreachable) {
    const Cost walked = ground_->walk(route).cost;
    if (walked != kUnreachable) cost = walked;
  }
  // Rounding barred a leg. The corridor search knows what its way costs; a length is a cost only if
  // all ground has factor 1.
  if (cost == kUnreachable && (ground_->is_plain() || stage_ == Stage::kCorridor))
    cost = route_cost_of(length);
  if (stage_ == Stage::kAnyAngle) least_by_ground_ = least_by_shortest(route, cost, length);
  const Cost least = asks_any_angle_ ? std::min(least_by_ground_, least_by_links_) : goal.least;
  bound_ = std::min({bound_, cost, least});
  if (cost >= cost_) return;
  cost_ = cost;
  route_ = std::move(route);
}

// Returns a lower bound: every way costs at least the shortest length times the lowest factor.
Cost NavSearch::least_by_shortest(const std::vector<RoutePoint>& route, Cost cost,
                                  double length) const {
  if (ground_->is_plain()) return cost;
  const double factor = ground_->least_factor();
  Cost plain = 0;
  for (std::size_t i = 1; i < route.size(); ++i) {
    const Spot& from = route[i - 1].at;
    plain = saturating_add(plain, route_cost_of(factor * plane_length(route[i].at.x - from.x,
                                                                      route[i].at.z - from.z)));
  }
  // The factor makes it a little less, because sums and roots of doubles are rounded.
  const double least = std::min(length * factor, kFarthestWay) * (1 - 0x1p-40);
  const Cost slack = factor == 1 ? 0 : kRouteCostSlack;  // factors are multiplied in other orders
  return cost <= saturating_add(plain, slack) ? cost : static_cast<Cost>(least * kRouteCostUnit);
}

// Fills in heights, areas and cost, leg by leg. Corners do not name a floor. If several floors lead
// on from a corner, the first that leads to the goal is taken. A way over kept portals may begin on
// any piece of ground at the start: `start` becomes the place where it does.
Cost NavSearch::complete(const Goal& goal, MeshPlace* start, std::vector<RoutePoint>* route) const {
  std::vector<std::uint32_t> cells{goal.start.cell};
  if (source_ != nullptr) cells.insert(cells.end(), starts_.begin(), starts_.end());
  for (const std::uint32_t cell : cells) {
    *start = {cell, goal.start.x, goal.start.z};
    Cost cost = 0;
    int tries = kLegsTriedPerPoint * static_cast<int>(route->size());
    if (complete_from(0, *start, route, &cost, &tries)) return cost;
  }
  return kUnreachable;
}

bool NavSearch::complete_from(std::size_t i, const MeshPlace& place, std::vector<RoutePoint>* route,
                              Cost* cost, int* tries) const {
  if (i + 1 == route->size()) {
    route->back().area = ground_->area_of(place.cell);
    return std::abs(ground_->place_of(place).at.y - route->back().at.y) <= kSameHeight;
  }
  // Cells of one floor lead to one end: one of them is enough.
  std::vector<double> tried;
  return ground_->any_leg(
      place, (*route)[i], (*route)[i + 1].at, {}, [&](const NavGround::Leg& leg) {
        const double y = ground_->place_of(leg.end).at.y;
        if (std::ranges::any_of(tried, [y](double other) { return std::abs(other - y) < 1e-6; }))
          return false;
        tried.push_back(y);
        if (--*tries < 0) return false;
        if (i + 2 < route->size()) (*route)[i + 1].at.y = y;
        Cost rest = 0;
        if (!complete_from(i + 1, leg.end, route, &rest, tries)) return false;
        (*route)[i].area = leg.area;
        *cost = saturating_add(leg.cost, rest);
        return true;
      });
}

// Leaves out points that gain nothing. A way over cells and links passes portals where the way to
// the goal is straightest, which may not be the cheapest place. REQUIRES: complete().
void NavSearch::straighten(const MeshPlace& start, std::vector<RoutePoint>* route) const {
  std::vector<RoutePoint> kept{route->front()};
  MeshPlace place = start;
  std::size_t i = 0;
  while (i + 1 < route->size()) {
    Cost along = 0;  // from point i to the end of the leg looked at
    MeshPlace at = place;
    std::size_t best = i;
    MeshPlace best_end = place;
    for (std::size_t k = i; k + 1 < route->size() && k < i + kLegsJoined; ++k) {
      const auto leg = ground_->leg_on_floor(at, (*route)[k], (*route)[k + 1].at);
      if (!leg) return;
      along = saturating_add(along, leg->cost);
      at = leg->end;
      const bool has_link = (*route)[k].link.has_value();
      const Spot& to = (*route)[k + 1].at;
      const auto direct = k == i ? leg : ground_->straight_leg(place, (*route)[i].at, to);
      if (k == i || (!has_link && direct && direct->cost <= along)) {
        best = k + 1;
        best_end = k == i ? leg->end : direct->end;
      }
      if (has_link) break;
    }
    kept.push_back((*route)[best]);
    place = best_end;
    i = best;
  }
  *route = std::move(kept);
}

void NavSearch::append_route(std::vector<RoutePoint>* out) const {
  REPATH_CHECK(cost_ != kUnreachable);
  out->insert(out->end(), route_.begin(), route_.end());
}

std::unique_ptr<RouteSearch> NavGround::search_with(const HeldHindsight& known,
                                                    const RoutePlace& from,
                                                    std::span<const RoutePlace> goals) const {
  REPATH_CHECK(!goals.empty() && goals.size() <= kRouteGoalsMax);
  auto search = std::make_unique<NavSearch>(this, kernels_, std::nullopt, from, goals, 0);
  if (goals.size() == 1 && mesh().links().empty()) search->use(known);
  return search;
}

std::unique_ptr<RouteSearch> NavGround::search_by(const SearchWish& wish, const RoutePlace& from,
                                                  std::span<const RoutePlace> goals) const {
  REPATH_CHECK(offers(wish.method) && !goals.empty() && goals.size() <= kRouteGoalsMax);
  return std::make_unique<NavSearch>(this, kernels_, corridor_guide(wish), from, goals,
                                     wish.touched_max);
}

}  // namespace repath
