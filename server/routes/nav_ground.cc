#include "routes/nav_ground.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "routes/boxes.h"
#include "routes/parts_reach.h"
#include "routes/strong_parts.h"

namespace repath {
namespace {

constexpr double kEverywhere = 2 * kHeightMax;
// Pieces of ground touch at a place if their heights there differ by no more. World units.
constexpr double kTouchingHeight = 1e-3;

// Answers reach by components, if cells are joined only by ground.
class ComponentReach final : public PartsReach {
 public:
  explicit ComponentReach(const NavGround& ground) : PartsReach(nullptr), ground_(ground) {}

 private:
  void append_parts(const RoutePlace& place, std::vector<std::uint32_t>* list) const override {
    for (const std::uint32_t cell : ground_.pieces_at(mesh_place(place)))
      list->push_back(ground_.mesh().component_of(cell));
  }

  const NavGround& ground_;
};

class CellReach final : public PartsReach {
 public:
  CellReach(const NavGround& ground, std::unique_ptr<const StrongParts> parts)
      : PartsReach(std::move(parts)), ground_(ground) {}

 private:
  void append_parts(const RoutePlace& place, std::vector<std::uint32_t>* list) const override {
    for (const std::uint32_t cell : ground_.pieces_at(mesh_place(place)))
      list->push_back(parts()->part_of(cell));
  }

