#include "runtime/shared_event.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace repath {

std::size_t estimated_bytes(const AgentEvent& event) {
  constexpr std::size_t kWithoutPath = 256;    // every field but those below
  constexpr std::size_t kCause = 10;           // a varint
  constexpr std::size_t kWaypoint = 24 + 6;    // three doubles, two varints
  constexpr std::size_t kPoint = 24 + 24 + 2;  // three doubles, two ids, flags and area
  const std::size_t causes = event.cause_revisions.size() + event.cause_obstacles.size();
  const std::size_t fixed = kWithoutPath + kCause * causes;
  if (!event.path) return fixed;
  if (const std::size_t points = event.path->points.size(); points > 0)
    return fixed + kPoint * std::min(points, kPathWaypointsMax);
  const std::vector<NodeId>& nodes = event.path->nodes;
  std::size_t waypoints = std::min<std::size_t>(nodes.size(), 2);
  std::uint32_t step = 0;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const std::uint32_t next_step = index(nodes[i]) - index(nodes[i - 1]);
    if (i > 1 && next_step != step) ++waypoints;
    step = next_step;
  }
  return fixed + kWaypoint * std::min(waypoints, kPathWaypointsMax);
}

}  // namespace repath
