#include "graph/obstacle_plan.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "base/error.h"
#include "geometry/grow.h"
#include "geometry/partition.h"
#include "geometry/shapes.h"

namespace repath {
namespace {

// Width of the obstacles around the outline. They only have to be there.
constexpr std::int32_t kFrameWidth = kLatticePerUnit;

// Reports the first corner whose edge meets another one that is not its neighbour, or lies on its
// neighbour.
absl::Status check_simple(const LatticeRing& ring, const std::string& field, WorkMeter* work) {
  const std::size_t n = ring.size();
  const auto fault = [&](std::size_t i, const std::string& what) {
    return invalid_field("PLAN_NOT_SIMPLE", item(field, i), what);
  };
  for (std::size_t i = 0; i < n; ++i)
    if (ring[i] == ring[(i + n - 1) % n])
      return fault(i, "this corner equals the one before it, rounded to 1/16 mm");
  for (std::size_t i = 0; i < n; ++i) {
    const LatticePoint before = ring[(i + n - 1) % n];
    const LatticePoint after = ring[(i + 1) % n];
    if (turn(before, ring[i], after) == 0 && onward(before, ring[i], after) <= 0)
      return fault(i, "the two edges at this corner lie on each other");
  }
  for (std::size_t i = 0; i + 2 < n; ++i) {
    if (!work->spend(n - i)) return work->error(field);
    const LatticeBox box = bounds_of(ring[i], ring[i + 1]);
    const std::size_t end = i == 0 ? n - 1 : n;
    for (std::size_t k = i + 2; k < end; ++k) {
      const LatticePoint next = ring[(k + 1) % n];
      if (box.meets(bounds_of(ring[k], next)) && segments_meet(ring[i], ring[i + 1], ring[k], next))
        return fault(i, "the edge from this corner meets the edge from " + item(field, k));
    }
  }
  return absl::OkStatus();
}

LatticeRing without_straight_corners(const LatticeRing& ring) {
  LatticeRing sharp;
  const std::size_t n = ring.size();
  for (std::size_t i = 0; i < n; ++i)
    if (turn(ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]) != 0) sharp.push_back(ring[i]);
  return sharp;
}

// Reads a plan ring by ring.
class ObstacleReader {
 public:
  explicit ObstacleReader(WorkMeter* work) : work_(*work) {}

