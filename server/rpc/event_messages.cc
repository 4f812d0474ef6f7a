// The half of agent_messages.h that writes: events, batches and agents as clients see them.
#include <algorithm>
#include <span>

#include "rpc/agent_messages.h"
#include "rpc/route_messages.h"

namespace repath {
namespace {

v1::EventType to_type(EventType type) {
  switch (type) {
    case EventType::kNewPath:
      return v1::EVENT_TYPE_NEW_PATH;
    case EventType::kInvalidated:
      return v1::EVENT_TYPE_INVALIDATED;
    case EventType::kCostChanged:
      return v1::EVENT_TYPE_COST_CHANGED;
    case EventType::kReplanned:
      return v1::EVENT_TYPE_REPLANNED;
    case EventType::kImproved:
      return v1::EVENT_TYPE_IMPROVED;
    case EventType::kUnreachable:
      return v1::EVENT_TYPE_UNREACHABLE;
    case EventType::kPartial:
      return v1::EVENT_TYPE_PARTIAL;
    case EventType::kStartBlocked:
      return v1::EVENT_TYPE_START_BLOCKED;
    case EventType::kConfirmed:
      return v1::EVENT_TYPE_CONFIRMED;
    case EventType::kRemoved:
      return v1::EVENT_TYPE_REMOVED;
  }
  return v1::EVENT_TYPE_UNSPECIFIED;
}

v1::EventReason to_reason(EventReason reason) {
  switch (reason) {
    case EventReason::kNone:
      return v1::EVENT_REASON_UNSPECIFIED;
    case EventReason::kNewAgent:
      return v1::EVENT_REASON_NEW_AGENT;
    case EventReason::kAgentChanged:
      return v1::EVENT_REASON_AGENT_CHANGED;
    case EventReason::kOffPath:
      return v1::EVENT_REASON_OFF_PATH;
    case EventReason::kReachableAgain:
      return v1::EVENT_REASON_REACHABLE_AGAIN;
    case EventReason::kStartFreeAgain:
      return v1::EVENT_REASON_START_FREE_AGAIN;
    case EventReason::kRemovedByClient:
      return v1::EVENT_REASON_REMOVED_BY_CLIENT;
    case EventReason::kWorldDeleted:
      return v1::EVENT_REASON_WORLD_DELETED;
    case EventReason::kSessionExpired:
      return v1::EVENT_REASON_SESSION_EXPIRED;
  }
  return v1::EVENT_REASON_UNSPECIFIED;
}

v1::PathStatus to_status(PathState state) {
  switch (state) {
    case PathState::kComplete:
      return v1::PATH_STATUS_COMPLETE;
    case PathState::kPartial:
      return v1::PATH_STATUS_PARTIAL;
    case PathState::kUnreachable:
      return v1::PATH_STATUS_UNREACHABLE;
    case PathState::kStartBlocked:
      return v1::PATH_STATUS_START_BLOCKED;
    case PathState::kGoalBlocked:
      return v1::PATH_STATUS_GOAL_BLOCKED;
  }
  return v1::PATH_STATUS_UNSPECIFIED;
}

v1::Optimality to_optimality(Optimality optimality) {
  switch (optimality) {
    case Optimality::kOptimal:
      return v1::OPTIMALITY_OPTIMAL;
    case Optimality::kWithin:
      return v1::OPTIMALITY_WITHIN;
    case Optimality::kBounded:
      return v1::OPTIMALITY_BOUNDED;
    case Optimality::kValidOnly:
      return v1::OPTIMALITY_VALID_ONLY;
    case Optimality::kStale:
      return v1::OPTIMALITY_STALE;
  }
  return v1::OPTIMALITY_UNSPECIFIED;
}

void fill_path(const AgentPath& path, const MapSize& map, v1::Path* out) {
  out->set_status(to_status(path.state));
  out->set_revision(value(path.revision));
  out->set_path_version(value(path.version));
  if (path.nodes.empty() && path.points.empty()) return;
  out->set_cost(map.world_cost(path.cost));
  out->set_optimality(to_optimality(path.optimality));
  if (path.optimality == Optimality::kWithin) out->set_bound(map.world_cost(path.allowance));
  if (path.optimality == Optimality::kBounded) out->set_bound(path.weight);
  if (!map.has_cells) return fill_route(path.points, kPathWaypointsMax, out);
  fill_waypoints(path.nodes, map, /*every_cell=*/false, kPathWaypointsMax, out);
}

// World units; costs that are none (no path was held) stay 0.
double cost_or_zero(Cost cost, const MapSize& map) {
  return cost == kUnreachable ? 0 : map.world_cost(cost);
}

void fill_place(const MapPoint& point, v1::Location* out, const MapSize& map) {
  fill_point(point, map, out->mutable_position());
}

}  // namespace

void fill_event(const OutgoingEvent& outgoing, const MapSize& map, v1::PathEvent* out) {
  const AgentEvent& event = *outgoing.event;
  out->set_type(to_type(event.type));
  out->set_agent_id(value(event.agent));
  out->set_revision(value(event.revision));
  if (map.has_cells) {
    fill_cell(event.position, map, out->mutable_cell());
    fill_center(event.position, map, out->mutable_position());
  } else {
    fill_spot(event.spot, out->mutable_position());
  }
  if (event.path) fill_path(*event.path, map, out->mutable_path());
  out->set_path_version(value(event.path_version));
  for (const Revision revision : event.cause_revisions) out->add_cause_revisions(value(revision));
  for (const ObstacleId obstacle : event.cause_obstacles) out->add_cause_obstacles(value(obstacle));
  if (event.first_invalid_waypoint) {
    out->set_first_invalid_waypoint(static_cast<std::int32_t>(*event.first_invalid_waypoint));
  }
  out->set_old_cost(cost_or_zero(event.old_cost, map));
  out->set_cost(cost_or_zero(event.cost, map));
  out->set_waited_frames(event.waited_frames);
  out->set_waited_us(event.waited_us);
  out->set_reason(to_reason(event.reason));
  out->set_coalesced(outgoing.coalesced);
}

void fill_batch(const EventBatch& batch, const MapSize& map, const std::string& epoch,
                v1::EventBatch* out) {
  out->set_batch_number(batch.number);
  out->set_revision(value(batch.revision));
  out->set_settled_revision(value(batch.settled));
  out->set_applied_sequence(batch.applied_sequence);
  for (const OutgoingEvent& event : batch.events) fill_event(event, map, out->add_events());
  out->set_coalesced(batch.coalesced);
  out->set_waiting(batch.waiting);
  out->set_late(batch.late);
  out->set_frame(batch.frame);
  out->set_epoch(epoch);
}

void fill_agent_state(const AgentView& agent, bool with_path, const MapSize& map,
                      v1::AgentState* out) {
  const AgentSpec& spec = agent.spec;
  v1::Agent* message = out->mutable_agent();
  message->set_id(value(spec.id));
  message->set_profile(spec.profile);
  message->set_team(static_cast<std::uint32_t>(spec.team));
  fill_place(spec.position, message->mutable_position(), map);
  for (const MapPoint& goal : spec.goals) fill_place(goal, message->add_goals(), map);
  message->set_goal_radius(spec.goal_radius * map.cell_size);
  message->set_priority(spec.priority);
  message->set_max_staleness_ms(spec.max_staleness_ms);
  message->set_min_improvement_ratio(spec.min_improvement_ratio);
  message->set_allow_partial(spec.allow_partial);
  message->set_snap_start(spec.snap_start);
  message->set_confirm(spec.confirm);
  message->set_stands(spec.stands);
  if (agent.has_verdict) {
    // Borrowed, not owned: the view outlives the message's making.
    const EventPtr verdict(EventPtr(), &agent.verdict);
    fill_event({verdict, 0}, map, out->mutable_verdict());
    if (!with_path) {
      v1::Path* path = out->mutable_verdict()->mutable_path();
      path->clear_positions();
      path->clear_cells();
      path->clear_waypoints_left_out();
      path->clear_flags();
      path->clear_areas();
      path->clear_nodes();
      path->clear_links();
    }
  }
  out->set_waiting(agent.waiting);
  out->set_waiting_since(agent.waiting ? value(agent.waiting_since) : 0);
  out->set_settled_revision(value(agent.settled));
  if (map.has_cells) fill_cell(agent.node, map, out->mutable_cell());
  out->set_cost(cost_or_zero(agent.held_cost, map));
}

}  // namespace repath