  const NavGround& ground_;
};

}  // namespace

NavFilter nav_filter(const Profile& profile) {
  NavFilter filter{.include = profile.include, .exclude = profile.exclude};
  for (const AreaFactor& rule : profile.areas)
    filter.factors[rule.area] = in_thousandths(rule.factor);
  return filter;
}

Cost route_cost_of(double length) {
  return static_cast<Cost>(std::ceil(std::min(length, kFarthestWay) * kRouteCostUnit));
}

Cost cost_over(const NavLink& link, const NavFilter& filter) {
  const double length = plane_length(from_steps(static_cast<double>(link.to.x) - link.from.x),
                                     from_steps(static_cast<double>(link.to.z) - link.from.z));
  return route_cost_of(length * filter.factor(link));
}

NavGround::NavGround(const CarvedGround* ground, const NavFilter& filter, const FactorRange& base,
                     std::shared_ptr<const NavKernels> kernels,
                     std::shared_ptr<const CarvedGround> owner)
    : ground_(ground),
      filter_(filter),
      base_(base),
      kernels_(std::move(kernels)),
      owner_(std::move(owner)) {
  look_again();
}

void NavGround::look_again() {
  FactorRange range = base_;
  for (const auto& [ground, count] : ground_->changed_grounds())
    range.add(filter_.factor(ground.first, ground.second));
  is_plain_ = range.least == 1 && range.most == 1;
  least_factor_ = range.least;
  has_links_ = std::ranges::any_of(mesh().links(), [this](const NavLink& link) {
    return link.enabled && filter_.allows(link.flags);
  });
}

RoutePlace NavGround::place_of(const MeshPlace& place) const {
  const Point at = place.point();
  return {{at.x, ground_->height_at(place.cell, place.x, place.z), at.z}, place.cell};
}

std::optional<RoutePlace> NavGround::locate(const Spot& at, std::uint64_t* looks) const {
  return find(at, kFloorReach, looks);
}

std::optional<RoutePlace> NavGround::stand(const Spot& at, double radius, double height_reach,
                                           std::uint64_t* looks) const {
  std::optional<RoutePlace> place = find(at, height_reach, looks);
  if (place || !std::isfinite(at.y) || !(radius >= 0)) return place;
  const std::optional<NearestPlace> found =
      ground_->find_beside({at.x, at.z}, at.y, radius, height_reach, filter_, looks);
  if (found) place = place_of(found->place);
  return place;
}

std::optional<double> NavGround::floor_at(const Spot& at) const {
  if (!std::isfinite(at.y)) return std::nullopt;
  return ground_->find_floor({at.x, at.z}, at.y, kFloorReach, &filter_);
}

std::optional<RoutePlace> NavGround::find(const Spot& at, double height_reach,
                                          std::uint64_t* looks) const {
  if (!std::isfinite(at.y)) return std::nullopt;
  const std::optional<MeshPlace> found =
      ground_->find_cell({at.x, at.z}, at.y, height_reach, &filter_, looks);
  if (!found) return std::nullopt;
  return RoutePlace{{at.x, ground_->height_at(found->cell, found->x, found->z), at.z}, found->cell};
}

std::optional<RoutePlace> NavGround::nearest(const Spot& at, double radius,
                                             std::uint64_t* looks) const {
  if (!std::isfinite(at.y) || !(radius >= 0)) return std::nullopt;
  const std::optional<NearestPlace> found =
      ground_->find_nearest({at.x, at.z}, at.y, radius, kEverywhere, filter_, looks);
  if (!found) return std::nullopt;
  return place_of(found->place);
}

RouteWalk NavGround::walk(std::span<const RoutePoint> route) const {
  REPATH_CHECK(!route.empty());
  const std::optional<RoutePlace> start = find(route[0].at, kSameFloor);
  if (!start) return {kUnreachable, 0};
  RouteWalk walk = walk_from(mesh_place(*start), route);
  if (walk.cost != kUnreachable) return walk;
  for (const std::uint32_t cell : pieces_at(mesh_place(*start))) {
    if (cell == start->cell) continue;
    const RouteWalk other = walk_from(mesh_place({start->at, cell}), route);
    if (other.cost != kUnreachable) return other;
    walk.broken = std::max(walk.broken, other.broken);
  }
  return walk;
}

RouteWalk NavGround::walk_from(MeshPlace place, std::span<const RoutePoint> route) const {
  RouteWalk walk;
  for (std::size_t i = 1; i < route.size(); ++i) {
    const std::optional<Leg> step = leg_on_floor(place, route[i - 1], route[i].at);
    if (!step) return {kUnreachable, i};
    walk.cost = saturating_add(walk.cost, step->cost);
    place = step->end;
  }
  return walk;
}

Cost NavGround::cost_of_part(const RoutePoint& from, const Spot& to, const LegPart& part) const {
  const std::optional<RoutePlace> start = find(from.at, kSameFloor);
  if (!start) return kUnreachable;
  std::optional<Leg> found = leg_on_floor(mesh_place(*start), from, to, part);
  if (found) return found->cost;
  for (const std::uint32_t cell : pieces_at(mesh_place(*start))) {
    if (cell != start->cell) found = leg_on_floor(mesh_place({start->at, cell}), from, to, part);
    if (found) return found->cost;
  }
  return kUnreachable;
}

bool NavGround::may_reach(const RoutePlace& from, const RoutePlace& to) const {
  const auto is_joined = [this](std::uint32_t a, std::uint32_t b) {
    return mesh().component_of(a) == mesh().component_of(b);
  };
  if (is_joined(from.cell, to.cell)) return true;
  const std::vector<std::uint32_t> ends = pieces_at(mesh_place(to));
  return std::ranges::any_of(pieces_at(mesh_place(from)), [&](std::uint32_t begin) {
    return std::ranges::any_of(ends, [&](std::uint32_t end) { return is_joined(begin, end); });
  });
}

std::vector<std::uint32_t> NavGround::pieces_at(const MeshPlace& place) const {
  std::vector<std::uint32_t> pieces{place.cell};
  if (std::ranges::none_of(mesh().edges_of(place.cell),
                           [&](const NavMesh::Edge& e) { return is_on_edge(e, place.x, place.z); }))
    return pieces;
  std::vector<std::uint32_t> holders;
  ground_->find_cells(place.point(), &holders);
  if (holders.size() <= 1) return pieces;
  const double y = ground_->height_at(place.cell, place.x, place.z);
  std::vector<std::uint32_t> met;
  std::vector<std::uint32_t> around;
  cells_around(mesh(), place, &met, &filter_);
  for (const std::uint32_t cell : holders) {
    if (!filter_.allows(mesh().cell(cell).flags) || std::ranges::find(met, cell) != met.end() ||
        std::abs(ground_->height_at(cell, place.x, place.z) - y) > kTouchingHeight)
      continue;
    pieces.push_back(cell);
    cells_around(mesh(), {cell, place.x, place.z}, &around, &filter_);
    met.insert(met.end(), around.begin(), around.end());
  }
  return pieces;
}

// Visits the cells that an agent in this one may enter next. Cells may come twice.
template <class Visit>
void NavGround::for_each_cell_after(std::uint32_t cell, Visit&& visit) const {
  const auto offer = [&](std::uint32_t next) {
    if (next != kNoCell && filter_.allows(mesh().cell(next).flags)) visit(next);
  };
  for (const NavMesh::Edge& e : mesh().edges_of(cell)) offer(e.neighbour);
  if (!has_links_) return;
  for (const NavMesh::LinkEnd& end : mesh().link_ends_of(cell)) {
    const NavLink& link = mesh().links()[end.link];
    if (link.enabled && filter_.allows(link.flags))
      offer(end.is_from ? link.to_cell : link.from_cell);
  }
}

void NavGround::collect_reachable(const RoutePlace& from, std::vector<std::uint32_t>* cells) const {
  std::vector<bool> is_met(mesh().cells_end(), false);
  const auto meet = [&](std::uint32_t cell) {
    if (is_met[cell]) return;
    is_met[cell] = true;
    cells->push_back(cell);
  };
  if (filter_.allows(mesh().cell(from.cell).flags))
    for (const std::uint32_t cell : pieces_at(mesh_place(from))) meet(cell);
  for (std::size_t i = 0; i < cells->size(); ++i) for_each_cell_after((*cells)[i], meet);
}

std::unique_ptr<ReachTable> NavGround::reach_table(WorkMeter* meter) const {
  if (mesh().links().empty()) return std::make_unique<ComponentReach>(*this);
  NodeWays ways;
  ways.reserve(mesh().cells_end(), most_ways());
  for (std::uint32_t cell = 0; cell < mesh().cells_end(); ++cell) {
    if (!meter->spend(StrongParts::kUnitsToList *
                      (1 + mesh().edges_of(cell).size() + mesh().link_ends_of(cell).size())))
      return nullptr;
    if (mesh().is_live(cell) && filter_.allows(mesh().cell(cell).flags))
      for_each_cell_after(cell, [&](std::uint32_t next) { ways.targets.push_back(next); });
    ways.end_node();
  }
  std::unique_ptr<const StrongParts> parts = StrongParts::find(ways, meter);
  if (parts == nullptr) return nullptr;
  return std::make_unique<CellReach>(*this, std::move(parts));
}

// Returns how many ways lead from cells to others, at most.
std::uint64_t NavGround::most_ways() const {
  return std::uint64_t{mesh().edges_end()} + 2 * mesh().links().size();
}

std::uint64_t NavGround::reach_bytes() const {
  return mesh().links().empty() ? 0 : StrongParts::bytes_to_find(mesh().cells_end(), most_ways());
}

bool NavGround::reaches_as(const RouteGround& other) const {
  const auto& ground = static_cast<const NavGround&>(other);
  return ground_ == ground.ground_ && filter_.include == ground.filter_.include &&
         filter_.exclude == ground.filter_.exclude;
}

RoutePlace NavGround::nearest_reachable(const RoutePlace& from,
                                        std::span<const RoutePlace> goals) const {
  std::vector<std::uint32_t> cells;
  collect_reachable(from, &cells);
  std::optional<NearestPlace> best;
  const auto rank = [](const NearestPlace& p) {
    return std::tuple(p.distance, p.place.x, p.place.z);
  };
  for (const std::uint32_t cell : cells)
    for (const RoutePlace& goal : goals) {
      const MeshPlace to = mesh_place(goal);
      std::optional<NearestPlace> found;
      const NearestWish wish{to.x, to.z, goal.at.y, 4 * kLatticeExtent, kEverywhere};
      if (ground_->offer_nearest(cell, wish, &found) && (!best || rank(*found) < rank(*best)))
        best = found;
    }
  if (!best) return from;
  return place_of(pull_into(mesh(), best->place.cell, best->place.x, best->place.z));
}

Cost NavGround::least_cost(const RouteBox& from, const RouteBox& to) const {
  const double apart = std::min(distance_between(from, to), 4 * kLatticeExtent);
  // The factor makes it a little less, because sums and roots of doubles are rounded.
  return static_cast<Cost>(apart * (1 - 0x1p-48) * kRouteCostUnit);
}

bool NavGround::append_spans(const RouteBox& box, std::vector<LandmarkSpan>* spans) const {
  return mesh().links().empty() &&
         ground_->append_spans({box.min_x, box.min_z}, {box.max_x, box.max_z}, spans);
}

// Returns 0 if no base cell meets one of the boxes. An agent is unlikely to be in such a box.
Cost NavGround::least_cost_between(std::span<const LandmarkSpan> from,
                                   std::span<const LandmarkSpan> to) const {
  double least = std::numeric_limits<double>::infinity();
  for (const LandmarkSpan& a : from)
    for (const LandmarkSpan& b : to) least = std::min(least, landmarks().least(a, b));
  if (from.empty() || to.empty()) return 0;
  const double apart = std::min(from_steps(least), 4 * kLatticeExtent);
  return static_cast<Cost>(apart * (1 - 0x1p-48) * kRouteCostUnit);
}

std::optional<std::uint32_t> NavGround::append_cells(std::uint32_t first, std::size_t most,
                                                     std::vector<GroundCell>* cells) const {
  for (std::uint32_t c = first; c < mesh().cells_end(); ++c) {
    if (!mesh().is_live(c)) continue;
    if (most-- == 0) return c;
    const NavMesh::Cell& cell = mesh().cell(c);
    cells->push_back(
        {.corners = {}, .area = area_of(c), .flags = cell.flags, .factor = cell.factor / 1000.0});
    for (const NavMesh::Edge& e : mesh().edges_of(c)) {
      const Point at = to_point(mesh().vertex(e.vertex).at);
      cells->back().corners.push_back({at.x, ground_->height_at(c, e.x, e.z), at.z});
    }
  }
  return std::nullopt;
}

std::vector<GroundLink> NavGround::links() const {
  std::vector<GroundLink> all;
  for (const NavLink& link : mesh().links()) {
    const Point from = to_point(link.from);
    const Point to = to_point(link.to);
    all.push_back({.id = link.id,
                   .from = {from.x, link.from_y, from.z},
                   .to = {to.x, link.to_y, to.z},
                   .factor = link.factor / 1000.0,
                   .both_ways = link.both_ways,
                   .enabled = link.enabled});
  }
  return all;
}

NavGround::Way NavGround::way_nearest(const MeshPlace& from, const Spot& to) const {
  RayFan rays(mesh(), from, to_fine_steps(to.x), to_fine_steps(to.z), filter_);
  Way best{*rays.next(), rays.cells()};
  double least = std::abs(place_of(best.ray.end).at.y - to.y);
  while (!best.ray.is_free || least > kSameHeight) {
    const std::optional<RayResult> ray = rays.next();
    if (!ray) break;
    const double off = std::abs(place_of(ray->end).at.y - to.y);
    if (!ray->is_free || (best.ray.is_free && off >= least)) continue;
    best = {*ray, rays.cells()};
    least = off;
  }
  return best;
}

std::optional<RouteRay> NavGround::cast_ray(const RoutePlace& from, const Spot& to) const {
  if (!std::isfinite(to.x) || !std::isfinite(to.z)) return std::nullopt;
  // Ground ends within the extent: beyond it only the direction counts.
  double part = 1;
  for (const auto& [here, there] : {std::pair{from.at.x, to.x}, {from.at.z, to.z}})
    if (std::abs(there) > kLatticeExtent)
      part = std::min(part, (kLatticeExtent - std::abs(here)) / (std::abs(there) - std::abs(here)));
  part = std::max(part, 0.0);
  const double x =
      std::clamp(from.at.x + part * (to.x - from.at.x), -kLatticeExtent, kLatticeExtent);
  const double z =
      std::clamp(from.at.z + part * (to.z - from.at.z), -kLatticeExtent, kLatticeExtent);
  const Way way = way_nearest(mesh_place(from), {part < 1 ? x : to.x, to.y, part < 1 ? z : to.z});
  return RouteRay{way.ray.is_free && part == 1, way.ray.share * part, place_of(way.ray.end).at};
}

std::optional<double> NavGround::height_along(const RoutePlace& from, const Spot& to,
                                              const Spot& on) const {
  const Way way = way_nearest(mesh_place(from), to);
  if (!way.ray.is_free || std::abs(place_of(way.ray.end).at.y - to.y) > kSameFloor)
    return std::nullopt;
  std::optional<NearestPlace> nearest;
  const NearestWish wish{to_fine_steps(on.x), to_fine_steps(on.z), 0, kSamePlace, kEverywhere};
  for (const std::uint32_t cell : way.cells) ground_->offer_nearest(cell, wish, &nearest);
  if (!nearest) return std::nullopt;
  return place_of(nearest->place).at.y;
}

std::optional<RoutePlace> NavGround::random_place(const Spot& near, double radius,
                                                  Random* random) const {
  constexpr int kTries = 1000;
  constexpr std::uint32_t kFloors = 4;  // so many above each other have all the same chance
  std::vector<std::uint32_t> cells;
  for (int i = 0; i < kTries; ++i) {
    cells.clear();
    // In a square that is mostly beside the mesh no place is found, so the later tries are spread
    // over the mesh.
    const bool is_anywhere = !std::isfinite(radius) || i >= kTries / 2;
    Point at{near.x + radius * (2 * random->unit() - 1),
             near.z + radius * (2 * random->unit() - 1)};
    std::uint32_t floor = 0;
    if (is_anywhere) {
      const MeshPlace chosen = ground_->finder().random_place(random);
      at = chosen.point();
      for (const std::uint32_t cell : ground_->cells_of(chosen.cell))
        if (cells.empty() && holds(mesh(), cell, chosen.x, chosen.z)) cells.push_back(cell);
    } else {
      ground_->find_cells(at, &cells);
      floor = random->below(std::max(kFloors, static_cast<std::uint32_t>(cells.size())));
    }
    if (floor >= cells.size() || !filter_.allows(mesh().cell(cells[floor]).flags)) continue;
    const RoutePlace place = place_of(place_in(cells[floor], at));
    const double dx = place.at.x - near.x;
    const double dy = place.at.y - near.y;
    const double dz = place.at.z - near.z;
    if (!std::isfinite(radius) || dx * dx + dy * dy + dz * dz <= radius * radius) return place;
  }
  return std::nullopt;
}

}  // namespace repath
