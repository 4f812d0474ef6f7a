#include "repath/values.h"

#include <algorithm>
#include <cstdlib>

namespace repath::client {

std::vector<Cell> cells_of(const Path& path) {
  std::vector<Cell> cells;
  for (const Waypoint& waypoint : path.waypoints) {
    if (cells.empty()) cells.push_back(waypoint.cell);
    const std::int32_t dx = waypoint.cell.x - cells.back().x;
    const std::int32_t dy = waypoint.cell.y - cells.back().y;
    const std::int32_t steps = std::max(std::abs(dx), std::abs(dy));
    const Cell from = cells.back();
    for (std::int32_t i = 1; i <= steps; ++i) {
      cells.push_back({from.x + dx / steps * i, from.y + dy / steps * i});
    }
  }
  return cells;
}

const char* name_of(EventType type) {
  switch (type) {
    case EventType::kUnspecified:
      break;
    case EventType::kNewPath:
      return "NEW_PATH";
    case EventType::kInvalidated:
      return "INVALIDATED";
    case EventType::kCostChanged:
      return "COST_CHANGED";
    case EventType::kReplanned:
      return "REPLANNED";
    case EventType::kImproved:
      return "IMPROVED";
    case EventType::kUnreachable:
      return "UNREACHABLE";
    case EventType::kPartial:
      return "PARTIAL";
    case EventType::kStartBlocked:
      return "START_BLOCKED";
    case EventType::kConfirmed:
      return "CONFIRMED";
    case EventType::kRemoved:
      return "REMOVED";
  }
  return "UNSPECIFIED";
}

const char* name_of(PathStatus status) {
  switch (status) {
    case PathStatus::kUnspecified:
      break;
    case PathStatus::kComplete:
      return "COMPLETE";
    case PathStatus::kPartial:
      return "PARTIAL";
    case PathStatus::kUnreachable:
      return "UNREACHABLE";
    case PathStatus::kStartBlocked:
      return "START_BLOCKED";
    case PathStatus::kGoalBlocked:
      return "GOAL_BLOCKED";
    case PathStatus::kOutOfBudget:
      return "OUT_OF_BUDGET";
    case PathStatus::kOutOfMemory:
      return "OUT_OF_MEMORY";
    case PathStatus::kTurnTooTight:
      return "TURN_TOO_TIGHT";
  }
  return "UNSPECIFIED";
}

}  // namespace repath::client
