// Finds the place on a carved navmesh that is cheapest to reach among those far enough from some
// threats.
//
// If all ground has factor 1 and no link can be taken, NearestFarPlace finds the place exactly.
// Otherwise CorridorSearch is asked, too or alone. Its ways go straight on from where they enter a
// cell to the nearest place in the cell that is far enough. Without another limit it looks around
// in rings, each eight times as wide as the one before. Where pieces of ground touch, all of this
// is done from each of them, and the best of their places is taken.
#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "base/check.h"
#include "navmesh/search/far_places.h"
#include "routes/boxes.h"
#include "routes/nav_stages.h"

namespace repath {
namespace {

constexpr double kMargin = 1e-6;  // world units
constexpr double kRingGrowth = 8;

// Returns the cost of a length, rounded down.
Cost at_least(double length) {
  return static_cast<Cost>(std::max(0.0, length * (1 - 0x1p-48)) * kRouteCostUnit);
}

// Returns the places at least `distance` from the threats. The distance is in world units; a
// micrometre is added, so that rounded places are no nearer than asked for.
FarPlaces far_places(std::span<const Spot> threats, double distance) {
  std::vector<Point> points;
  for (const Spot& threat : threats)
    points.push_back({threat.x * kLatticePerUnit, threat.z * kLatticePerUnit});
  const double margin = distance == 0 ? 0 : kMargin;
  return FarPlaces(std::move(points), (distance + margin) * kLatticePerUnit);
}

void read_corners(const NavMesh& mesh, std::uint32_t cell, std::vector<Point>* corners) {
  corners->clear();
  for (const NavMesh::Edge& e : mesh.edges_of(cell)) corners->push_back({e.x, e.z});
}

class NavAway final : public RouteAway, NavStages<NavAway> {
 public:
  NavAway(const NavGround* ground, std::shared_ptr<const NavKernels> kernels,
          const RoutePlace& from, std::span<const Spot> threats, double distance)
      : NavStages(ground, std::move(kernels)),
        from_(mesh_place(from)),
        places_(far_places(threats, distance)),
        straight_(from_steps(places_.least_way({from_.x, from_.z}))),
        bound_(at_least(straight_)),
        cells_(ground->pieces_at(from_)) {
    begin_next();
  }

  Progress advance(std::uint32_t* expansions) override {
    if (!run(expansions)) return Progress::kOutOfBudget;
    return best_.cell != kNoCell ? Progress::kPathFound : Progress::kNoPath;
  }
  RoutePlace place() const override {
    REPATH_CHECK(best_.cell != kNoCell);
    return ground_->place_of(pull_into(ground_->mesh(), best_.cell, best_.x, best_.z));
  }
  Cost lower_bound() const override { return bound_; }
  std::uint64_t expanded() const override { return expanded_; }

 private:
  friend NavStages;

  // Begins on the next piece of ground at the start, or ends.
  void begin_next() {
    if (begun_ == cells_.size()) {
      stage_ = Stage::kDone;
      return;
    }
    from_.cell = cells_[begun_++];
    ring_ = 4 * (1 + straight_);
    if (!ground_->is_plain()) return begin_ring();
    stage_ = Stage::kExact;
    kernel_->nearest_far_place.begin(ground_->mesh(), from_, places_);
  }
  void begin_ring() {
    ring_ = std::min({ring_, cost_, kFarthestWay});
    begin_corridors(from_, ring_, false);
  }
  Progress advance_exact(std::uint32_t* expansions) {
    return kernel_->nearest_far_place.advance(expansions);
  }
  // Only ways over links can be shorter, and none is shorter than the straight one.
  void take_exact() {
    const NearestFarPlace& search = kernel_->nearest_far_place;
    if (search.place().cell != kNoCell && from_steps(search.length()) < cost_) {
      best_ = search.place();
      cost_ = from_steps(search.length());
    }
    const bool is_known =
        best_.cell != kNoCell && at_least(cost_) <= at_least(straight_) + kRouteCostSlack;
    if (ground_->has_links() && !is_known) return begin_ring();
    if (best_.cell != kNoCell) bound_ = at_least(cost_);
    begin_next();
  }
  void pull(const CorridorSearch::CellEntry& entry) {
    read_corners(ground_->mesh(), entry.cell, &corners_);
    const Point here{entry.x, entry.z};
    const std::optional<Point> found = places_.nearest(corners_, here);
    if (!found) return;
    const double factor = ground_->filter().factor(ground_->mesh().cell(entry.cell));
    const double straight =
        plane_length(from_steps(found->x - here.x), from_steps(found->z - here.z));
    const double cost = kernel_->corridor.cost_to(entry) + factor * straight;
    if (cost >= cost_) return;
    cost_ = cost;
    best_ = {entry.cell, found->x, found->z};
  }
  // Goes on to the next ring, unless the best place is certain: among the ways that corridors find,
  // none beyond the ring is cheaper than the best one within it.
  void end_pull() {
    const bool is_last = ring_ >= std::min(cost_, kFarthestWay);
    ring_ *= kRingGrowth;
    if (!is_last) return begin_ring();
    begin_next();
  }

  MeshPlace from_;
  FarPlaces places_;
  double straight_;  // length of the straight way to such a place, world units
  double ring_ = 0;  // world units
  MeshPlace best_;   // computed; its cell is kNoCell if there is none yet
  double cost_ = std::numeric_limits<double>::infinity();  // of the way to best_, world units
  Cost bound_;
  std::vector<std::uint32_t> cells_;  // one of each piece of ground at the start
  std::size_t begun_ = 0;
  std::vector<Point> corners_;
};

}  // namespace

std::unique_ptr<RouteAway> NavGround::away(const RoutePlace& from, std::span<const Spot> threats,
                                           double distance) const {
  return std::make_unique<NavAway>(this, kernels_, from, threats, distance);
}

// No place of a cell is farther from the nearest threat than the cell's corner that is farthest
// from it. So cells whose corners are all nearer than the best corner need no closer look.
RoutePlace NavGround::farthest_reachable(const RoutePlace& from,
                                         std::span<const Spot> threats) const {
  std::vector<std::uint32_t> cells;
  collect_reachable(from, &cells);
  const FarPlaces places = far_places(threats, 0);
  const auto at_most = [&](std::span<const Point> corners) {
    double least = std::numeric_limits<double>::infinity();
    for (const Spot& threat : threats) {
      double most = 0;
      for (const Point& p : corners)
        most = std::max(most, distance_from(threat, {from_steps(p.x), 0, from_steps(p.z)}));
      least = std::min(least, most);
    }
    return least * kLatticePerUnit * (1 + 0x1p-40);
  };
  MeshPlace best;
  double most = -1;
  const auto offer = [&](std::uint32_t cell, Point at) {
    const double distance = places.distance_at(at);
    if (distance <= most) return;
    most = distance;
    best = {cell, at.x, at.z};
  };
  std::vector<Point> corners;
  for (const std::uint32_t cell : cells) {
    read_corners(mesh(), cell, &corners);
    for (const Point corner : corners) offer(cell, corner);
  }
  for (const std::uint32_t cell : cells) {
    read_corners(mesh(), cell, &corners);
    if (at_most(corners) > most) offer(cell, places.farthest(corners));
  }
  return best.cell == kNoCell ? from : place_of(pull_into(mesh(), best.cell, best.x, best.z));
}

double NavGround::distance_from(const Spot& threat, const Spot& at) const {
  return plane_length(at.x - threat.x, at.z - threat.z);
}

}  // namespace repath
