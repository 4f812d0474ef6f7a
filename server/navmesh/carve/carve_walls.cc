#include "navmesh/carve/carve_walls.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/error.h"
#include "geometry/grow.h"
#include "navmesh/carve/carve.h"

namespace repath {
// A point in steps from the first corner of the cell in work.
struct WallOffset {
  double x;
  double z;
};

namespace {

// Lattice steps; more than carving moves an edge (kMendReach).
constexpr std::int32_t kWithinMargin = 80;

constexpr std::uint64_t kUnitsPerWall = 500;
constexpr std::uint64_t kUnitsPerVisit = 200;
constexpr std::uint64_t kUnitsPerPiece = 30;
constexpr std::uint64_t kUnitsPerCarvedCell = 300;
constexpr std::uint64_t kEdgesPerWall = 18;

bool come_near(std::span<const LatticePoint> one, std::span<const LatticePoint> other) {
  return bounds_of(one).grown(kCarveMargin).meets(bounds_of(other)) && !has_beyond(one, other) &&
         !has_beyond(other, one);
}

double left_by(WallOffset a, WallOffset b, WallOffset p) {
  return (b.x - a.x) * (p.z - a.z) - (b.z - a.z) * (p.x - a.x);
}

double reach_by(WallOffset a, WallOffset b) { return std::abs(b.x - a.x) + std::abs(b.z - a.z); }

std::vector<WallOffset> offsets_of(std::span<const LatticePoint> ring, LatticePoint from) {
  std::vector<WallOffset> made;
  made.reserve(ring.size());
  for (const LatticePoint p : ring)
    made.push_back({static_cast<double>(p.x) - from.x, static_cast<double>(p.z) - from.z});
  return made;
}

// Returns the part of the convex polygon `from` that lies at least -kCarveMargin left of all sides
// of `cell`.
std::vector<WallOffset> clipped(std::vector<WallOffset> from, const std::vector<WallOffset>& cell) {
  std::vector<WallOffset> kept;
  for (std::size_t i = 0; i < cell.size() && !from.empty(); ++i) {
    const WallOffset a = cell[i];
    const WallOffset b = cell[i + 1 == cell.size() ? 0 : i + 1];
    const double margin = kCarveMargin * reach_by(a, b);
    kept.clear();
    for (std::size_t k = 0; k < from.size(); ++k) {
      const WallOffset p = from[k];
      const WallOffset q = from[k + 1 == from.size() ? 0 : k + 1];
      const double at_p = left_by(a, b, p) + margin;
      const double at_q = left_by(a, b, q) + margin;
      if (at_p >= 0) kept.push_back(p);
      if ((at_p > 0 && at_q < 0) || (at_p < 0 && at_q > 0)) {
        const double share = at_p / (at_p - at_q);
        kept.push_back({p.x + share * (q.x - p.x), p.z + share * (q.z - p.z)});
      }
    }
    from.swap(kept);
  }
  return from;
}

// Returns whether all points lie in the convex ring, by kWithinMargin or more.
bool lie_within(const std::vector<WallOffset>& points, const std::vector<WallOffset>& ring) {
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const WallOffset a = ring[i];
    const WallOffset b = ring[i + 1 == ring.size() ? 0 : i + 1];
    const double least = kWithinMargin * reach_by(a, b);
    if (std::ranges::any_of(points, [&](WallOffset p) { return left_by(a, b, p) < least; }))
      return false;
  }
  return true;
}

}  // namespace

// Makes one CarveWalls.
class WallFinder {
 public:
  WallFinder(const NavMesh& base, double by, WorkMeter* work, std::size_t per_cell_max)
      : base_(base),
        by_(by),
        work_(*work),
        per_cell_max_(per_cell_max),
        seen_(base.cells_end(), 0) {}

  absl::StatusOr<CarveWalls> run() {
    for (std::uint32_t c = 0; c < base_.cells_end(); ++c)
      for (const NavMesh::Edge& e : base_.edges_of(c))
        if (e.twin == kNoEdge)
          if (auto s = add_wall(c, e); !s.ok()) return s;
    std::ranges::sort(concerned_);
    if (auto s = list_by_cell(); !s.ok()) return s;
    return std::move(made_);
  }

 private:
  static LatticePoint point_of(const NavMesh::Edge& e) {
    return {static_cast<std::int32_t>(e.x), static_cast<std::int32_t>(e.z)};
  }

  void fill_ring(std::uint32_t cell) {
    ring_.clear();
    for (const NavMesh::Edge& e : base_.edges_of(cell)) ring_.push_back(point_of(e));
  }

  absl::Status add_wall(std::uint32_t cell, const NavMesh::Edge& wall) {
    if (!work_.spend(kUnitsPerWall)) return work_.error("radius");
    auto grown = grow_wall(to_point(point_of(wall)), to_point(point_of(NavMesh::after(wall))), by_);
    if (!grown.ok())
      return make_error(grown.status().code(), error_reason(grown.status()), "radius",
                        std::string(grown.status().message()));
    made_.rings_.push_back(*std::move(grown));
    if (auto s = spread(cell); !s.ok()) return s;
    const std::uint64_t bytes =
        concerned_.size() * sizeof(concerned_[0]) + made_.rings_.size() * sizeof(LatticeRing);
    return work_.check_memory(bytes, "radius");
  }

