#include "grid_ground/grid_kind.h"

#include <algorithm>

#include "grid_ground/replanner.h"

namespace repath {
namespace {

constexpr std::uint64_t kNodesSinceFoundMax = 256;

// Returns the number of the path's straight run that the step to nodes[node] belongs to, counted
// from 1; 0 for the first node. O(node).
std::uint32_t waypoint_of(const GridLayer& layer, std::span<const NodeId> nodes,
                          std::uint32_t node) {
  std::uint32_t runs = 0;
  // On maps of three columns and more a step's difference of numbers tells its direction.
  if (layer.width() > 2) {
    const auto step = [&](std::uint32_t i) { return index(nodes[i]) - index(nodes[i - 1]); };
    for (std::uint32_t i = 2; i <= node; ++i) runs += step(i) != step(i - 1) ? 1 : 0;
    return runs + (node > 0 ? 1 : 0);
  }
  Place at = place_of(layer, nodes[0]);
  Place direction;
  for (std::uint32_t i = 1; i <= node; ++i) {
    const Place next = place_of(layer, nodes[i]);
    const Place turned{next.x - at.x, next.y - at.y};
    runs += turned != direction ? 1 : 0;
    direction = turned;
    at = next;
  }
  return runs;
}

std::uint64_t bytes_of(const DrivenLines& lines) {
  std::uint64_t bytes = 0;
  for (const auto& [slot, of] : lines)
    for (const DrivenLine& line : of)
      bytes += sizeof line + line.points.capacity() * sizeof(MapPoint) +
               line.at.capacity() * sizeof(std::uint32_t);
  return bytes;
}

}  // namespace

void GridKind::forget_goals(State& s, Slot slot) {
  Agent& agent = s.agents[slot];
  agent.search.reset();
  agent.proved_paths.clear();
}

void GridKind::forget_agent(State& s, Slot slot) {
  s.index.remove(slot);
  s.agents[slot].search.reset();
  s.lines.erase(slot);
}

// Returns how many nodes both paths have in common at their end. Only the part of the held path
// ahead of the agent counts.
std::size_t GridKind::replace_path(State& s, Slot slot, const std::vector<NodeId>& nodes) {
  const HeldPath& held = s.agents[slot].path;
  const auto [other, own] = std::mismatch(nodes.rbegin(), nodes.rend(), held.points.rbegin(),
                                          held.points.rend() - held.at);
  return static_cast<std::size_t>(other - nodes.rbegin());
}

void GridKind::set_origin(State& s, Slot slot, NodeId origin) {
  Agent& agent = s.agents[slot];
  agent.origin = origin;
  if (origin != kNoNode) s.agents.row(slot).origin = place_of(s.layer_of(slot), origin);
  if (is_off_ground(agent)) {
    s.off_ground.insert(slot);
  } else {
    s.off_ground.erase(slot);
  }
}

void GridKind::show_break(const State& s, Slot slot, AgentEvent* event) {
  const Agent& agent = s.agents[slot];
  event->first_invalid_node = *agent.broken_at;
  event->first_invalid_waypoint =
      waypoint_of(s.layer_of(slot), agent.path.points, *agent.broken_at);
}

void GridKind::show_rest(const State& s, Slot slot, AgentPath* path) {
  const HeldPath& held = s.agents[slot].path;
  path->nodes.assign(held.points.begin() + held.at, held.points.end());
  show_line(s, slot, path);
}

void GridKind::show_line(const State& s, Slot slot, AgentPath* path) {
  const HeldPath& held = s.agents[slot].path;
  const DrivenLine* const line = s.line_of(slot, held.version);
  if (line == nullptr) return;
  path->points.clear();
  for (const MapPoint point : rest_of_line(*line, s.layer_of(slot), held.points, held.at))
    path->points.push_back({{point.x, 0, point.y}});
}

std::uint32_t GridKind::waypoints_behind(const State& s, Slot slot) {
  const std::vector<NodeId>& nodes = s.agents[slot].path.points;
  const std::uint32_t at = s.agents[slot].path.at;
  if (at == 0) return 0;
  const bool is_at_end = at + 1 == nodes.size();
  return is_at_end ? waypoint_of(s.layer_of(slot), nodes, at)
                   : waypoint_of(s.layer_of(slot), nodes, at + 1) - 1;
}

void GridKind::claim_found(const State& s, Slot slot, AgentPath* path) {
  const AgentRow& row = s.agents.row(slot);
  if (s.agents[slot].path.found_from > 0) {  // it keeps clear of others first
    path->optimality = Optimality::kBounded;
    path->weight = static_cast<double>(row.held) / static_cast<double>(row.lower);
  } else if (row.lower < row.held) {
    path->optimality = Optimality::kWithin;
    path->allowance = row.allowance;
  }
}

// How much silence allows follows from the spec, unless its path keeps clear of others or is
// driven.
void GridKind::claim_today(const State& s, Slot slot, AgentPath* path) {
  const AgentRow& row = s.agents.row(slot);
  const AgentSpec& spec = s.agents[slot].spec;
  const bool is_exact = (!spec.crowd && !spec.curves) || row.allowance == 0;
  const bool is_optimal = row.lower >= row.held && is_exact;
  path->optimality = is_optimal ? Optimality::kOptimal : Optimality::kWithin;
  path->allowance = is_optimal ? 0 : row.allowance;
  path->weight = 1;
}

void GridKind::add_stats(const State& s, Stats* stats) {
  stats->search_state_bytes = s.search_memory.bytes() + s.clusters.bytes() + s.leg_bytes;
  stats->fields = s.goals.fields();
}

std::uint64_t GridKind::shared_bytes(const State& s) {
  return s.search_memory.bytes() + s.log.bytes() + s.index.bytes() + s.reach.bytes() +
         s.search_memory.idle().bytes() + s.clusters.bytes() + s.leg_bytes + bytes_of(s.lines);
}

std::uint64_t GridKind::memory_bytes(const Agent& agent) {
  std::uint64_t bytes = 0;
  for (const ProvedPath& path : agent.proved_paths) bytes += path.nodes.capacity() * sizeof(NodeId);
  return bytes;
}

void remember_path(ReplanState& s, Slot slot, Revision revision, Cost cost, Cost lower) {
  if (!s.recalls_paths(slot)) return;
  Agent& agent = s.agents[slot];
  const HeldPath& path = agent.path;
  const ViewId view = s.agents.row(slot).view;
  if (agent.proved_paths.size() == Agent::kProvedPathsMax)
    agent.proved_paths.erase(agent.proved_paths.begin());
  const auto from = [&](std::uint32_t i) { return path.points.begin() + i; };
  if (s.log.covers(view, path.found_at) &&
      s.log.changed_nodes_after(view, path.found_at) <= kNodesSinceFoundMax) {
    agent.proved_paths.push_back({{from(path.found_from), path.points.end()},
                                  path.found_cost,
                                  path.found_cost,
                                  path.found_at});
  } else {
    agent.proved_paths.push_back({{from(path.at), path.points.end()}, cost, lower, revision});
  }
}

template class AgentBook<GridKind>;

}  // namespace repath