  absl::Status read(const JsonObject& plan, bool needs_radius) {
    const Json* outer = nullptr;
    const Json* holes = nullptr;
    const std::optional<double> fallback = needs_radius ? std::nullopt : std::optional(0.0);
    if (auto s = plan.number("radius", 0, kPlanRadiusMax, fallback, &radius_); !s.ok()) return s;
    if (auto s = plan.list("outer", true, kVisibilityCornersMax, &outer); !s.ok()) return s;
    if (auto s = plan.list("holes", true, kVisibilityCornersMax, &holes); !s.ok()) return s;
    if (outer != nullptr) {
      const std::string field = plan.field("outer");
      if (auto s = read_ring(*outer, field, &made_.outer); !s.ok()) return s;
      if (auto s = surround(field); !s.ok()) return s;
    }
    for (std::size_t i = 0; holes != nullptr && i < holes->size(); ++i) {
      const std::string field = item(plan.field("holes"), i);
      LatticeRing ring;
      if (auto s = read_ring((*holes)[i], field, &ring); !s.ok()) return s;
      const std::uint32_t end[] = {static_cast<std::uint32_t>(ring.size())};
      if (auto s = add_pieces(ring, end, field); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

  ObstaclePlan take() { return std::move(made_); }

 private:
  // Reads a simple ring and turns it counterclockwise.
  absl::Status read_ring(const Json& value, const std::string& field, LatticeRing* ring) {
    if (!value.is_array() || value.size() < 3)
      return json_field_error(field, "must be a list of 3 or more corners");
    corners_ += value.size();
    if (corners_ > kVisibilityCornersMax)
      return make_error(absl::StatusCode::kResourceExhausted, "GRAPH_TOO_LARGE", field,
                        "a plan has at most " + std::to_string(kVisibilityCornersMax) + " corners");
    for (std::size_t i = 0; i < value.size(); ++i) {
      double xz[2];
      if (auto s = read_numbers(value[i], item(field, i), 2, kLatticeExtent, xz); !s.ok()) return s;
      ring->push_back(to_lattice({xz[0], xz[1]}));
    }
    if (auto s = check_simple(*ring, field, &work_); !s.ok()) return s;
    if (twice_area(*ring) < 0) std::ranges::reverse(*ring);
    return absl::OkStatus();
  }

  // Adds a frame around the outline, with the outline as its hole.
  absl::Status surround(const std::string& field) {
    const LatticeBox box = bounds_of(made_.outer).grown(kFrameWidth);
    if (!is_in_lattice(box.low) || !is_in_lattice(box.high))
      return make_error(
          absl::StatusCode::kOutOfRange, "OUTSIDE_LATTICE", field,
          "must lie at least 1 unit inside the extent of " + std::to_string(kLatticeExtent));
    LatticeRing frame{box.low, {box.high.x, box.low.z}, box.high, {box.low.x, box.high.z}};
    frame.insert(frame.end(), made_.outer.rbegin(), made_.outer.rend());
    const std::uint32_t ends[] = {4, static_cast<std::uint32_t>(frame.size())};
    return add_pieces(frame, ends, field);
  }

  // Cuts the region into convex pieces and adds each, grown.
  absl::Status add_pieces(const LatticeRing& points, std::span<const std::uint32_t> loop_ends,
                          const std::string& field) {
    if (!partitioner_.run(points, loop_ends, PartitionMethod::kShortestDiagonals, &partition_,
                          &work_))
      return work_.is_over()
                 ? work_.error(field)
                 : invalid_field("PLAN_NOT_SIMPLE", field, "cannot be cut into convex parts");
    std::uint32_t begin = 0;
    for (const std::uint32_t end : partition_.cell_ends) {
      LatticeRing piece;
      for (; begin < end; ++begin) piece.push_back(points[partition_.edges[begin].from]);
      piece = without_straight_corners(piece);
      // A shape that grows has a limited number of corners.
      while (piece.size() > kPolygonPointsMax) {
        const auto last = piece.begin() + kPolygonPointsMax;
        if (auto s = add_grown({piece.begin(), last}, field); !s.ok()) return s;
        piece.erase(piece.begin() + 1, last - 1);
      }
      if (auto s = add_grown(std::move(piece), field); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

  absl::Status add_grown(LatticeRing piece, const std::string& field) {
    if (!work_.spend(8 * (16 + piece.size()))) return work_.error(field);
    if (radius_ == 0) {
      made_.obstacles.push_back(std::move(piece));
      return absl::OkStatus();
    }
    Polygon polygon;
    for (const LatticePoint p : piece) polygon.points.push_back(to_point(p));
    auto rings = grow(polygon, radius_);
    if (!rings.ok())
      return make_error(rings.status().code(), error_reason(rings.status()), field,
                        std::string(rings.status().message()));
    for (LatticeRing& ring : *rings) made_.obstacles.push_back(std::move(ring));
    return absl::OkStatus();
  }

  WorkMeter& work_;
  double radius_ = 0;
  std::size_t corners_ = 0;
  ObstaclePlan made_;
  Partitioner partitioner_;
  Partition partition_;
};

}  // namespace

std::optional<LatticeBox> ObstaclePlan::bounds() const {
  return outer.empty() ? std::nullopt : std::optional(bounds_of(outer));
}

bool ObstaclePlan::is_open(const VisibilityMap& map, LatticePoint p) const {
  if (map.is_blocked(p)) return false;
  bool inside = outer.empty();
  for (std::size_t i = 0; i < outer.size(); ++i) {
    LatticePoint a = outer[i];
    LatticePoint b = outer[(i + 1) % outer.size()];
    if (turn(a, b, p) == 0 && bounds_of(a, b).holds(p)) return true;
    if (a.z > b.z) std::swap(a, b);
    if (a.z <= p.z && p.z < b.z && turn(a, b, p) < 0) inside = !inside;
  }
  return inside;
}

absl::StatusOr<ObstaclePlan> read_obstacle_plan(const JsonObject& plan, bool needs_radius,
                                                WorkMeter* work) {
  ObstacleReader reader(work);
  if (auto s = reader.read(plan, needs_radius); !s.ok()) return s;
  return reader.take();
}

}  // namespace repath
