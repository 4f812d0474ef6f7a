#include "grid_ground/positions.h"

#include <algorithm>
#include <cmath>

#include "base/nearest_on_segment.h"
#include "grid/cells/snap.h"
#include "grid_ground/grid_kind.h"
#include "grid_ground/settling.h"

namespace repath {
namespace {

constexpr double kHalfCellSquared = 0.25;

}  // namespace

std::optional<std::uint32_t> place_on_path(const GridLayer& layer, std::span<const NodeId> nodes,
                                           std::uint32_t from, MapPoint point) {
  const auto centre = [&](std::size_t i) { return centre_of(place_of(layer, nodes[i])); };
  const auto last = static_cast<std::uint32_t>(nodes.size() - 1);
  std::optional<std::uint32_t> best;
  double best_squared = kHalfCellSquared;
  for (std::uint32_t i = from; i <= last;) {
    const MapPoint a = centre(i);
    const MapPoint b = centre(std::min(i + 1, last));
    const NearestOnSegment near = nearest_on_segment(a.x, a.y, b.x, b.y, point.x, point.y);
    if (near.squared <= kHalfCellSquared) {
      if (best && near.squared >= best_squared) break;
      best = near.share > 0.5 ? i + 1 : i;
      best_squared = near.squared;
      ++i;
      continue;
    }
    if (best) break;
    const double cells = std::max(std::abs(a.x - point.x), std::abs(a.y - point.y));
    i += std::max(
        1u, static_cast<std::uint32_t>(cells) - std::min(2u, static_cast<std::uint32_t>(cells)));
  }
  return best;
}

void GridKind::put_at_position(State& s, Slot slot) {
  const Place place = place_of(s.agents[slot].spec.position);
  move_to(s, slot, s.layer_of(slot).node_at(place.x, place.y));
}

void GridKind::move_to(State& s, Slot slot, NodeId node) {
  s.agents[slot].node = node;
  set_origin(s, slot, node);
}

std::optional<std::uint32_t> GridKind::find_on_path(State& s, Slot slot) {
  const Agent& agent = s.agents[slot];
  const HeldPath& path = agent.path;
  const GridLayer& layer = s.layer_of(slot);
  const auto on = place_on_path(layer, path.points, path.at, agent.spec.position);
  const DrivenLine* const line = s.line_of(slot, path.version);
  if (on || line == nullptr) return on;
  return place_on_line(*line, layer, path.points, path.at, agent.spec.position);
}

// In the same cell; if that is blocked, another free one may be nearest to the point now.
bool GridKind::has_another_origin(const State& s, Slot slot) {
  const Agent& agent = s.agents[slot];
  const GridLayer& layer = s.layer_of(slot);
  if (!agent.spec.snap_start || layer.is_free(agent.node)) return false;
  if (!s.agents.row(slot).settled && !agent.path.holds()) return false;  // found at its turn
  std::uint64_t cells = 0;
  const NodeId nearest =
      nearest_free_cell(layer, point_of(layer, agent), kSnapCellsMax, &cells).value_or(kNoNode);
  return nearest != agent.origin;
}

std::optional<NodeId> GridKind::find_place(State& s, Slot slot, bool* follows_past) {
  const Agent& agent = s.agents[slot];
  const GridLayer& layer = s.layer_of(slot);
  const MapPoint point = agent.spec.position;
  NodeId node = layer.node_at(place_of(point).x, place_of(point).y);
  for (const PastPath<NodeId>& past : agent.past) {
    auto to = place_on_path(layer, past.points, 0, point);
    const DrivenLine* const line = s.line_of(slot, past.version);
    if (!to && line != nullptr) to = place_on_line(*line, layer, past.points, 0, point);
    if (!to || !layer.is_free(past.points[*to])) continue;
    node = past.points[*to];
    *follows_past = true;
    break;
  }
  if (node != agent.node) return node;
  *follows_past = false;
  return has_another_origin(s, slot) ? std::optional(node) : std::nullopt;
}

bool GridKind::can_step_to(const State& s, Slot slot, NodeId node) {
  return s.world.graph(s.agents.row(slot).view).cost_between(s.agents[slot].node, node) !=
         kUnreachable;
}

// Moves the agent along its path. Takes the part behind it off its costs, as long as the path is
// whole.
bool GridKind::walk(State& s, Slot slot, std::uint32_t to) {
  Agent& agent = s.agents[slot];
  AgentRow& row = s.agents.row(slot);
  const NodeId node = agent.path.points[to];
  if (node == agent.node) return false;
  if (to > agent.path.at && !agent.broken_at) {
    const auto steps =
        std::span<const NodeId>(agent.path.points).subspan(agent.path.at, to - agent.path.at + 1);
    const Cost walked = cost_of_open(s.world.graph(row.view), steps);
    row.held -= walked;
    row.lower -= std::min(row.lower, walked);
  }
  agent.path.at = to;
  move_to(s, slot, node);
  return !s.layer_of(slot).is_free(node);
}

}  // namespace repath
