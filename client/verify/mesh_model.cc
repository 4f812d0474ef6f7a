#include "verify/mesh_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>
#include <tuple>
#include <utility>

#include "verify/mesh_geometry.h"

namespace repath::verify {
namespace {

constexpr double kGrazed = 1.1e-3;  // a millimetre and the rounding
// Borders of dearer ground that meet a wall move it by half a step of the server's lattice (1/16
// mm), and with it agents beside it. So the server lets a leg lead round corners of walls up to
// three steps beside it.
constexpr double kRoundedWall = 2.5e-4;
constexpr double kFloorReach = 2;  // from a point up or down to its ground

std::pair<Spot, Spot> bounds_of(const std::vector<Spot>& corners) {
  Spot low = corners.front();
  Spot high = low;
  for (const Spot& c : corners) {
    low = {std::min(low.x, c.x), std::min(low.y, c.y), std::min(low.z, c.z)};
    high = {std::max(high.x, c.x), std::max(high.y, c.y), std::max(high.z, c.z)};
  }
  return {low, high};
}

std::pair<Spot, Spot> box_of(const Spot& a, const Spot& b) { return bounds_of({a, b}); }

}  // namespace

// hypot is not needed: the squares are far from the limits of doubles.
double plane_distance(const Spot& a, const Spot& b) {
  const double dx = a.x - b.x;
  const double dz = a.z - b.z;
  return std::sqrt(dx * dx + dz * dz);
}

Walk walk_of(const v1::Path& path) {
  Walk walk;
  for (int i = 0; 3 * i + 2 < path.positions_size(); ++i)
    walk.points.push_back(
        {path.positions(3 * i), path.positions(3 * i + 1), path.positions(3 * i + 2)});
  walk.nodes.assign(path.nodes().begin(), path.nodes().end());
  walk.links.assign(path.links().begin(), path.links().end());
  walk.keys.assign(path.edge_keys().begin(), path.edge_keys().end());
  return walk;
}

MeshModel::MeshModel(std::vector<MeshCell> cells, std::vector<MeshView> views, Grow grow)
    : cells_(std::move(cells)), views_(std::move(views)), grow_(std::move(grow)) {
  index_cells();
  find_corners();
}

// Finds the neighbours of cells by equal corners, heights included.
void MeshModel::index_cells() {
  using Key = std::array<double, 6>;
  std::map<Key, std::pair<int, std::size_t>> edges;
  for (int c = 0; c < static_cast<int>(cells_.size()); ++c) {
    MeshCell& cell = cells_[static_cast<std::size_t>(c)];
    const auto [low, high] = bounds_of(cell.corners);
    cell.low = low.y;
    cell.high = high.y;
    cell.neighbours.assign(cell.corners.size(), -1);
    for (std::size_t i = 0; i < cell.corners.size(); ++i) {
      const Spot& a = cell.corners[i];
      const Spot& b = cell.corners[(i + 1) % cell.corners.size()];
      edges[{a.x, a.y, a.z, b.x, b.y, b.z}] = {c, i};
      const auto twin = edges.find({b.x, b.y, b.z, a.x, a.y, a.z});
      if (twin == edges.end()) continue;
      cell.neighbours[i] = twin->second.first;
      cells_[static_cast<std::size_t>(twin->second.first)].neighbours[twin->second.second] = c;
    }
    for (int x = bucket_at(low.x - kRoundedWall); x <= bucket_at(high.x + kRoundedWall); ++x)
      for (int z = bucket_at(low.z - kRoundedWall); z <= bucket_at(high.z + kRoundedWall); ++z)
        buckets_[{x, z}].push_back(c);
  }
}

// Finds the corners where the ground's border turns in by more than half a turn, for each connected
// fan of cells. Two halls that touch in a point have two corners there.
void MeshModel::find_corners() {
  std::map<std::tuple<double, double, double>, std::vector<int>> around;
  for (int c = 0; c < static_cast<int>(cells_.size()); ++c)
    for (const Spot& at : cells_[static_cast<std::size_t>(c)].corners)
      around[{at.x, at.y, at.z}].push_back(c);
  for (auto& [place, cells] : around) {
    const Spot at{std::get<0>(place), std::get<1>(place), std::get<2>(place)};
    while (!cells.empty()) {
      const int first = cells.front();
      double angle = 0;
      bool on_border = false;
      std::erase_if(cells, [&](int c) {
        if (c != first && !hang_together(first, c, at)) return false;
        const MeshCell& cell = cells_[static_cast<std::size_t>(c)];
        const std::size_t n = cell.corners.size();
        for (std::size_t i = 0; i < n; ++i) {
          if (cell.corners[i] != at) continue;
          const Spot& next = cell.corners[(i + 1) % n];
          const Spot& before = cell.corners[(i + n - 1) % n];
          const double dot =
              (next.x - at.x) * (before.x - at.x) + (next.z - at.z) * (before.z - at.z);
          // Cells are convex: an angle that rounding makes more than a half turn is one.
          angle += std::atan2(std::max(0.0, cross(at, next, before)), dot);
          on_border |= cell.neighbours[i] < 0 || cell.neighbours[(i + n - 1) % n] < 0;
        }
        return true;
      });
      if (on_border && angle > M_PI + 1e-9)
        ground_corners_.push_back({at, first, -1, false, {}, {}});
    }
  }
}

// Returns whether the cells are connected through edges that meet in the point.
bool MeshModel::hang_together(int from, int to, const Spot& at) const {
  std::vector<int> seen{from};
  for (std::size_t k = 0; k < seen.size(); ++k) {
    const int c = seen[k];
    if (c == to) return true;
    const MeshCell& cell = cells_[static_cast<std::size_t>(c)];
    const std::size_t n = cell.corners.size();
    for (std::size_t i = 0; i < n; ++i) {
      const int next = cell.neighbours[i];
      const Spot& a = cell.corners[i];
      const Spot& b = cell.corners[(i + 1) % n];
      const double length = plane_distance(a, b);
      const double along =
          ((at.x - a.x) * (b.x - a.x) + (at.z - a.z) * (b.z - a.z)) / std::max(length, 1e-9);
      const bool meets =
          std::abs(left_of(a, b, at)) <= kSlack && along >= -kSlack && along <= length + kSlack;
      if (next >= 0 && meets && std::ranges::find(seen, next) == seen.end()) seen.push_back(next);
    }
  }
  return false;
}

int MeshModel::bucket_at(double v) const { return static_cast<int>(std::floor(v / bucket_)); }

void MeshModel::index_solid(std::size_t solid) {
  const Solid& s = solids_[solid];
  for (int x = bucket_at(s.low.x); x <= bucket_at(s.high.x); ++x)
    for (int z = bucket_at(s.low.z); z <= bucket_at(s.high.z); ++z)
      solid_buckets_[{x, z}].push_back(solid);
}

std::vector<int> MeshModel::cells_at(const Spot& at, double reach, double beside) const {
  std::vector<int> found;
  const auto bucket = buckets_.find({bucket_at(at.x), bucket_at(at.z)});
  if (bucket == buckets_.end()) return found;
  for (const int c : bucket->second) {
    const MeshCell& cell = cells_[static_cast<std::size_t>(c)];
    if (holds(cell.corners, at, -beside) && std::abs(height_at(cell, at) - at.y) <= reach)
      found.push_back(c);
  }
  return found;
}

Spot MeshModel::settled_at(int, std::uint64_t, const Spot& at) {
  Spot best = at;
  double least = kNoWay;
  for (const int c : cells_at(at, kNoWay)) {
    const double y = height_at(cells_[static_cast<std::size_t>(c)], at);
    if (std::abs(y - at.y) >= least) continue;
    least = std::abs(y - at.y);
    best.y = y;
  }
  return best;
}

int MeshModel::cell_under(const Spot& at, double beside) const {
  int best = -1;
  double least = kNoWay;
  for (const int c : cells_at(at, kFloorReach, beside)) {
    const double off = std::abs(height_at(cells_[static_cast<std::size_t>(c)], at) - at.y);
    if (off < least) {
      least = off;
      best = c;
    }
  }
  return best;
}

template <class Visit>
void MeshModel::for_solids_near(const Spot& low, const Spot& high, std::uint64_t revision,
                                Visit&& visit) const {
  const int left = bucket_at(low.x);
  const int near = bucket_at(low.z);
  for (int x = left; x <= bucket_at(high.x); ++x) {
    for (int z = near; z <= bucket_at(high.z); ++z) {
      const auto bucket = solid_buckets_.find({x, z});
      if (bucket == solid_buckets_.end()) continue;
      for (const std::size_t i : bucket->second) {
        const Solid& solid = solids_[i];
        // In the first bucket that it shares with the box only.
        if (x != std::max(left, bucket_at(solid.low.x)) ||
            z != std::max(near, bucket_at(solid.low.z)))
          continue;
        const bool is_near = solid.low.x <= high.x && low.x <= solid.high.x &&
                             solid.low.z <= high.z && low.z <= solid.high.z;
        if (is_near && solid.holds(revision)) visit(i, solid);
      }
    }
  }
}

bool MeshModel::is_covered(int view, std::uint64_t revision, const Spot& at, int cell,
                           double depth) const {
  const MeshWalls* walls = walls_of(view);
  return is_under_solid(view, revision, at, cell, depth) ||
         (walls != nullptr && walls->covers(cell, at, depth));
}

bool MeshModel::is_under_solid(int view, std::uint64_t revision, const Spot& at, int cell,
                               double depth) const {
  const MeshCell& ground = cells_[static_cast<std::size_t>(cell)];
  bool covered = false;
  const double aside = std::max(0.0, -depth);
  const Spot low{at.x - aside, at.y, at.z - aside};
  const Spot high{at.x + aside, at.y, at.z + aside};
  for_solids_near(low, high, revision, [&](std::size_t, const Solid& solid) {
    if (!solid.blocks() || solid.bottom > ground.high || solid.top < ground.low) return;
    for (const Ring& ring : solid.rings[static_cast<std::size_t>(view)])
      covered |= holds(ring.corners, at, depth);
  });
  return covered;
}

bool MeshModel::is_tight(int view, std::uint64_t revision, const Corner& corner) const {
  const MeshCell& ground = cells_[static_cast<std::size_t>(corner.cell)];
  const MeshWalls* walls = walls_of(view);
  bool is_tight = walls != nullptr && walls->covers(corner.cell, corner.at, -kTight);
  const Spot low{corner.at.x - kTight, corner.at.y, corner.at.z - kTight};
  const Spot high{corner.at.x + kTight, corner.at.y, corner.at.z + kTight};
  for_solids_near(low, high, revision, [&](std::size_t s, const Solid& solid) {
    if (static_cast<int>(s) == corner.solid || !solid.blocks() || solid.bottom > ground.high ||
        solid.top < ground.low)
      return;
    for (const Ring& ring : solid.rings[static_cast<std::size_t>(view)])
      is_tight |= holds(ring.corners, corner.at, -kTight);
  });
  const double before = plane_distance(corner.at, corner.before);
  const double after = plane_distance(corner.at, corner.after);
  // Away from the ring.
  const double x =
      (corner.at.x - corner.before.x) / before + (corner.at.x - corner.after.x) / after;
  const double z =
      (corner.at.z - corner.before.z) / before + (corner.at.z - corner.after.z) / after;
  const double length = std::hypot(x, z);
  if (is_tight || length < kSlack) return is_tight;
  const Spot aside{corner.at.x + kTight * x / length, corner.at.y,
                   corner.at.z + kTight * z / length};
  return cells_at(aside, kStep).empty();  // other floors are no ground beside it
}

bool MeshModel::stands(int view, std::uint64_t revision, const Spot& at) {
  const int cell = cell_under(at);
  return cell >= 0 && !is_covered(view, revision, at, cell);
}

// Walks through every cell that the line meets in a part connected with its beginning.
int MeshModel::cast(int view, std::uint64_t revision, int cell, const Spot& from, const Spot& to,
                    double depth, Stretches* ground_of_line, double beside) const {
  std::vector<std::array<double, 3>> stretches;  // first, last, cell
  std::vector<bool> seen(cells_.size(), false);
  seen[static_cast<std::size_t>(cell)] = true;
  std::vector<int> open{cell};
  int end = -1;
  double reached = 0;
  const double length = std::max(plane_distance(from, to), 1e-9);
  while (!open.empty()) {
    const int c = open.back();
    open.pop_back();
    const MeshCell& ground = cells_[static_cast<std::size_t>(c)];
    const auto [first, last] = clip(ground.corners, from, to, -beside);
    if (first > last) continue;
    stretches.push_back({first, last, static_cast<double>(c)});
    if (last > reached || end < 0) {
      reached = std::max(reached, last);
      end = c;
    }
    for (const int next : ground.neighbours) {
      if (next < 0 || seen[static_cast<std::size_t>(next)]) continue;
      seen[static_cast<std::size_t>(next)] = true;
      open.push_back(next);
    }
  }
  std::sort(stretches.begin(), stretches.end());
  double covered = 0;
  for (const auto& s : stretches)
    if (s[0] <= covered + 2 * kSlack / length) covered = std::max(covered, s[1]);
  if (covered < 1 - 2 * kSlack / length) return -1;
  // The place must be on the right floor. Corners of a cell need not lie in one plane, so its
  // pieces may have other heights inside.
  const MeshCell& floor = cells_[static_cast<std::size_t>(end)];
  if (to.y < floor.low - kStep || to.y > floor.high + kStep) return -1;
  if (is_blocked(view, revision, from, to, depth, stretches)) return -1;
  if (ground_of_line != nullptr) *ground_of_line = std::move(stretches);
  return end;
}

// Returns the stretches of [0, 1] where the line, moved aside a little, lies inside of rings.
std::vector<std::pair<double, double>> MeshModel::stretches_inside(
    int view, std::uint64_t revision, const Spot& from, const Spot& to, double aside, double depth,
    const std::vector<std::array<double, 3>>& ground) const {
  const double length = plane_distance(from, to);
  const double dx = -(to.z - from.z) / length * aside;
  const double dz = (to.x - from.x) / length * aside;
  const Spot a{from.x + dx, from.y, from.z + dz};
  const Spot b{to.x + dx, to.y, to.z + dz};
  const auto [low, high] = box_of(a, b);
  std::vector<std::pair<double, double>> inside;
  if (const MeshWalls* walls = walls_of(view); walls != nullptr)
    for (const auto& s : ground)
      walls->for_rings(static_cast<int>(s[2]), [&](const Ring& ring) {
        const auto [first, last] = clip(ring.corners, a, b, depth);
        const double begin = std::max(first, s[0]);
        const double end = std::min(last, s[1]);
        if ((end - begin) * length > 10 * kSlack) inside.emplace_back(begin, end);
      });
  for_solids_near(low, high, revision, [&](std::size_t, const Solid& solid) {
    if (!solid.blocks()) return;
    for (const Ring& ring : solid.rings[static_cast<std::size_t>(view)]) {
      const auto [first, last] = clip(ring.corners, a, b, depth);
      if ((last - first) * length <= 10 * kSlack) continue;
      for (const auto& s : ground) {
        const MeshCell& cell = cells_[static_cast<std::size_t>(s[2])];
        const bool concerns = solid.bottom <= cell.high && solid.top >= cell.low;
        const double begin = std::max(first, s[0]);
        const double end = std::min(last, s[1]);
        if (concerns && (end - begin) * length > 10 * kSlack) inside.emplace_back(begin, end);
      }
    }
  });
  return inside;
}

// A line is blocked if it is so on both sides: it may run along an obstacle, but not along the seam
// of two pieces.
bool MeshModel::is_blocked(int view, std::uint64_t revision, const Spot& from, const Spot& to,
                           double depth, const std::vector<std::array<double, 3>>& ground) const {
  const double length = plane_distance(from, to);
  if (length <= 10 * kSlack) return false;
  const auto left = stretches_inside(view, revision, from, to, 20 * kSlack, depth, ground);
  if (left.empty()) return false;
  for (const auto& [first, last] :
       stretches_inside(view, revision, from, to, -20 * kSlack, depth, ground))
    for (const auto& [begin, end] : left)
      if ((std::min(last, end) - std::max(first, begin)) * length > 100 * kSlack) return true;
  return false;
}

double MeshModel::over_link(std::uint64_t id, const Spot& from, const Spot& to) const {
  constexpr double kNear = 2e-3;
  for (const MeshLink& link : links_) {
    if (link.id != id) continue;
    const bool there =
        plane_distance(from, link.from) < kNear && plane_distance(to, link.to) < kNear;
    const bool back =
        plane_distance(from, link.to) < kNear && plane_distance(to, link.from) < kNear;
    if (there || (back && link.both_ways)) return link.factor * plane_distance(from, to);
  }
  return -1;
}

// At a corner the path goes on in any cell that meets there.
int MeshModel::cast_leg(int view, std::uint64_t revision, int cell, const Spot& from,
                        const Spot& to, double depth, Stretches* ground, double beside) const {
  int end = cast(view, revision, cell, from, to, depth, ground, beside);
  for (const int other : end < 0 ? cells_at(from, kFloorReach) : std::vector<int>{}) {
    end = cast(view, revision, other, from, to, depth, ground, beside);
    if (end >= 0) break;
  }
  return end;
}

Walked MeshModel::walk(int view, std::uint64_t revision, const Walk& walk) {
  Walked walked;
  // An agent a millimetre inside of an obstacle counts as beside it, because carving pulls edges to
  // corners of the ground that they nearly meet.
  const double depth = walk.must_be_clear ? kSlack : kGrazed;
  int cell = cell_under(walk.points.front());
  // Dearer ground may have moved a wall beside the agent. The wall is back in its place when that
  // ground is gone.
  if (cell < 0 && has_soft_ && !walk.must_be_clear)
    cell = cell_under(walk.points.front(), kRoundedWall);
  if (cell < 0 || is_covered(view, revision, walk.points.front(), cell, depth)) {
    walked.broken = 0;
    return walked;
  }
  for (std::size_t i = 1; i < walk.points.size(); ++i) {
    const Spot& a = walk.points[i - 1];
    const Spot& b = walk.points[i];
    if (!walk.links.empty() && walk.links[i - 1] != 0) {
      const double cost = over_link(walk.links[i - 1], a, b);
      cell = cell_under(b);
      if (cost < 0 || cell < 0 || is_covered(view, revision, b, cell)) {
        walked.broken = static_cast<int>(i);
        return walked;
      }
      walked.cost += cost;
      walked.most += cost;
      continue;
    }
    Stretches ground;
    int end = cast_leg(view, revision, cell, a, b, depth, &ground, kSlack);
    if (end < 0 && has_soft_ && !walk.must_be_clear)
      end = cast_leg(view, revision, cell, a, b, depth, &ground, kRoundedWall);
    if (end < 0) {
      walked.broken = static_cast<int>(i);
      return walked;
    }
    const auto [least, most] = cost_of_line(revision, a, b, ground);
    walked.cost += least;
    walked.most += most;
    cell = end;
  }
  return walked;
}

void MeshModel::forget_before(std::uint64_t revision) {
  if (solids_.size() < 4 * (in_force_.size() + 64)) return;
  std::vector<Solid> kept;
  std::map<std::size_t, std::size_t> moved;
  for (std::size_t i = 0; i < solids_.size(); ++i) {
    if (solids_[i].until <= revision) continue;
    moved[i] = kept.size();
    kept.push_back(std::move(solids_[i]));
  }
  solids_ = std::move(kept);
  for (auto& [id, place] : in_force_) place = moved.at(place);
  solid_buckets_.clear();
  for (std::size_t i = 0; i < solids_.size(); ++i) index_solid(i);
}

}  // namespace repath::verify
