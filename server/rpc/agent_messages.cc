#include "rpc/agent_messages.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "rpc/event_bytes.h"

namespace repath {
namespace {

// Checks that the value is above 0 and at most `most`.
absl::Status check_above_zero(double value, double most, const Field& field) {
  if (value != 0) return check_range(value, 0, most, field);
  return refuse(field, "OUT_OF_RANGE", "must be above 0");
}

absl::StatusOr<CrowdSpec> to_crowd(const v1::Crowd& message, const MapUnits& map,
                                   const Field& field) {
  if (!map.has_cells)
    return refuse(field, "KIND_UNSUITED", "is for grids: this world has no cells");
  REPATH_RETURN_IF_ERROR(check_above_zero(message.penalty(), kCrowdPenaltyMax, field / "penalty"));
  REPATH_RETURN_IF_ERROR(
      check_above_zero(message.radius(), kCrowdRadiusCellsMax * map.cell_size, field / "radius"));
  REPATH_RETURN_IF_ERROR(check_above_zero(message.max_detour(), 1, field / "max_detour"));
  return CrowdSpec{message.penalty(), message.radius() / map.cell_size, message.max_detour()};
}

// Reads the action of a message that does not open the session.
absl::StatusOr<decltype(SessionMessage::action)> to_action(const v1::SessionRequest& request,
                                                           const MapUnits& map) {
  const Field field;
  switch (request.action_case()) {
    case v1::SessionRequest::kOpen:
      return refuse(field / "open", "ALREADY_OPEN",
                    "only the first message of a stream opens the session");
    case v1::SessionRequest::kAcknowledge:
      return SessionMessage::Acknowledge{request.acknowledge().batch_number()};
    case v1::SessionRequest::kUpsert: {
      REPATH_ASSIGN_OR_RETURN(
          std::vector<AgentSpec> agents,
          to_agents(request.upsert().agents(), map, field / "upsert" / "agents"));
      return SessionMessage::Upsert{std::move(agents), request.upsert().take_over(), {}};
    }
    case v1::SessionRequest::kReport: {
      REPATH_ASSIGN_OR_RETURN(
          std::vector<PositionReport> positions,
          to_reports(request.report().positions(), map, field / "report" / "positions"));
      return SessionMessage::Report{std::move(positions)};
    }
    case v1::SessionRequest::kRemove: {
      REPATH_ASSIGN_OR_RETURN(
          std::vector<AgentId> ids,
          to_ids(request.remove().agent_ids(), 1, kReportsMax, field / "remove" / "agent_ids"));
      return SessionMessage::Remove{std::move(ids)};
    }
    case v1::SessionRequest::ACTION_NOT_SET:
      break;
  }
  return refuse(field / "action", "ACTION_MISSING",
                "must be one of acknowledge, upsert, report and remove");
}

// Reads the event back from the bytes that streams would send.
void fill_event(const AgentEvent& event, const MapUnits& map, v1::PathEvent* out) {
  const std::vector<std::uint8_t> bytes = event_bytes(event, map);
  REPATH_CHECK(out->ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
}

}  // namespace

absl::StatusOr<AgentSpec> to_agent(const v1::Agent& message, const MapUnits& map,
                                   const Field& field) {
  AgentSpec spec;
  spec.id = AgentId{message.id()};
  if (!message.profile().empty()) spec.profile = message.profile();
  REPATH_ASSIGN_OR_RETURN(spec.team, to_team(message.team(), field / "team"));
  REPATH_ASSIGN_OR_RETURN(spec.position, to_map_point(message.position(), map, field / "position"));
  REPATH_RETURN_IF_ERROR(
      check_count(message.goals_size(), 1, static_cast<int>(kAgentGoalsMax), field / "goals"));
  REPATH_ASSIGN_OR_RETURN(spec.goals, to_map_points(message.goals(), map, field / "goals"));
  REPATH_ASSIGN_OR_RETURN(spec.goal_radius,
                          to_goal_radius(message.goal_radius(), map, field / "goal_radius"));
  REPATH_RETURN_IF_ERROR(check_range(message.priority(), 0, kPriorityMax, field / "priority"));
  spec.priority = message.priority();
  REPATH_RETURN_IF_ERROR(read_unless_zero(message.max_staleness_ms(), 0, kMaxStalenessMs,
                                          field / "max_staleness_ms", &spec.max_staleness_ms));
  REPATH_RETURN_IF_ERROR(
      check_range(message.min_improvement_ratio(), 0, 1, field / "min_improvement_ratio"));
  spec.min_improvement_ratio = message.min_improvement_ratio();
  spec.allow_partial = message.allow_partial();
  spec.snap_start = message.snap_start();
  spec.confirm = message.confirm();
  if (message.stands() && !map.has_cells)
    return refuse(field / "stands", "KIND_UNSUITED", "is for grids: this world has no bodies");
  spec.stands = message.stands();
  if (message.curves() && map.is_graph)
    return refuse(field / "curves", "KIND_UNSUITED",
                  "is for grids and meshes: agents on a graph turn at its nodes");
  spec.curves = message.curves();
  spec.goal_generation = message.goal_generation();
  if (message.has_crowd()) {
    REPATH_ASSIGN_OR_RETURN(spec.crowd, to_crowd(message.crowd(), map, field / "crowd"));
  }
  return spec;
}

absl::StatusOr<std::vector<AgentSpec>> to_agents(
    const google::protobuf::RepeatedPtrField<v1::Agent>& messages, const MapUnits& map,
    const Field& field) {
  REPATH_RETURN_IF_ERROR(check_count(messages.size(), 1, kUpsertsMax, field));
  return read_list(messages, field, [&map](const v1::Agent& message, const Field& at) {
    return to_agent(message, map, at);
  });
}

absl::StatusOr<std::vector<PositionReport>> to_reports(
    const google::protobuf::RepeatedPtrField<v1::AgentPosition>& messages, const MapUnits& map,
    const Field& field) {
  REPATH_RETURN_IF_ERROR(check_count(messages.size(), 1, kReportsMax, field));
  const auto read = [&map](const v1::AgentPosition& message,
                           const Field& at) -> absl::StatusOr<PositionReport> {
    REPATH_ASSIGN_OR_RETURN(const MapPoint position,
                            to_map_point(message.position(), map, at / "position"));
    return PositionReport{AgentId{message.id()}, position, PathVersion{message.path_version()}};
  };
  return read_list(messages, field, read);
}

absl::StatusOr<std::vector<AgentId>> to_ids(
    const google::protobuf::RepeatedField<std::uint64_t>& ids, int least, int most,
    const Field& field) {
  REPATH_RETURN_IF_ERROR(check_count(ids.size(), least, most, field));
  std::vector<AgentId> agents;
  agents.reserve(place(ids.size()));
  for (const std::uint64_t id : ids) agents.push_back(AgentId{id});
  return agents;
}

absl::StatusOr<SessionProof> to_proof(const std::string& secret, std::string identity,
                                      const Field& field) {
  constexpr std::size_t kSecretBytesMax = 64;
  REPATH_RETURN_IF_ERROR(check_length(secret, kSecretBytesMax, field));
  SessionProof proof{std::nullopt, std::move(identity)};
  if (!secret.empty()) proof.secret = sha256(secret);
  return proof;
}

absl::StatusOr<SessionOpen> to_open(const v1::SessionRequest& request, const Limits& limits) {
  const Field field = Field() / "open";
  if (!request.has_open())
    return refuse(field, "OPEN_MISSING", "must be the first message of a session");
  const v1::SessionRequest::Open& open = request.open();
  if (!open.session_id().empty())
    REPATH_RETURN_IF_ERROR(check_name(open.session_id(), field / "session_id"));
  const std::uint64_t ttl_ms_max = limits.session_ttl_max_s * 1000;
  REPATH_RETURN_IF_ERROR(
      check_range(open.session_ttl_ms(), 0, ttl_ms_max, field / "session_ttl_ms"));
  SessionOpen session{open.session_id()};
  session.ttl_us = std::min(session.ttl_us, Micros{ttl_ms_max} * 1000);
  REPATH_ASSIGN_OR_RETURN(session.proof,
                          to_proof(open.session_secret(), "", field / "session_secret"));
  REPATH_RETURN_IF_ERROR(
      read_unless_zero(open.ack_window(), 0, 16, field / "ack_window", &session.ack_window));
  if (open.session_ttl_ms() != 0) session.ttl_us = Micros{open.session_ttl_ms()} * 1000;
  session.sequence = request.sequence();
  return session;
}

std::vector<std::string> agent_bytes(
    const google::protobuf::RepeatedPtrField<v1::Agent>& messages) {
  std::vector<std::string> bytes;
  bytes.reserve(place(messages.size()));
  for (const v1::Agent& message : messages) bytes.push_back(message.SerializeAsString());
  return bytes;
}

SessionMessage to_session_message(const v1::SessionRequest& request, const MapUnits& map,
                                  bool keeps_bytes) {
  auto action = to_action(request, map);
  if (!action.ok()) return {request.sequence(), SessionMessage::Refused{action.status()}};
  if (auto* upsert = std::get_if<SessionMessage::Upsert>(&*action);
      upsert != nullptr && keeps_bytes)
    upsert->bytes = agent_bytes(request.upsert().agents());
  return {request.sequence(), *std::move(action)};
}

void fill_agent_state(const AgentView& agent, const MapUnits& map, v1::AgentState* out) {
  const AgentSpec& spec = agent.spec;
  v1::Agent* message = out->mutable_agent();
  message->set_id(value(spec.id));
  message->set_profile(spec.profile);
  message->set_team(static_cast<std::uint32_t>(spec.team));
  fill_point(spec.position, map, message->mutable_position()->mutable_position());
  for (const MapPoint& goal : spec.goals)
    fill_point(goal, map, message->add_goals()->mutable_position());
  message->set_goal_radius(spec.goal_radius * map.cell_size);
  message->set_priority(spec.priority);
  message->set_max_staleness_ms(spec.max_staleness_ms);
  message->set_min_improvement_ratio(spec.min_improvement_ratio);
  message->set_allow_partial(spec.allow_partial);
  message->set_snap_start(spec.snap_start);
  message->set_confirm(spec.confirm);
  message->set_stands(spec.stands);
  message->set_curves(spec.curves);
  message->set_goal_generation(spec.goal_generation);
  if (spec.crowd) {
    message->mutable_crowd()->set_penalty(spec.crowd->penalty);
    message->mutable_crowd()->set_radius(spec.crowd->radius * map.cell_size);
    message->mutable_crowd()->set_max_detour(spec.crowd->max_detour);
  }
  if (agent.has_verdict) fill_event(agent.verdict, map, out->mutable_verdict());
  out->set_waiting(agent.waiting);
  out->set_waiting_since(agent.waiting ? value(agent.waiting_since) : 0);
  out->set_settled_revision(value(agent.settled));
  if (map.has_cells) fill_cell(agent.node, map, out->mutable_cell());
  out->set_cost(map.cost_or_zero(agent.held_cost));
  out->set_position_age_ms((agent.position_age_us + 999) / 1000);
}

void fill_past_verdicts(const PastVerdicts& past, std::uint32_t limit, const MapUnits& map,
                        v1::ListVerdictsResponse* out) {
  constexpr std::size_t kBytesMax = 2u << 20;
  const auto& entries = past.entries;
  std::size_t first = entries.size();
  std::size_t bytes = 0;
  while (first > 0 && entries.size() - first < limit) {
    bytes += estimated_bytes(*entries[first - 1].event);
    if (bytes > kBytesMax && first < entries.size()) break;
    --first;
  }
  for (; first < entries.size(); ++first) {
    fill_event(*entries[first].event, map, out->add_verdicts());
    const Micros age = past.now - std::min(past.now, entries[first].at);
    out->add_ages_ms(static_cast<std::uint64_t>(age) / 1000);
  }
}

}  // namespace repath
