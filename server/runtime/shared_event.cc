#include "runtime/shared_event.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace repath {
namespace {

constexpr std::size_t kSpot = 24;             // three doubles
constexpr std::size_t kId = 10;               // a varint
constexpr std::size_t kKey = 2;               // a varint of 8 bits
constexpr std::size_t kWaypoint = kSpot + 6;  // two varints
constexpr std::size_t kMarks = 2;             // flags and area of a point

}  // namespace

std::size_t fitting_points(std::span<const RoutePoint> points) {
  std::size_t bytes = kSpot + kMarks;  // of each point
  if (std::ranges::any_of(points, [](const auto& p) { return p.node != 0; })) bytes += kId;
  if (std::ranges::any_of(points, [](const auto& p) { return p.link.has_value(); })) bytes += kId;
  if (std::ranges::any_of(points, [](const auto& p) { return p.key != 0; })) bytes += kKey;
  return std::min({points.size(), kPathWaypointsMax, kPathBytesMax / bytes});
}

std::size_t fitting_line(std::size_t points, std::size_t waypoints) {
  return std::min({points, kPathWaypointsMax, (kPathBytesMax - kWaypoint * waypoints) / kSpot});
}

std::size_t estimated_bytes(const AgentEvent& event) {
  constexpr std::size_t kWithoutPath = 256;  // every field but those below
  constexpr std::size_t kCause = 10;         // a varint
  const std::size_t causes = event.cause_revisions.size() + event.cause_obstacles.size();
  const std::size_t fixed = kWithoutPath + kCause * causes;
  if (!event.path) return fixed;
  const std::vector<NodeId>& nodes = event.path->nodes;
  const std::size_t points = event.path->points.size();
  if (nodes.empty())
    return fixed + std::min((kSpot + kMarks + 2 * kId + kKey) * points, kPathBytesMax);
  std::size_t waypoints = std::min<std::size_t>(nodes.size(), 2);
  std::uint32_t step = 0;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const std::uint32_t next_step = index(nodes[i]) - index(nodes[i - 1]);
    if (i > 1 && next_step != step) ++waypoints;
    step = next_step;
  }
  waypoints = std::min(waypoints, kPathWaypointsMax);
  return fixed + kWaypoint * waypoints + kSpot * fitting_line(points, waypoints);
}

}  // namespace repath
