#include "engine/validate.h"

#include <cmath>
#include <set>
#include <string>
#include <string_view>

#include "base/error.h"

namespace repath {
namespace {

absl::Status check_range(double v, double most, const std::string& field, std::string_view limit) {
  if (!std::isfinite(v)) return invalid_field("NOT_FINITE", field, "must be a finite number");
  if (v < 0 || v > most) return invalid_field("OUT_OF_RANGE", field, limit);
  return absl::OkStatus();
}

absl::Status check_goals(const AgentSpec& agent, const AgentRules& rules, const std::string& here) {
  const std::string field = here + ".goals";
  if (agent.goals.empty()) return invalid_field("GOALS_MISSING", field, "must have 1 to 16 goals");
  if (agent.goals.size() > kAgentGoalsMax)
    return invalid_field("OUT_OF_RANGE", field, "must have at most 16 goals");
  for (std::size_t i = 0; i < agent.goals.size(); ++i)
    REPATH_RETURN_IF_ERROR(check_point(agent.goals[i], rules, item(field, i)));
  return check_range(agent.goal_radius, kGoalRadiusCellsMax, here + ".goal_radius",
                     "must be in [0, 64] cell sizes");
}

// Checks that the value is above 0 and at most `most`.
absl::Status check_above_zero(double v, double most, const std::string& field,
                              std::string_view limit) {
  if (v == 0) return invalid_field("OUT_OF_RANGE", field, limit);
  return check_range(v, most, field, limit);
}

absl::Status check_crowd(const CrowdSpec& crowd, const AgentRules& rules, const std::string& here) {
  if (!rules.has_cells())
    return invalid_field("KIND_UNSUITED", here, "is for grids: this world has no cells");
  REPATH_RETURN_IF_ERROR(
      check_above_zero(crowd.penalty, kCrowdPenaltyMax, here + ".penalty", "must be in (0, 16]"));
  REPATH_RETURN_IF_ERROR(check_above_zero(crowd.radius, kCrowdRadiusCellsMax, here + ".radius",
                                          "must be in (0, 64] cell sizes"));
  return check_above_zero(crowd.max_detour, 1, here + ".max_detour", "must be in (0, 1]");
}

absl::Status check_curves(const Profile& profile, WorldKind kind, const std::string& here) {
  if (kind == WorldKind::kGraph) return unsuited(here, kind);
  if (profile.turning_radius > 0) return absl::OkStatus();
  return invalid_field("SMOOTHING_UNSUITED", here, "needs a profile with a turning_radius above 0");
}

absl::Status check_agent(const AgentSpec& agent, const AgentRules& rules, const std::string& here) {
  const Profile* const profile = find_profile(rules.profiles(), agent.profile);
  if (profile == nullptr)
    return make_error(absl::StatusCode::kNotFound, "PROFILE_UNKNOWN", here + ".profile",
                      "this world has no profile of that name; GetWorld lists them");
  if (static_cast<int>(agent.team) >= kTeams)
    return invalid_field("OUT_OF_RANGE", here + ".team", "must be in [0, 32)");
  REPATH_RETURN_IF_ERROR(check_point(agent.position, rules, here + ".position"));
  REPATH_RETURN_IF_ERROR(check_goals(agent, rules, here));
  if (agent.priority > kPriorityMax)
    return invalid_field("OUT_OF_RANGE", here + ".priority", "must be in [0, 7]");
  if (agent.max_staleness_ms > kMaxStalenessMs)
    return invalid_field("OUT_OF_RANGE", here + ".max_staleness_ms", "must be in [0, 3600000]");
  if (agent.curves) REPATH_RETURN_IF_ERROR(check_curves(*profile, rules.kind(), here + ".curves"));
  if (agent.curves && agent.crowd)
    return invalid_field("OPTIONS_CONFLICT", here + ".curves", "does not go with crowd");
  if (agent.crowd) REPATH_RETURN_IF_ERROR(check_crowd(*agent.crowd, rules, here + ".crowd"));
  return check_range(agent.min_improvement_ratio, 1, here + ".min_improvement_ratio",
                     "must be in [0, 1]");
}

}  // namespace

absl::Status check_point(MapPoint p, const AgentRules& rules, const std::string& field) {
  if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.height))
    return invalid_field("NOT_FINITE", field, "must be finite numbers");
  return rules.check_on_map(p, field);
}

absl::Status check_agents(std::span<const AgentSpec> agents, const AgentRules& rules) {
  std::set<AgentId> ids;
  for (std::size_t i = 0; i < agents.size(); ++i) {
    const std::string here = item("agents", i);
    if (!ids.insert(agents[i].id).second)
      return invalid_field("DUPLICATE_ID", here + ".id", "is in the list twice; give each id once");
    REPATH_RETURN_IF_ERROR(check_agent(agents[i], rules, here));
  }
  return absl::OkStatus();
}

absl::Status check_positions(std::span<const PositionReport> positions, const AgentRules& rules) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::string field = item("positions", i) + ".position";
    REPATH_RETURN_IF_ERROR(check_point(positions[i].position, rules, field));
  }
  return absl::OkStatus();
}

}  // namespace repath
