#include "grid_ground/driven_line.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/nearest_on_segment.h"
#include "grid/cells/place.h"
#include "grid/cells/ray.h"
#include "grid/cells/snap.h"

namespace repath {
namespace {

// Cells of a line that are looked back on for one that it comes to again.
constexpr std::size_t kLookBack = 4;

// The cells that a line passes, each beside the one before.
class CellsPassed {
 public:
  CellsPassed(const LineOfSight& sight, std::span<const MapPoint> points)
      : graph_(sight.graph), cells_{{place_of(points.front())}}, at_{0} {
    for (std::size_t i = 1; i < points.size(); ++i) {
      pass(points[i - 1], points[i]);
      at_.push_back(static_cast<std::uint32_t>(cells_.size() - 1));
    }
    // A cell that was come to again took the ones between with it.
    for (std::size_t i = at_.size() - 1; i > 0; --i) at_[i - 1] = std::min(at_[i - 1], at_[i]);
  }

  // Takes diagonal steps where two straight ones round a corner lead there.
  FoundLine path(std::vector<MapPoint> points) const {
    FoundLine found;
    std::vector<std::uint32_t> new_place(cells_.size());
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      new_place[i] = static_cast<std::uint32_t>(found.nodes.size());
      if (i > 0 && i + 1 < cells_.size() && is_cut(found.nodes.back(), i)) continue;
      found.nodes.push_back(node(i));
    }
    found.line.points = std::move(points);
    for (const std::uint32_t at : at_) found.line.at.push_back(new_place[at]);
    return found;
  }

 private:
  struct Passed {
    Place cell;
    double stay = 0;  // length of the line in it
  };

  void pass(MapPoint a, MapPoint b) {
    Ray ray(a, b);
    MapPoint last = a;
    const auto stay_until = [&](MapPoint to) {
      cells_.back().stay += std::sqrt(squared_distance(last, to));
      last = to;
    };
    while (!ray.at_end()) {
      const Ray::Crossing crossing = ray.next();
      stay_until(ray.meets(crossing));
      if (crossing == Ray::Crossing::kCorner && graph_.topology() == Topology::k4)
        add(ray.beyond_x());  // both cells beside the corner are free
      ray.cross(crossing);
      add(ray.at());
    }
    stay_until(b);
  }
  void add(Place cell) {
    const std::size_t first = cells_.size() > kLookBack ? cells_.size() - kLookBack : 0;
    for (std::size_t i = first; i < cells_.size(); ++i)
      if (cells_[i].cell == cell) return cells_.resize(i + 1);
    cells_.push_back({cell});
  }
  NodeId node(std::size_t i) const {
    return graph_.layer().node_at(cells_[i].cell.x, cells_[i].cell.y);
  }
  // Returns whether a step may leave the cell out.
  bool is_corner(std::size_t i) const {
    if (graph_.topology() != Topology::k8 || i == 0 || i + 1 >= cells_.size()) return false;
    const Place a = cells_[i - 1].cell;
    const Place c = cells_[i + 1].cell;
    return std::abs(a.x - c.x) == 1 && std::abs(a.y - c.y) == 1 &&
           graph_.cost_between(node(i - 1), node(i + 1)) != kUnreachable;
  }
  // Returns whether the step from `before`, the last cell kept, leaves cell i out. If two
  // corners follow each other, the one that less of the line lies in is left out.
  bool is_cut(NodeId before, std::size_t i) const {
    return before == node(i - 1) && is_corner(i) &&
           !(is_corner(i + 1) && cells_[i + 1].stay < cells_[i].stay);
  }

  GridGraph graph_;
  std::vector<Passed> cells_;
  std::vector<std::uint32_t> at_;  // of each point of the line: its cell
};

// Returns the first point of the line that lies ahead of nodes[from]; at least 1.
std::size_t point_ahead(const DrivenLine& line, std::uint32_t from) {
  const auto ahead = std::ranges::upper_bound(line.at, from);
  const auto k = static_cast<std::size_t>(ahead - line.at.begin());
  return std::clamp<std::size_t>(k, 1, line.at.size() - 1);
}

}  // namespace

