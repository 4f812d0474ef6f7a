#include "replan/positions.h"

#include <algorithm>
#include <cmath>

#include "grid/cells/snap.h"
#include "replan/settling.h"

namespace repath {
namespace {

constexpr double kHalfCellSquared = 0.25;

struct Near {
  double squared = 0;   // distance from the point to the segment
  bool to_end = false;  // its end is nearer than its beginning
};

Near near_segment(MapPoint a, MapPoint b, MapPoint p) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double length = dx * dx + dy * dy;
  double t = length > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length : 0;
  t = std::clamp(t, 0.0, 1.0);
  const double ex = a.x + t * dx - p.x;
  const double ey = a.y + t * dy - p.y;
  return {ex * ex + ey * ey, t > 0.5};
}

}  // namespace

std::optional<std::uint32_t> place_on_path(const GridLayer& layer, std::span<const NodeId> nodes,
                                           std::uint32_t from, MapPoint point) {
  const auto centre = [&](std::size_t i) { return centre_of(place_of(layer, nodes[i])); };
  const auto last = static_cast<std::uint32_t>(nodes.size() - 1);
  std::optional<std::uint32_t> best;
  double best_squared = kHalfCellSquared;
  for (std::uint32_t i = from; i <= last;) {
    const MapPoint a = centre(i);
    const Near near = near_segment(a, centre(std::min(i + 1, last)), point);
    if (near.squared <= kHalfCellSquared) {
      if (best && near.squared >= best_squared) break;
      best = near.to_end ? i + 1 : i;
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

void Positions::place(Slot slot, NodeId node) {
  s_.agents[slot].node = node;
  v_.set_origin(slot, node);
  v_.begin_search_anew(slot);
}

void Positions::acknowledge(Slot slot, PathVersion version) {
  Agent& agent = s_.agents[slot];
  std::erase_if(agent.past, [&](const PastPath& past) { return past.version < version; });
}

void Positions::report(Slot slot, MapPoint point, PathVersion follows) {
  Agent& agent = s_.agents[slot];
  const GridLayer& layer = s_.layer_of(slot);
  agent.spec.position = point;
  acknowledge(slot, std::min(follows, agent.last_version));
  if (agent.path.holds()) {
    const auto to = place_on_path(layer, agent.path.nodes, agent.path.at, point);
    if (to) return walk(slot, *to);
  }
  NodeId node = layer.node_at(place_of(point).x, place_of(point).y);
  bool follows_past = false;
  for (const PastPath& past : agent.past) {
    const auto to = place_on_path(layer, past.nodes, 0, point);
    if (!to || !layer.is_free(past.nodes[*to])) continue;
    node = past.nodes[*to];
    follows_past = true;
    break;
  }
  if (node == agent.node) return stay(slot);
  if (agent.path.holds()) return leave(slot, node, follows_past);
  move_without_path(slot, node);
}

// What is behind the agent is taken off its costs, as long as the path is whole.
void Positions::walk(Slot slot, std::uint32_t to) {
  Agent& agent = s_.agents[slot];
  AgentRow& row = s_.agents.row(slot);
  const NodeId node = agent.path.nodes[to];
  if (node == agent.node) return;
  if (to > agent.path.at && !agent.broken_at) {
    const auto steps =
        std::span<const NodeId>(agent.path.nodes).subspan(agent.path.at, to - agent.path.at + 1);
    const Cost walked = cost_of_open(s_.world.graph(row.view), steps);
    row.held -= walked;
    row.lower -= std::min(row.lower, walked);
  }
  agent.path.at = to;
  agent.node = node;
  v_.set_origin(slot, node);
  // On along a broken path into the obstacle.
  if (!s_.layer_of(slot).is_free(node)) v_.begin_search_anew(slot);
}

// In the same cell; if that is blocked, another free one may be nearest to the point now.
void Positions::stay(Slot slot) {
  const Agent& agent = s_.agents[slot];
  const GridLayer& layer = s_.layer_of(slot);
  if (!agent.spec.snap_start || layer.is_free(agent.node)) return;
  if (!s_.agents.row(slot).settled && !agent.path.holds()) return;  // found when its turn comes
  std::uint64_t cells = 0;
  const NodeId nearest =
      nearest_free_cell(layer, point_of(layer, agent), kSnapCellsMax, &cells).value_or(kNoNode);
  if (nearest == agent.origin) return;
  if (agent.path.holds()) return leave(slot, agent.node, /*follows_past=*/false);
  move_without_path(slot, agent.node);
}

void Positions::leave(Slot slot, NodeId node, bool follows_past) {
  Agent& agent = s_.agents[slot];
  v_.wait(slot, Revision{});
  if (follows_past) {
    v_.expect(slot, EventType::kReplanned, EventReason::kNone);
  } else {
    v_.expect(slot, EventType::kNewPath, EventReason::kOffPath);
  }
  v_.drop_path(slot);
  const bool was_snapped = agent.origin != agent.node;
  agent.node = node;
  v_.set_origin(slot, node);
  if (was_snapped || !s_.layer_of(slot).is_free(node)) v_.begin_search_anew(slot);
}

// Who could not reach a goal cannot reach it from where it can go itself.
void Positions::move_without_path(Slot slot, NodeId node) {
  Agent& agent = s_.agents[slot];
  const AgentRow& row = s_.agents.row(slot);
  const GridGraph graph = s_.world.graph(row.view);
  const NodeId before = agent.node;
  const bool is_free = graph.layer().is_free(node);
  const bool is_still_cut_off = row.settled && row.standing == Standing::kCutOff &&
                                graph.cost_between(before, node) != kUnreachable;
  const bool is_still_blocked =
      row.settled && row.standing == Standing::kStartBlocked && !is_free && !agent.spec.snap_start;
  agent.node = node;
  if (is_still_blocked) return v_.assure_from_now_on(slot);
  const bool was_on_ground = agent.origin == before;
  v_.set_origin(slot, node);
  if (is_still_cut_off) return v_.assure_from_now_on(slot);
  v_.wait(slot, Revision{});
  // Out of its obstacle: even if it goes back into one, what it was told before no longer counts.
  if (row.standing == Standing::kStartBlocked && is_free)
    v_.expect(slot, EventType::kNewPath, EventReason::kStartFreeAgain);
  if (!was_on_ground || !is_free) v_.begin_search_anew(slot);
}

}  // namespace repath
