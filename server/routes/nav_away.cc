#include "routes/nav_away.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/check.h"

namespace repath {
namespace {

constexpr double kFarthestWay = 1e9;  // world units: sums of such costs do not overflow
constexpr double kMargin = 1e-6;      // world units
constexpr double kRingGrowth = 8;

// Returns the cost of a length, rounded down.
Cost at_least(double length) {
  return static_cast<Cost>(std::max(0.0, length * (1 - 0x1p-48)) * kRouteCostUnit);
}

}  // namespace

FarPlaces far_places(std::span<const Spot> threats, double distance) {
  std::vector<Point> points;
  for (const Spot& threat : threats)
    points.push_back({threat.x * kLatticePerUnit, threat.z * kLatticePerUnit});
  const double margin = distance == 0 ? 0 : kMargin;
  return FarPlaces(std::move(points), (distance + margin) * kLatticePerUnit);
}

// No place of a cell is farther from the nearest threat than the cell's corner that is farthest
// from it. So cells whose corners are all nearer than the best corner need no closer look.
std::optional<RoutePlace> farthest_place(const NavGround& ground,
                                         std::span<const std::uint32_t> cells,
                                         std::span<const Spot> threats) {
  const NavMesh& mesh = ground.mesh();
  const FarPlaces places = far_places(threats, 0);
  const auto at_most = [&](std::span<const Point> corners) {
    double least = std::numeric_limits<double>::infinity();
    for (const Spot& threat : threats) {
      double most = 0;
      for (const Point& p : corners)
        most = std::max(most, ground.distance_from(threat, {from_steps(p.x), 0, from_steps(p.z)}));
      least = std::min(least, most);
    }
    return least * kLatticePerUnit * (1 + 0x1p-40);
  };
  std::vector<Point> corners;
  const auto look_at = [&](std::uint32_t cell) {
    corners.clear();
    for (const NavMesh::Edge& e : mesh.edges_of(cell)) corners.push_back({e.x, e.z});
  };
  MeshPlace best;
  double most = -1;
  const auto offer = [&](std::uint32_t cell, Point at) {
    const double distance = places.distance_at(at);
    if (distance <= most) return;
    most = distance;
    best = {cell, at.x, at.z};
  };
  for (const std::uint32_t cell : cells) {
    look_at(cell);
    for (const Point corner : corners) offer(cell, corner);
  }
  for (const std::uint32_t cell : cells) {
    look_at(cell);
    if (at_most(corners) > most) offer(cell, places.farthest(corners));
  }
  if (best.cell == kNoCell) return std::nullopt;
  return ground.place_of(pull_into(mesh, best.cell, best.x, best.z));
}

NavAway::NavAway(const NavGround* ground, std::shared_ptr<const NavKernels> kernels,
                 const RoutePlace& from, std::span<const Spot> threats, double distance)
    : ground_(ground),
      kernels_(std::move(kernels)),
      kernel_(kernels_->take()),
      from_(place_in(from.cell, {from.at.x, from.at.z})),
      places_(far_places(threats, distance)),
      cost_(std::numeric_limits<double>::infinity()) {
  const double least = from_steps(places_.least_way({from_.x, from_.z}));
  bound_ = at_least(least);
  ring_ = 4 * (1 + least);
  if (ground->is_plain()) {
    stage_ = Stage::kAnyAngle;
    kernel_->nearest_far_place.begin(ground->mesh(), from_, places_);
  } else {
    begin_ring();
  }
}

NavAway::~NavAway() {
  if (kernel_ != nullptr) kernels_->give(std::move(kernel_));
}

void NavAway::begin_ring() {
  stage_ = Stage::kCorridor;
  pulled_ = 0;
  ring_ = std::min({ring_, cost_, kFarthestWay});
  kernel_->corridor.begin_within(ground_->mesh(), from_, ground_->filter(), ring_, false);
}

Progress NavAway::advance(std::uint32_t* expansions) {
  const std::uint32_t granted = *expansions;
  while (stage_ != Stage::kDone) {
    Progress progress = Progress::kNoPath;
    if (stage_ == Stage::kAnyAngle) {
      progress = kernel_->nearest_far_place.advance(expansions);
    } else if (stage_ == Stage::kCorridor) {
      progress = kernel_->corridor.advance(expansions);
    } else {
      for (; *expansions > 0 && pull_one(); --*expansions) {
      }
      if (*expansions == 0) progress = Progress::kOutOfBudget;
    }
    if (progress == Progress::kOutOfBudget) break;
    if (stage_ == Stage::kAnyAngle) {
      take_any_angle();
    } else if (stage_ == Stage::kCorridor) {
      stage_ = Stage::kPull;
    } else {
      end_ring();
    }
  }
  expanded_ += granted - *expansions;
  if (stage_ != Stage::kDone) return Progress::kOutOfBudget;
  if (kernel_ != nullptr) kernels_->give(std::move(kernel_));
  return best_.cell != kNoCell ? Progress::kPathFound : Progress::kNoPath;
}

// Only ways over links can be shorter, and none is shorter than the straight one.
void NavAway::take_any_angle() {
  best_ = kernel_->nearest_far_place.place();
  if (best_.cell != kNoCell) cost_ = from_steps(kernel_->nearest_far_place.length());
  const bool is_known = best_.cell != kNoCell && at_least(cost_) <= bound_ + kRouteCostSlack;
  if (ground_->has_links() && !is_known) {
    begin_ring();
    return;
  }
  if (best_.cell != kNoCell) bound_ = at_least(cost_);
  stage_ = Stage::kDone;
}

// Pulls tight the way to the next cell that corridors reach. Returns false if the ring has no more.
bool NavAway::pull_one() {
  const std::vector<CorridorSearch::CellEntry>& entered = kernel_->corridor.entered();
  if (pulled_ == entered.size()) return false;
  const CorridorSearch::CellEntry& entry = entered[pulled_++];
  const NavMesh& mesh = ground_->mesh();
  std::vector<Point> corners;
  for (const NavMesh::Edge& e : mesh.edges_of(entry.cell)) corners.push_back({e.x, e.z});
  const Point here{entry.x, entry.z};
  const std::optional<Point> found = places_.nearest(corners, here);
  if (!found) return true;
  const double factor = ground_->filter().factor(mesh.cell(entry.cell));
  const double dx = from_steps(found->x - here.x);
  const double dz = from_steps(found->z - here.z);
  const double cost = kernel_->corridor.cost_to(entry) + factor * std::sqrt(dx * dx + dz * dz);
  if (cost >= cost_) return true;
  cost_ = cost;
  best_ = {entry.cell, found->x, found->z};
  return true;
}

// As corridors count, no place beyond the ring is cheaper than the best one within it.
void NavAway::end_ring() {
  const bool is_last = ring_ >= std::min(cost_, kFarthestWay);
  ring_ *= kRingGrowth;
  if (is_last) {
    stage_ = Stage::kDone;
  } else {
    begin_ring();
  }
}

RoutePlace NavAway::place() const {
  REPATH_CHECK(best_.cell != kNoCell);
  return ground_->place_of(pull_into(ground_->mesh(), best_.cell, best_.x, best_.z));
}

std::unique_ptr<RouteAway> NavGround::away(const RoutePlace& from, std::span<const Spot> threats,
                                           double distance) const {
  return std::make_unique<NavAway>(this, kernels_, from, threats, distance);
}

RoutePlace NavGround::farthest_reachable(const RoutePlace& from,
                                         std::span<const Spot> threats) const {
  std::vector<std::uint32_t> cells;
  collect_reachable(from.cell, &cells);
  return farthest_place(*this, cells, threats).value_or(from);
}

double NavGround::distance_from(const Spot& threat, const Spot& at) const {
  return std::sqrt((at.x - threat.x) * (at.x - threat.x) + (at.z - threat.z) * (at.z - threat.z));
}

}  // namespace repath