std::optional<FoundLine> drive_cells(const LineOfSight& sight, std::span<const NodeId> nodes,
                                     double turning_radius) {
  constexpr double kDeviationMost = 0.05;  // cells
  const double deviation = std::min(kDeviationMost, turning_radius / 32);
  PulledPath pulled = pull_straight(sight, nodes, nullptr);
  if (pulled.points.size() == 1) return FoundLine{{{}, pulled.points, {0}}, {nodes.front()}};
  std::optional<DrivenWay> way =
      drive_over(sight, pulled.points, turning_radius, deviation, nullptr);
  if (!way) return std::nullopt;
  const CellsPassed passed(sight, way->points);
  FoundLine found = passed.path(std::move(way->points));
  for (std::size_t i = 1; i < found.nodes.size(); ++i)
    if (sight.graph.cost_between(found.nodes[i - 1], found.nodes[i]) == kUnreachable)
      return std::nullopt;
  return found;
}

std::vector<MapPoint> rest_of_line(const DrivenLine& line, const GridLayer& layer,
                                   std::span<const NodeId> nodes, std::uint32_t from,
                                   std::size_t* first) {
  if (first != nullptr) *first = line.points.size();
  if (from + 1 >= nodes.size() || line.points.size() < 2) return {line.points.back()};
  if (from == 0) {
    if (first != nullptr) *first = 1;
    return line.points;
  }
  const MapPoint centre = centre_of(place_of(layer, nodes[from]));
  const std::size_t k = point_ahead(line, from);
  // The line may have been at the cell from the point before last on.
  std::size_t next = k;
  MapPoint begin = line.points[k - 1];
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = k; i > 0 && i + 2 > k && line.at[i] >= from; --i) {
    const MapPoint a = line.points[i - 1];
    const MapPoint b = line.points[i];
    const NearestOnSegment near = nearest_on_segment(a.x, a.y, b.x, b.y, centre.x, centre.y);
    if (near.squared >= nearest) continue;
    nearest = near.squared;
    next = i;
    begin = {a.x + (b.x - a.x) * near.share, a.y + (b.y - a.y) * near.share};
  }
  if (first != nullptr) *first = next;
  std::vector<MapPoint> rest{begin};
  rest.insert(rest.end(), line.points.begin() + static_cast<std::ptrdiff_t>(next),
              line.points.end());
  return rest;
}

std::optional<std::uint32_t> place_on_line(const DrivenLine& line, const GridLayer& layer,
                                           std::span<const NodeId> nodes, std::uint32_t from,
                                           MapPoint point) {
  constexpr double kReachSquared = 0.25;
  std::size_t first = 0;
  const std::vector<MapPoint> rest = rest_of_line(line, layer, nodes, from, &first);
  std::optional<std::size_t> on;
  double least = kReachSquared;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const MapPoint a = rest[i];
    const MapPoint b = rest[std::min(i + 1, rest.size() - 1)];
    const NearestOnSegment near = nearest_on_segment(a.x, a.y, b.x, b.y, point.x, point.y);
    if (near.squared > least || (on && near.squared >= least)) {
      if (on) break;
      continue;
    }
    on = i;
    least = near.squared;
  }
  if (!on) return std::nullopt;
  // Between the points of the line: the cell that the point is in.
  const auto at = [&](std::size_t i) { return line.at[std::min(first + i, line.at.size()) - 1]; };
  const NodeId own = layer.node_at(place_of(point).x, place_of(point).y);
  const auto last = static_cast<std::uint32_t>(nodes.size() - 1);
  for (std::uint32_t i = std::max(from, at(*on)); i <= std::min(at(*on + 1) + 1, last); ++i)
    if (nodes[i] == own) return i;
  return std::nullopt;
}

std::optional<std::uint32_t> first_closed(const DrivenLine& line, const LineOfSight& sight,
                                          std::span<const NodeId> nodes, std::uint32_t from) {
  std::size_t first = 0;
  const std::vector<MapPoint> rest = rest_of_line(line, sight.graph.layer(), nodes, from, &first);
  const auto last = static_cast<std::uint32_t>(nodes.size() - 1);
  for (std::size_t i = 1; i < rest.size(); ++i)
    if (!cost_of_driving(sight, rest[i - 1], rest[i]))
      return std::clamp(line.at[first + i - 1], std::min(from + 1, last), last);
  return std::nullopt;
}

}  // namespace repath
