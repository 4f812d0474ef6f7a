#include "rpc/world_outline.h"

#include <string>
#include <utility>

#include "base/error.h"
#include "rpc/batch_messages.h"
#include "world/limits.h"

namespace repath {
namespace {

constexpr std::size_t kRequestIdBytesMax = 128;
constexpr double kFrameUnitsMax = 1e12;
constexpr std::uint64_t kFirstLegCellsMax = 1'000'000'000'000;

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

// 0 stands for the server's default and is always in range.
absl::Status check_or_zero(std::uint64_t value, std::uint64_t least, std::uint64_t most,
                           const Field& field) {
  return value == 0 ? absl::OkStatus() : check_range(value, least, most, field);
}

absl::StatusOr<WorldSettings> to_settings(const v1::WorldOptions& message, WorldSettings settings,
                                          const Field& field) {
  REPATH_RETURN_IF_ERROR(check_range(message.frame_rate_hz(), 0, 1000, field / "frame_rate_hz"));
  REPATH_RETURN_IF_ERROR(check_or_zero(message.frame_budget_work_units(), 64,
                                       static_cast<std::uint64_t>(kFrameUnitsMax),
                                       field / "frame_budget_work_units"));
  REPATH_RETURN_IF_ERROR(
      check_or_zero(message.frame_budget_us(), 50, 10'000'000, field / "frame_budget_us"));
  REPATH_RETURN_IF_ERROR(
      check_or_zero(message.history_revisions(), 1, 1'000'000, field / "history_revisions"));
  REPATH_RETURN_IF_ERROR(
      check_or_zero(message.memory_limit_mb(), 1, 1'000'000, field / "memory_limit_mb"));
  REPATH_RETURN_IF_ERROR(
      check_or_zero(message.first_leg_cells(), 1, kFirstLegCellsMax, field / "first_leg_cells"));
  REPATH_ASSIGN_OR_RETURN(settings.strategy, to_strategy(message.strategy(), field / "strategy"));
  settings.lockstep = message.lockstep();
  // A period is kept in whole microseconds, and there is at least one frame in an hour.
  if (message.frame_rate_hz() > 0)
    settings.frame.rate_hz = std::max(message.frame_rate_hz(), 1.0 / 3600);
  settings.frame.budget_units = message.frame_budget_work_units();
  if (message.frame_budget_us() != 0) settings.frame.budget_us = message.frame_budget_us();
  if (message.history_revisions() != 0) settings.history_revisions = message.history_revisions();
  if (message.memory_limit_mb() != 0) settings.memory_mb = message.memory_limit_mb();
  if (message.first_leg_cells() != 0) settings.first_leg_cells = message.first_leg_cells();
  return settings;
}

absl::StatusOr<TerrainTable> to_terrain_table(const v1::CreateWorldRequest& request,
                                              const Field& field) {
  if (request.terrain_classes_size() == 0) return default_terrain();
  REPATH_RETURN_IF_ERROR(check_count(request.terrain_classes_size(), 1,
                                     static_cast<int>(kTerrainClassesMax),
                                     field / "terrain_classes"));
  return read_list(request.terrain_classes(), field / "terrain_classes", to_terrain_class);
}

std::string prefix_of(const Field& field) { return field.text().empty() ? "" : field.text() + "."; }

// All that worlds of the kind ask of them.
absl::StatusOr<std::vector<Profile>> to_profiles(const v1::CreateWorldRequest& request,
                                                 const WorldTerms& world, double cell_size,
                                                 const Field& field) {
  REPATH_RETURN_IF_ERROR(
      check_count(request.profiles_size(), 0, static_cast<int>(kProfilesMax), field / "profiles"));
  std::vector<Profile> profiles;
  for (int i = 0; i < request.profiles_size(); ++i) {
    auto profile = to_profile(request.profiles(i), world, (field / "profiles")[place(i)]);
    if (!profile.ok()) return profile.status();
    profiles.push_back(*std::move(profile));
  }
  const ProfileRules rules{world.kind, world.terrain.size(), cell_size};
  REPATH_RETURN_IF_ERROR(with_field_prefix(check_profiles(&profiles, rules), prefix_of(field)));
  return profiles;
}

}  // namespace

absl::StatusOr<NewWorld> to_outline(const v1::CreateWorldRequest& request, const Registry& registry,
                                    const Field& field) {
  REPATH_RETURN_IF_ERROR(check_name(request.name(), field / "name"));
  REPATH_RETURN_IF_ERROR(
      check_length(request.request_id(), kRequestIdBytesMax, field / "request_id"));
  NewWorld world;
  world.name = request.name();
  REPATH_ASSIGN_OR_RETURN(
      world.settings,
      to_settings(request.options(), registry.default_settings(), field / "options"));
  world.request_id = request.request_id();
  return world;
}

absl::StatusOr<WorldSpec> to_grid_spec(const v1::CreateWorldRequest& request, const Field& field) {
  if (request.cell_size() != 0) {
    REPATH_RETURN_IF_ERROR(
        check_range(request.cell_size(), kCellSizeMin, kCellSizeMax, field / "cell_size"));
  }
  auto terrain = to_terrain_table(request, field);
  if (!terrain.ok()) return terrain.status();
  REPATH_RETURN_IF_ERROR(with_field_prefix(check_terrain(*terrain), prefix_of(field)));
  WorldSpec spec;
  spec.name = request.name();
  spec.cell_size = request.cell_size() == 0 ? 1 : request.cell_size();
  auto profiles = to_profiles(request, {WorldKind::kGrid, *terrain}, spec.cell_size, field);
  if (!profiles.ok()) return profiles.status();
  spec.profiles = *std::move(profiles);
  spec.map.classes = *std::move(terrain);
  return spec;
}

absl::StatusOr<std::vector<Profile>> to_route_profiles(const v1::CreateWorldRequest& request,
                                                       WorldKind kind, const Field& field) {
  const v1::Strategy strategy = request.options().strategy();
  const Field options = field / "options";
  for (const auto& [is_given, of] :
       {std::pair{request.cell_size() != 0, field / "cell_size"},
        {request.terrain_classes_size() != 0, field / "terrain_classes"},
        {strategy != v1::STRATEGY_UNSPECIFIED && strategy != v1::STRATEGY_AUTO,
         options / "strategy"},
        {request.options().first_leg_cells() != 0, options / "first_leg_cells"}})
    if (is_given) return unsuited(of.text(), kind);
  return to_profiles(request, {kind, {}}, 1, field);
}

Sha256::Digest definition_of(v1::CreateWorldRequest request) {
  request.clear_request_id();
  return Sha256().add("create ").add(request.SerializeAsString()).finish();
}

// The header's digest has a fixed length, so another split of the same bytes into header and file
// has another digest.
Sha256::Digest definition_of(v1::ImportWorldRequest::Header header, std::string_view file) {
  header.mutable_world()->clear_request_id();
  header.clear_size_bytes();  // follows from the file
  header.clear_sha256();
  const Sha256::Digest of_header = sha256(header.SerializeAsString());
  const std::string first(of_header.begin(), of_header.end());
  return Sha256().add("import ").add(first).add(file).finish();
}

}  // namespace repath