  // Notes the cells that the last ring concerns, from the wall's own cell on.
  absl::Status spread(std::uint32_t first) {
    const LatticeRing& wall = made_.rings_.back();
    const auto number = static_cast<std::uint32_t>(made_.rings_.size());  // from 1
    open_.assign(1, first);
    seen_[first] = number;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const std::uint32_t cell = open_[i];
      if (!work_.spend(kUnitsPerVisit)) return work_.error("radius");
      fill_ring(cell);
      if (!come_near(ring_, wall)) continue;
      concerned_.push_back({cell, number - 1});
      for (const NavMesh::Edge& e : base_.edges_of(cell)) {
        if (e.twin == kNoEdge || seen_[e.neighbour] == number) continue;
        const std::array<LatticePoint, 2> ends{point_of(e), point_of(NavMesh::after(e))};
        if (!come_near(ends, wall)) continue;
        seen_[e.neighbour] = number;
        open_.push_back(e.neighbour);
      }
    }
    return absl::OkStatus();
  }

  absl::Status list_by_cell() {
    std::size_t begin = 0;
    for (std::uint32_t cell = 0; cell < base_.cells_end(); ++cell) {
      made_.firsts_.push_back(static_cast<std::uint32_t>(made_.numbers_.size()));
      std::size_t end = begin;
      numbers_.clear();
      while (end < concerned_.size() && concerned_[end].first == cell)
        numbers_.push_back(concerned_[end++].second);
      begin = end;
      if (numbers_.size() > 1 && !drop_covered(cell)) return work_.error("radius");
      if (numbers_.size() > per_cell_max_)
        return make_error(absl::StatusCode::kResourceExhausted, "CELL_CROWDED", "radius",
                          std::to_string(numbers_.size()) +
                              " walls within this radius concern one "
                              "cell; the limit is " +
                              std::to_string(per_cell_max_));
      made_.numbers_.insert(made_.numbers_.end(), numbers_.begin(), numbers_.end());
    }
    made_.firsts_.push_back(static_cast<std::uint32_t>(made_.numbers_.size()));
    return absl::OkStatus();
  }

  // Takes off the rings that lie in another one all over the cell. Returns false if the work is
  // over.
  bool drop_covered(std::uint32_t cell) {
    fill_ring(cell);
    const std::vector<WallOffset> ground = offsets_of(ring_, ring_[0]);
    whole_.clear();
    parts_.clear();
    for (const std::uint32_t number : numbers_) {
      if (!work_.spend(kUnitsPerWall)) return false;
      whole_.push_back(offsets_of(made_.rings_[number], ring_[0]));
      parts_.push_back(clipped(whole_.back(), ground));
    }
    is_dropped_.assign(numbers_.size(), false);
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      if (!work_.spend(kUnitsPerPiece * numbers_.size())) return false;
      for (std::size_t k = 0; k < numbers_.size() && !is_dropped_[i]; ++k)
        is_dropped_[i] = k != i && !is_dropped_[k] && lie_within(parts_[i], whole_[k]);
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      if (!is_dropped_[i]) numbers_[kept++] = numbers_[i];
    numbers_.resize(kept);
    return true;
  }

  const NavMesh& base_;
  const double by_;
  WorkMeter& work_;
  const std::size_t per_cell_max_;
  CarveWalls made_;
  std::vector<std::uint32_t> seen_;  // by cell: the latest ring that met it, from 1
  std::vector<std::uint32_t> open_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> concerned_;  // cell, number
  LatticeRing ring_;                                                // of the cell in work
  std::vector<std::uint32_t> numbers_;                              // this and below: the same
  std::vector<std::vector<WallOffset>> whole_;
  std::vector<std::vector<WallOffset>> parts_;
  std::vector<bool> is_dropped_;
};

absl::StatusOr<CarveWalls> CarveWalls::find(const NavMesh& base, double by, WorkMeter* work,
                                            std::size_t per_cell_max) {
  return WallFinder(base, by, work, per_cell_max).run();
}

std::uint64_t CarveWalls::units_to_carve() const {
  std::uint64_t units = 0;
  for (std::size_t c = 0; c + 1 < firsts_.size(); ++c) {
    const std::uint64_t edges = kEdgesPerWall * (firsts_[c + 1] - firsts_[c]);
    if (edges > 0) units += kUnitsPerCarvedCell + edges * edges;
  }
  return units;
}

std::size_t CarveWalls::bytes() const {
  constexpr std::size_t kOfRing = sizeof(LatticeRing) + kEdgesPerWall * sizeof(LatticePoint) + 16;
  constexpr std::size_t kOfCarving = 600;  // pieces, cuts and fragments beside a wall in a cell
  return rings_.size() * kOfRing + firsts_.capacity() * sizeof(std::uint32_t) +
         numbers_.size() * (sizeof(std::uint32_t) + kOfCarving);
}

}  // namespace repath
