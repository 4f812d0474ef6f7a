#include "rpc/world_messages.h"

#include <string>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "grid/map_import.h"
#include "rpc/batch_messages.h"
#include "world/codec.h"
#include "world/limits.h"

namespace repath {
namespace {

constexpr std::size_t kRequestIdMax = 128;
constexpr double kWorkUnitsMax = 1e12;

absl::StatusOr<Strategy> to_strategy(v1::Strategy message, const Field& field) {
  switch (message) {
    case v1::STRATEGY_UNSPECIFIED:
    case v1::STRATEGY_AUTO:
      return Strategy::kAuto;
    case v1::STRATEGY_ASTAR:
      return Strategy::kAStar;
    case v1::STRATEGY_LPA:
      return Strategy::kLpa;
    case v1::STRATEGY_DSTAR_LITE:
      return Strategy::kDStarLite;
    case v1::STRATEGY_FIELD:
      return Strategy::kField;
    default:
      return unknown_enum(message, field);
  }
}

v1::Strategy from_strategy(Strategy strategy) {
  switch (strategy) {
    case Strategy::kAuto:
      return v1::STRATEGY_AUTO;
    case Strategy::kAStar:
      return v1::STRATEGY_ASTAR;
    case Strategy::kLpa:
      return v1::STRATEGY_LPA;
    case Strategy::kDStarLite:
      return v1::STRATEGY_DSTAR_LITE;
    case Strategy::kField:
      return v1::STRATEGY_FIELD;
  }
  return v1::STRATEGY_UNSPECIFIED;
}

// 0 stands for the server's default and is always in range.
absl::Status check_or_zero(std::uint64_t value, std::uint64_t least, std::uint64_t most,
                           const Field& field) {
  return value == 0 ? absl::OkStatus() : check_range(value, least, most, field);
}

absl::StatusOr<WorldSettings> to_settings(const v1::WorldOptions& message, WorldSettings settings,
                                          const Field& field) {
  REPATH_RETURN_IF_ERROR(check_range(message.frame_rate_hz(), 0, 1000, field / "frame_rate_hz"));
  REPATH_RETURN_IF_ERROR(check_or_zero(message.frame_budget_work_units(), 64,
                                       static_cast<std::uint64_t>(kWorkUnitsMax),
                                       field / "frame_budget_work_units"));
  REPATH_RETURN_IF_ERROR(
      check_or_zero(message.frame_budget_us(), 50, 10'000'000, field / "frame_budget_us"));
  REPATH_RETURN_IF_ERROR(
      check_or_zero(message.history_revisions(), 1, 1'000'000, field / "history_revisions"));
  REPATH_RETURN_IF_ERROR(
      check_or_zero(message.memory_limit_mb(), 1, 1'000'000, field / "memory_limit_mb"));
  const auto strategy = to_strategy(message.strategy(), field / "strategy");
  if (!strategy.ok()) return strategy.status();
  settings.strategy = *strategy;
  settings.lockstep = message.lockstep();
  // A period is kept in whole microseconds, and at least one frame comes in an hour.
  if (message.frame_rate_hz() > 0)
    settings.frame.rate_hz = std::max(message.frame_rate_hz(), 1.0 / 3600);
  settings.frame.budget_units = message.frame_budget_work_units();
  if (message.frame_budget_us() != 0) settings.frame.budget_us = message.frame_budget_us();
  if (message.history_revisions() != 0) settings.history_revisions = message.history_revisions();
  if (message.memory_limit_mb() != 0) settings.memory_mb = message.memory_limit_mb();
  return settings;
}

absl::StatusOr<TerrainTable> to_terrain_table(const v1::CreateWorldRequest& request,
                                              const Field& field) {
  if (request.terrain_classes_size() == 0) return default_terrain();
  REPATH_RETURN_IF_ERROR(check_count(request.terrain_classes_size(), 1,
                                     static_cast<int>(kTerrainClassesMax),
                                     field / "terrain_classes"));
  TerrainTable table;
  for (int i = 0; i < request.terrain_classes_size(); ++i) {
    const Field at = (field / "terrain_classes")[static_cast<std::size_t>(i)];
    auto terrain = to_terrain_class(request.terrain_classes(i), at);
    if (!terrain.ok()) return terrain.status();
    table.push_back(*std::move(terrain));
  }
  return table;
}

absl::StatusOr<std::vector<Profile>> to_profiles(const v1::CreateWorldRequest& request,
                                                 const TerrainTable& terrain, const Field& field) {
  REPATH_RETURN_IF_ERROR(
      check_count(request.profiles_size(), 0, static_cast<int>(kProfilesMax), field / "profiles"));
  std::vector<Profile> profiles;
  for (int i = 0; i < request.profiles_size(); ++i) {
    const Field at = (field / "profiles")[static_cast<std::size_t>(i)];
    auto profile = to_profile(request.profiles(i), terrain, Topology::k8, at);
    if (!profile.ok()) return profile.status();
    profiles.push_back(*std::move(profile));
  }
  return profiles;
}

// What both ways of making a world have in common; the map is still empty.
struct Outline {
  NewWorld world;
  WorldSpec spec;
};

absl::StatusOr<Outline> to_outline(const v1::CreateWorldRequest& request, const Registry& registry,
                                   const Field& field) {
  REPATH_RETURN_IF_ERROR(check_name(request.name(), field / "name"));
  REPATH_RETURN_IF_ERROR(check_length(request.request_id(), kRequestIdMax, field / "request_id"));
  if (request.cell_size() != 0) {
    REPATH_RETURN_IF_ERROR(
        check_range(request.cell_size(), kCellSizeMin, kCellSizeMax, field / "cell_size"));
  }
  auto settings = to_settings(request.options(), registry.default_settings(), field / "options");
  if (!settings.ok()) return settings.status();
  auto terrain = to_terrain_table(request, field);
  if (!terrain.ok()) return terrain.status();
  REPATH_RETURN_IF_ERROR(
      with_field_prefix(check_terrain(*terrain), field.text().empty() ? "" : field.text() + "."));
  auto profiles = to_profiles(request, *terrain, field);
  if (!profiles.ok()) return profiles.status();
  Outline outline;
  outline.world.name = request.name();
  outline.world.settings = *settings;
  outline.world.request_id = request.request_id();
  outline.spec.name = request.name();
  outline.spec.cell_size = request.cell_size() == 0 ? 1 : request.cell_size();
  outline.spec.profiles = *std::move(profiles);
  outline.spec.map.classes = *std::move(terrain);
  return outline;
}

// Of everything but the request_id, which only tells a repeat from a second request.
std::uint64_t definition_of(v1::CreateWorldRequest request, std::string_view map) {
  request.clear_request_id();
  return Hasher().add(request.SerializeAsString()).add(map).value();
}

absl::Status check_memory(std::uint64_t cells, const WorldSettings& settings) {
  const std::uint64_t most = settings.memory_mb * (1u << 20) / 2;
  if (cells <= most) return absl::OkStatus();
  return make_error(absl::StatusCode::kResourceExhausted, "WORLD_MEMORY", "",
                    std::to_string(cells) + " cells do not fit half the world's memory limit of " +
                        std::to_string(settings.memory_mb) + " MiB");
}

absl::StatusOr<MapFormat> to_format(v1::MapFormat message, const Field& field) {
  switch (message) {
    case v1::MAP_FORMAT_UNSPECIFIED:
      return MapFormat::kAuto;
    case v1::MAP_FORMAT_MOVING_AI:
      return MapFormat::kMovingAi;
    case v1::MAP_FORMAT_TEXT:
      return MapFormat::kText;
    default:
      return unknown_enum(message, field);
  }
}

absl::StatusOr<Outline> to_import_outline(const v1::ImportWorldRequest::Header& header,
                                          const Registry& registry) {
  const Field world = Field() / "header" / "world";
  for (const auto& [side, name] :
       {std::pair{header.world().width(), "width"}, {header.world().height(), "height"}}) {
    if (side != 0) return refuse(world / name, "OUT_OF_RANGE", "must be 0: the file has it");
  }
  if (auto format = to_format(header.format(), Field() / "header" / "format"); !format.ok())
    return format.status();
  return to_outline(header.world(), registry, world);
}

}  // namespace

absl::StatusOr<NewWorld> to_new_world(const v1::CreateWorldRequest& request,
                                      const Registry& registry) {
  const Field field;
  REPATH_RETURN_IF_ERROR(
      check_range(std::int64_t{request.width()}, 1, kMapSideMax, field / "width"));
  REPATH_RETURN_IF_ERROR(
      check_range(std::int64_t{request.height()}, 1, kMapSideMax, field / "height"));
  auto outline = to_outline(request, registry, field);
  if (!outline.ok()) return outline.status();
  const auto width = static_cast<std::uint64_t>(request.width());
  const auto height = static_cast<std::uint64_t>(request.height());
  REPATH_RETURN_IF_ERROR(check_memory(width * height, outline->world.settings));
  outline->spec.map.width = request.width();
  outline->spec.map.height = request.height();
  outline->world.definition = definition_of(request, "");
  outline->world.make_spec = [spec = std::move(outline->spec), cells = width * height]() mutable {
    spec.map.cells.assign(cells, TerrainId{0});
    return absl::StatusOr<WorldSpec>(std::move(spec));
  };
  return std::move(outline->world);
}

absl::Status check_import_header(const v1::ImportWorldRequest::Header& header,
                                 const Registry& registry) {
  return to_import_outline(header, registry).status();
}

absl::StatusOr<NewWorld> to_imported_world(const v1::ImportWorldRequest::Header& header,
                                           std::string map, const Registry& registry) {
  auto outline = to_import_outline(header, registry);
  if (!outline.ok()) return outline.status();
  ImportLimits limits;
  limits.cells_max = std::min(limits.cells_max, outline->world.settings.memory_mb * (1u << 20) / 2);
  outline->world.definition = definition_of(header.world(), map);
  outline->world.make_spec =
      [spec = std::move(outline->spec), map = std::move(map), limits,
       format = *to_format(header.format(), Field())]() mutable -> absl::StatusOr<WorldSpec> {
    auto read = import_map(map, format, spec.map.classes, limits);
    if (!read.ok()) return read.status();
    spec.map = *std::move(read);
    return std::move(spec);
  };
  return std::move(outline->world);
}

absl::Status in_import(const absl::Status& status) {
  const std::string field = error_field(status);
  if (!field.empty() && field != "map") return with_field_prefix(status, "header.world.");
  // The map itself came in chunks.
  return make_error(status.code(), error_reason(status), "chunk", std::string(status.message()));
}

void fill_world(const WorldInfo& info, v1::World* out) {
  const WorldFacts& facts = *info.facts;
  out->set_name(facts.name);
  out->set_kind("grid");
  out->set_revision(value(info.revision));
  out->set_state_hash(info.state_hash);
  out->set_width(facts.width);
  out->set_height(facts.height);
  out->set_cell_size(facts.cell_size);
  out->set_epoch(facts.epoch);
  for (const Profile& profile : info.profiles)
    fill_profile(profile, facts.terrain, out->add_profiles());
  for (const TerrainClass& terrain : facts.terrain)
    fill_terrain_class(terrain, out->add_terrain_classes());
  v1::WorldOptions* options = out->mutable_options();
  options->set_frame_rate_hz(facts.settings.frame.rate_hz);
  options->set_lockstep(facts.settings.lockstep);
  options->set_frame_budget_work_units(facts.settings.frame.budget_units);
  options->set_frame_budget_us(facts.settings.frame.budget_us);
  options->set_strategy(from_strategy(facts.settings.strategy));
  options->set_history_revisions(static_cast<std::uint32_t>(facts.settings.history_revisions));
  options->set_memory_limit_mb(facts.settings.memory_mb);
  out->set_obstacles(info.obstacles);
  out->set_agents(info.agents);
  out->set_memory_bytes(info.memory_bytes);
  out->set_oldest_revision(value(info.oldest));
}

absl::StatusOr<ApplyCommand> to_apply(const v1::ApplyChangesRequest& request,
                                      const WorldFacts& facts) {
  const Field field;
  REPATH_RETURN_IF_ERROR(check_length(request.request_id(), kRequestIdMax, field / "request_id"));
  ApplyCommand command;
  switch (request.durability()) {
    case v1::DURABILITY_UNSPECIFIED:
    case v1::DURABILITY_APPLIED:
      command.durability = Durability::kApplied;
      break;
    case v1::DURABILITY_LOCAL_DISK:
      command.durability = Durability::kLocalDisk;
      break;
    default:
      return unknown_enum(request.durability(), field / "durability");
  }
  auto batch = to_batch(request.batch(), facts.terrain, facts.default_topology, field / "batch");
  if (!batch.ok()) return batch.status();
  command.changes.batch = *std::move(batch);
  command.changes.request_id = request.request_id();
  if (request.has_expected_revision())
    command.changes.expected_revision = Revision{request.expected_revision()};
  command.game_tick = request.game_tick();
  return command;
}

absl::StatusOr<TestChanges> to_test(const v1::TestChangesRequest& request,
                                    const WorldFacts& facts) {
  const Field field;
  REPATH_RETURN_IF_ERROR(check_count(request.pairs_size(), 0, 256, field / "pairs"));
  REPATH_RETURN_IF_ERROR(
      check_range(std::uint64_t{request.max_agents()}, 0, 10'000, field / "max_agents"));
  auto batch = to_batch(request.batch(), facts.terrain, facts.default_topology, field / "batch");
  if (!batch.ok()) return batch.status();
  TestChanges command;
  command.batch = *std::move(batch);
  if (request.has_expected_revision())
    command.expected_revision = Revision{request.expected_revision()};
  if (request.max_agents() != 0) command.max_agents = request.max_agents();
  const MapSize map = map_size(facts);
  for (int i = 0; i < request.pairs_size(); ++i) {
    const v1::TestChangesRequest::Pair& pair = request.pairs(i);
    const Field at = (field / "pairs")[static_cast<std::size_t>(i)];
    const auto from = to_map_point(pair.from(), map, at / "from");
    if (!from.ok()) return from.status();
    const auto to = to_map_point(pair.to(), map, at / "to");
    if (!to.ok()) return to.status();
    REPATH_RETURN_IF_ERROR(check_range(std::uint64_t{pair.team()}, 0, kTeams - 1, at / "team"));
    command.pairs.push_back({map.node_at(*from), map.node_at(*to),
                             pair.profile().empty() ? "default" : pair.profile(),
                             static_cast<TeamId>(pair.team())});
  }
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
  return make_error(absl::StatusCode::kFailedPrecondition, "EPOCH_CHANGED", "epoch",
                    "the world's history began anew with epoch '" + facts.epoch + "'");
}

absl::Status in_batch(const absl::Status& status) {
  const std::string field = error_field(status);
  for (const std::string_view list :
       {"upsert_obstacles", "remove_obstacles", "switch_obstacles", "terrain_edits", "add_profiles",
        "decay_influence", "influence_edits", "fog_edits", "stand", "walk_on"}) {
    if (field.compare(0, list.size(), list) == 0) return with_field_prefix(status, "batch.");
  }
  return status;
}

absl::Status fill_change(const LogRecord& record, const WorldFacts& facts, v1::Change* out) {
  const auto batch = decode_batch(record.batch);
  if (!batch.ok()) return batch.status();
  out->set_revision(value(record.revision));
  out->set_state_hash(record.state_hash);
  out->set_game_tick(record.game_tick);
  fill_batch(*batch, facts.terrain, out->mutable_batch());
  return absl::OkStatus();
}

}  // namespace repath
