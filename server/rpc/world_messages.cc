#include "rpc/world_messages.h"

#include <string>
#include <utility>

#include "base/error.h"
#include "base/sha256.h"
#include "rpc/batch_messages.h"
#include "world/limits.h"

namespace repath {
namespace {

void fill_bounds(const RouteBox& bounds, v1::World* out) {
  if (bounds.min_x > bounds.max_x) return;  // the ground is empty
  out->mutable_bounds_min()->set_x(bounds.min_x);
  out->mutable_bounds_min()->set_z(bounds.min_z);
  out->mutable_bounds_max()->set_x(bounds.max_x);
  out->mutable_bounds_max()->set_z(bounds.max_z);
}

// Returns the digest that distinguishes a repeated request from another request with its id. It
// covers the request's changes but neither its time nor its conditions, because a client that
// repeats itself after its change took effect may know a newer revision.
Sha256::Digest content_of(v1::ApplyChangesRequest request) {
  request.clear_request_id();
  request.clear_world();
  request.clear_expected_revision();
  request.clear_game_tick();
  return sha256(request.SerializeAsString());
}

}  // namespace

WorldTerms terms_of(const WorldFacts& facts) {
  return {facts.kind, facts.terrain, facts.default_topology};
}

void fill_options(const WorldSettings& settings, v1::WorldOptions* out) {
  out->set_frame_rate_hz(settings.frame.rate_hz);
  out->set_lockstep(settings.lockstep);
  out->set_frame_budget_work_units(settings.frame.budget_units);
  out->set_frame_budget_us(settings.frame.budget_us);
  out->set_strategy(to_message<v1::Strategy>(settings.strategy));
  out->set_history_revisions(static_cast<std::uint32_t>(settings.history_revisions));
  out->set_memory_limit_mb(settings.memory_mb);
  out->set_first_leg_cells(settings.first_leg_cells);
}

void fill_facts(const WorldFacts& facts, v1::World* out) {
  out->set_name(facts.name);
  out->set_kind(std::string(name_of(facts.kind)));
  out->set_width(facts.width);
  out->set_height(facts.height);
  out->set_cell_size(facts.cell_size);
  out->set_epoch(facts.epoch);
  for (const TerrainClass& terrain : facts.terrain)
    fill_terrain_class(terrain, out->add_terrain_classes());
  fill_options(facts.settings, out->mutable_options());
  if (!facts.is_grid()) fill_bounds(facts.bounds, out);
  out->set_base_radius(facts.base_radius);
}

void fill_world(const WorldInfo& info, v1::World* out) {
  const WorldFacts& facts = *info.facts;
  fill_facts(facts, out);
  out->set_revision(value(info.revision));
  out->set_state_hash(info.state_hash);
  for (const Profile& profile : info.profiles)
    fill_profile(profile, terms_of(facts), out->add_profiles());
  out->set_obstacles(info.obstacles);
  out->set_agents(info.agents);
  out->set_memory_bytes(info.memory_bytes);
  out->set_oldest_revision(value(info.oldest));
  if (!info.quarantine_reason.empty()) {
    out->set_state(v1::WORLD_STATE_QUARANTINED);
  } else {
    out->set_state(info.is_loaded ? v1::WORLD_STATE_SERVING : v1::WORLD_STATE_STORED);
  }
  out->set_quarantine_reason(info.quarantine_reason);
  fill_durable(info.durable, out);
}

absl::StatusOr<ApplyCommand> to_apply(const v1::ApplyChangesRequest& request,
                                      const WorldFacts& facts) {
  const Field field;
  REPATH_RETURN_IF_ERROR(check_length(request.request_id(), kRequestIdMax, field / "request_id"));
  ApplyCommand command;
  if (request.durability() != v1::DURABILITY_UNSPECIFIED) {
    REPATH_ASSIGN_OR_RETURN(command.durability,
                            (to_plain<v1::DURABILITY_APPLIED, Durability::kLocalDisk>(
                                request.durability(), field / "durability")));
  }
  REPATH_ASSIGN_OR_RETURN(command.changes.batch,
                          to_batch(request.batch(), terms_of(facts), field / "batch"));
  REPATH_RETURN_IF_ERROR(check_places(request.batch(), field / "batch"));
  command.batch_bytes = batch_bytes(request.batch());
  command.changes.request_id = request.request_id();
  if (!request.request_id().empty()) command.changes.content = content_of(request);
  if (request.has_expected_revision())
    command.changes.expected_revision = Revision{request.expected_revision()};
  command.game_tick = request.game_tick();
  return command;
}

absl::StatusOr<TestChanges> to_test(const v1::TestChangesRequest& request,
                                    const WorldFacts& facts) {
  const Field field;
  TestChanges command;
  REPATH_RETURN_IF_ERROR(check_count(request.pairs_size(), 0, 256, field / "pairs"));
  REPATH_RETURN_IF_ERROR(
      read_unless_zero(request.max_agents(), 0, 10'000, field / "max_agents", &command.max_agents));
  REPATH_RETURN_IF_ERROR(
      read_unless_zero(request.max_paths(), 0, 256, field / "max_paths", &command.max_paths));
  REPATH_ASSIGN_OR_RETURN(command.batch,
                          to_batch(request.batch(), terms_of(facts), field / "batch"));
  REPATH_RETURN_IF_ERROR(check_places(request.batch(), field / "batch"));
  if (request.has_expected_revision())
    command.expected_revision = Revision{request.expected_revision()};
  const auto read = [map = map_units(facts)](const v1::TestChangesRequest::Pair& pair,
                                             const Field& at) -> absl::StatusOr<TestChanges::Pair> {
    REPATH_ASSIGN_OR_RETURN(const MapPoint from, to_map_point(pair.from(), map, at / "from"));
    REPATH_ASSIGN_OR_RETURN(const MapPoint to, to_map_point(pair.to(), map, at / "to"));
    REPATH_ASSIGN_OR_RETURN(const TeamId team, to_team(pair.team(), at / "team"));
    return TestChanges::Pair{from, to, pair.profile().empty() ? "default" : pair.profile(), team};
  };
  REPATH_ASSIGN_OR_RETURN(command.pairs, read_list(request.pairs(), field / "pairs", read));
  return command;
}

void fill_applied(const ChangeAnswer& answer, v1::ApplyChangesResponse* out) {
  out->set_revision(value(answer.revision));
  out->set_state_hash(answer.state_hash);
  out->set_repeated_request(answer.repeated_request);
  out->set_changed_edges(answer.changed_edges);
  out->set_invalidated_agents(answer.invalidated_agents);
  out->set_waiting_agents(answer.waiting_agents);
}

void fill_tested(const TestAnswer& answer, v1::TestChangesResponse* out) {
  out->set_revision(value(answer.revision));
  for (const TestAnswer::PairResult& pair : answer.pairs) {
    auto* message = out->add_pairs();
    message->set_connected_before(pair.before);
    message->set_connected_after(pair.after);
  }
  for (const AgentId agent : answer.affected_agents) out->add_affected_agents(value(agent));
  for (const AgentId agent : answer.cut_off_agents) out->add_cut_off_agents(value(agent));
  out->set_truncated(answer.truncated);
  out->set_changed_edges(answer.changed_edges);
}

absl::Status check_epoch(const std::string& epoch, const WorldFacts& facts) {
  if (epoch.empty() || epoch == facts.epoch) return absl::OkStatus();
  return with_fact(make_error(absl::StatusCode::kFailedPrecondition, "EPOCH_CHANGED", "epoch",
                              "the history was lost and restarted with epoch '" + facts.epoch +
                                  "'; read the world again"),
                   "epoch", facts.epoch);
}

absl::Status fill_change(const LogRecord& record, v1::Change* out) {
  out->set_revision(value(record.revision));
  out->set_state_hash(record.state_hash);
  out->set_game_tick(record.game_tick);
  out->set_applied_at_us(record.applied_at);
  out->set_request_id(record.request_id);
  return read_batch(record.batch, out->mutable_batch());
}

}  // namespace repath
