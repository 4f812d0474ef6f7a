// The part of world_messages.h that makes worlds.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/sha256.h"
#include "graph/graph_import.h"
#include "graph/visibility_import.h"
#include "grid/cells/map_import.h"
#include "navmesh/import/floor_plan.h"
#include "navmesh/import/mset_import.h"
#include "navmesh/import/obj_import.h"
#include "navmesh/import/polyanya_import.h"
#include "navmesh/import/recast_build.h"
#include "routes/sight_import.h"
#include "rpc/batch_messages.h"
#include "rpc/new_world.h"
#include "rpc/world_messages.h"
#include "world/limits.h"

namespace repath {
namespace {

constexpr std::uint64_t kFrameUnitsMax = 1'000'000'000'000;
constexpr std::uint64_t kFirstLegCellsMax = 1'000'000'000'000;

}  // namespace

// ---- the common part of requests, whatever the world is made from ----

absl::StatusOr<WorldSettings> to_settings(const v1::WorldOptions& message, WorldSettings settings,
                                          const Field& field) {
  REPATH_RETURN_IF_ERROR(check_range(message.frame_rate_hz(), 0, 1000, field / "frame_rate_hz"));
  REPATH_RETURN_IF_ERROR(read_unless_zero(message.frame_budget_work_units(), 64, kFrameUnitsMax,
                                          field / "frame_budget_work_units",
                                          &settings.frame.budget_units));
  REPATH_RETURN_IF_ERROR(read_unless_zero(message.frame_budget_us(), 50, 10'000'000,
                                          field / "frame_budget_us", &settings.frame.budget_us));
  REPATH_RETURN_IF_ERROR(read_unless_zero(message.history_revisions(), 1, 1'000'000,
                                          field / "history_revisions",
                                          &settings.history_revisions));
  REPATH_RETURN_IF_ERROR(read_unless_zero(message.memory_limit_mb(), 1, 1'000'000,
                                          field / "memory_limit_mb", &settings.memory_mb));
  REPATH_RETURN_IF_ERROR(read_unless_zero(message.first_leg_cells(), 1, kFirstLegCellsMax,
                                          field / "first_leg_cells", &settings.first_leg_cells));
  REPATH_ASSIGN_OR_RETURN(settings.strategy, (to_plain<v1::STRATEGY_AUTO, Strategy::kField>(
                                                 message.strategy(), field / "strategy")));
  settings.lockstep = message.lockstep();
  // A period is kept in whole microseconds, and there is at least one frame in an hour.
  if (message.frame_rate_hz() > 0)
    settings.frame.rate_hz = std::max(message.frame_rate_hz(), 1.0 / 3600);
  return settings;
}

namespace {

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
  const auto read = [&](const v1::Profile& message, const Field& at) {
    return to_profile(message, world, at);
  };
  REPATH_ASSIGN_OR_RETURN(std::vector<Profile> profiles,
                          read_list(request.profiles(), field / "profiles", read));
  const ProfileRules rules{world.kind, world.terrain.size(), cell_size};
  REPATH_RETURN_IF_ERROR(with_field_prefix(check_profiles(&profiles, rules), prefix_of(field)));
  return profiles;
}

}  // namespace

absl::StatusOr<NewWorld> to_outline(const v1::CreateWorldRequest& request, const Registry& registry,
                                    const Field& field) {
  REPATH_RETURN_IF_ERROR(check_name(request.name(), field / "name"));
  REPATH_RETURN_IF_ERROR(check_length(request.request_id(), kRequestIdMax, field / "request_id"));
  NewWorld world;
  world.name = request.name();
  REPATH_ASSIGN_OR_RETURN(
      world.settings,
      to_settings(request.options(), registry.default_settings(), field / "options"));
  world.request_id = request.request_id();
  return world;
}

absl::StatusOr<WorldSpec> to_grid_spec(const v1::CreateWorldRequest& request, const Field& field) {
  WorldSpec spec;
  spec.name = request.name();
  spec.cell_size = 1;
  REPATH_RETURN_IF_ERROR(read_unless_zero(request.cell_size(), kCellSizeMin, kCellSizeMax,
                                          field / "cell_size", &spec.cell_size));
  REPATH_ASSIGN_OR_RETURN(spec.map.classes, to_terrain_table(request, field));
  REPATH_RETURN_IF_ERROR(with_field_prefix(check_terrain(spec.map.classes), prefix_of(field)));
  REPATH_ASSIGN_OR_RETURN(spec.profiles, to_profiles(request, {WorldKind::kGrid, spec.map.classes},
                                                     spec.cell_size, field));
  return spec;
}

absl::StatusOr<std::vector<Profile>> to_route_profiles(const v1::CreateWorldRequest& request,
                                                       WorldKind kind, const Field& field) {
  const Field options = field / "options";
  for (const auto& [is_given, of] :
       {std::pair{request.cell_size() != 0, field / "cell_size"},
        {request.terrain_classes_size() != 0, field / "terrain_classes"},
        {request.options().first_leg_cells() != 0, options / "first_leg_cells"}})
    if (is_given) return unsuited(of.text(), kind);
  return to_profiles(request, {kind, {}}, 1, field);
}

absl::Status check_cells(std::uint64_t cells, const WorldSettings& settings) {
  if (cells <= settings.memory_mb * (1u << 20) / 2) return absl::OkStatus();
  return make_error(absl::StatusCode::kResourceExhausted, "WORLD_MEMORY", "",
                    std::to_string(cells) +
                        " cells need more than half of the world's memory limit of " +
                        std::to_string(settings.memory_mb) + " MiB");
}

namespace {

// Returns the digest of everything but the request_id, which only distinguishes a repeat from a
// second request.
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

// ---- files ----

// Guesses the format from the first bytes; a file that looks like no other format is a map of text.
v1::MapFormat guess_format(std::string_view file) {
  const auto starts = [file](std::string_view with) { return file.substr(0, with.size()) == with; };
  if (is_world_file(file)) return v1::MAP_FORMAT_REPATH;
  if (starts("type ")) return v1::MAP_FORMAT_MOVING_AI;
  if (starts("TESM") || starts("MSET")) return v1::MAP_FORMAT_MSET;
  if (starts("mesh\n") || starts("mesh\r\n")) return v1::MAP_FORMAT_POLYANYA;
  const std::size_t first = file.find_first_not_of(" \t\r\n");
  const auto has = [file](std::string_view name) {
    return file.find(name) != std::string_view::npos;
  };
  if (first != std::string_view::npos && (file[first] == '{' || file[first] == '[')) {
    return has("\"link_distance\"") ? v1::MAP_FORMAT_SIGHT
           : has("\"nodes\"")       ? v1::MAP_FORMAT_GRAPH
           : has("\"radius\"")      ? v1::MAP_FORMAT_VISIBILITY
                                    : v1::MAP_FORMAT_FLOOR_PLAN;
  }
  const bool has_vertices = starts("v ") || file.find("\nv ") != std::string_view::npos;
  if (has_vertices && file.find("\nf ") != std::string_view::npos) return v1::MAP_FORMAT_OBJ;
  return v1::MAP_FORMAT_TEXT;
}

bool is_grid_format(v1::MapFormat format) {
  return format == v1::MAP_FORMAT_MOVING_AI || format == v1::MAP_FORMAT_TEXT;
}

bool is_graph_format(v1::MapFormat format) {
  return format == v1::MAP_FORMAT_GRAPH || format == v1::MAP_FORMAT_VISIBILITY ||
         format == v1::MAP_FORMAT_SIGHT;
}

WorldKind kind_of(v1::MapFormat format) {
  if (is_grid_format(format)) return WorldKind::kGrid;
  return is_graph_format(format) ? WorldKind::kGraph : WorldKind::kNavmesh;
}

// A given value: 0 means the default; below 0 means none, where that has a meaning.
struct Setting {
  double given;
  double least;
  double most;
  bool may_be_none;
  std::string_view name;
  double* value;
};

absl::StatusOr<RecastParameters> to_recast(const v1::RecastSettings& message, const Field& field) {
  RecastParameters p;
  const Setting settings[] = {
      {message.cell_size(), 0.01, 10, false, "cell_size", &p.cell_size},
      {message.cell_height(), 0.01, 10, false, "cell_height", &p.cell_height},
      {message.agent_radius(), 0, 100, true, "agent_radius", &p.agent_radius},
      {message.agent_height(), 0.01, 100, false, "agent_height", &p.agent_height},
      {message.agent_climb(), 0, 100, true, "agent_climb", &p.agent_climb},
      {message.slope_degrees(), 0, 89, false, "slope_degrees", &p.slope_degrees},
      {message.region_min(), 0, 150, true, "region_min", &p.region_min},
      {message.region_merge(), 0, 150, true, "region_merge", &p.region_merge},
      {message.edge_length_max(), 0, 1000, true, "edge_length_max", &p.edge_length_max},
      {message.edge_error_max(), 0.1, 10, false, "edge_error_max", &p.edge_error_max},
  };
  for (const Setting& s : settings) {
    if (s.given == 0) continue;
    const double value = s.given < 0 && s.may_be_none ? 0 : s.given;
    REPATH_RETURN_IF_ERROR(check_range(value, s.least, s.most, field / s.name));
    *s.value = value;
  }
  REPATH_RETURN_IF_ERROR(
      read_unless_zero(message.tile_voxels(), 16, 1024, field / "tile_voxels", &p.tile_voxels));
  if (p.agent_climb >= p.agent_height)
    return refuse(field / "agent_climb", "OUT_OF_RANGE", "must be below agent_height");
  return p;
}

// The checked fields of a header beside the world.
struct Import {
  NewWorld world;
  RecastParameters recast;
  PlanMethod method{};
  double base_radius = 0;
  double tau = 0;
};

// Refuses fields that are for files of one format; `format` is the one that the file has.
absl::Status check_suits_format(const v1::ImportWorldRequest::Header& header,
                                v1::MapFormat format) {
  struct FormatField {
    bool is_given;
    v1::MapFormat format;
    std::string_view name;
    std::string_view files;
  };
  const FormatField fields[] = {{header.has_recast(), v1::MAP_FORMAT_OBJ, "recast", "OBJ files"},
                                {header.plan_method() != v1::PLAN_METHOD_UNSPECIFIED,
                                 v1::MAP_FORMAT_FLOOR_PLAN, "plan_method", "floor plans"},
                                {header.plan_tau_radians() != 0, v1::MAP_FORMAT_FLOOR_PLAN,
                                 "plan_tau_radians", "floor plans"}};
  for (const FormatField& field : fields)
    if (field.is_given && format != field.format)
      return refuse(Field() / "header" / field.name, "KIND_UNSUITED",
                    "is for " + std::string(field.files) + ": this file is of another format");
  return absl::OkStatus();
}

absl::StatusOr<Import> to_import(const v1::ImportWorldRequest::Header& header,
                                 const Registry& registry) {
  const Field at = Field() / "header";
  for (const auto& [side, name] :
       {std::pair{header.world().width(), "width"}, {header.world().height(), "height"}}) {
    if (side != 0)
      return refuse(at / "world" / name, "OUT_OF_RANGE", "must be 0: the size comes from the file");
  }
  if (!v1::MapFormat_IsValid(header.format())) return unknown_enum(header.format(), at / "format");
  Import import;
  REPATH_ASSIGN_OR_RETURN(import.world, to_outline(header.world(), registry, at / "world"));
  REPATH_ASSIGN_OR_RETURN(import.recast, to_recast(header.recast(), at / "recast"));
  REPATH_ASSIGN_OR_RETURN(import.method,
                          (to_plain<v1::PLAN_METHOD_ANAVMG, PlanMethod::kShortestDiagonals>(
                              header.plan_method(), at / "plan_method")));
  import.base_radius = header.base_radius();
  REPATH_RETURN_IF_ERROR(
      check_range(header.base_radius(), 0, kNavBaseRadiusMax, at / "base_radius"));
  import.tau = header.plan_tau_radians();
  REPATH_RETURN_IF_ERROR(check_range(import.tau, 0, kTauMax, at / "plan_tau_radians"));
  if (import.tau != 0 && import.method != PlanMethod::kAnavmg)
    return refuse(at / "plan_tau_radians", "METHOD_UNSUITED",
                  "is for PLAN_METHOD_ANAVMG: must be 0 with other methods");
  if (!header.sha256().empty() && header.sha256().size() != 32)
    return refuse(at / "sha256", "LENGTH", "must have 32 bytes, or none");
  REPATH_RETURN_IF_ERROR(check_file_size(header.size_bytes(), registry, at / "size_bytes"));
  return import;
}

// Returns whether files of the format may come with a base_radius.
absl::Status check_base_radius(double base_radius, v1::MapFormat format) {
  if (base_radius == 0) return absl::OkStatus();
  const Field at = Field() / "header" / "base_radius";
  if (kind_of(format) != WorldKind::kNavmesh) return unsuited(at.text(), kind_of(format));
  if (format == v1::MAP_FORMAT_REPATH)
    return refuse(at, "KIND_UNSUITED", "must be 0: the world file has its own");
  if (format == v1::MAP_FORMAT_OBJ)
    return refuse(at, "OUT_OF_RANGE", "must be 0 for OBJ: give recast.agent_radius");
  return absl::OkStatus();
}

absl::StatusOr<MeshSource> read_mesh(std::string_view file, v1::MapFormat format,
                                     const Import& import, WorkMeter* work) {
  switch (format) {
    case v1::MAP_FORMAT_MSET:
      return import_mset(file, work);
    case v1::MAP_FORMAT_POLYANYA:
      return import_polyanya(file, work);
    case v1::MAP_FORMAT_FLOOR_PLAN:
      return import_floor_plan(file, import.method, work, import.tau);
    default:
      break;
  }
  REPATH_ASSIGN_OR_RETURN(const TriangleSoup soup, import_obj(file));
  absl::StatusOr<MeshSource> built = build_with_recast(soup, import.recast, work);
  // A parameter is a field of the request; any other name is a place in the file.
  const std::string field = error_field(built.status());
  if (v1::RecastSettings::descriptor()->FindFieldByName(field) == nullptr) return built;
  return with_field_prefix(built.status(), "header.recast.");
}

absl::StatusOr<GraphSource> read_graph(std::string_view file, v1::MapFormat format,
                                       WorkMeter* work) {
  switch (format) {
    case v1::MAP_FORMAT_VISIBILITY:
      return import_visibility_json(file, work);
    case v1::MAP_FORMAT_SIGHT:
      return import_sight_json(file, work);
    default:
      return import_graph_json(file, work);
  }
}

absl::StatusOr<AnyWorldSpec> read_routes(std::string_view file, v1::MapFormat format,
                                         const Import& import, const std::vector<Profile>& profiles,
                                         WorkMeter* work) {
  if (is_graph_format(format)) {
    REPATH_ASSIGN_OR_RETURN(GraphSource graph, read_graph(file, format, work));
    return AnyWorldSpec(GraphWorld::Source{import.world.name, std::move(graph), profiles});
  }
  REPATH_ASSIGN_OR_RETURN(MeshSource mesh, read_mesh(file, format, import, work));
  NavWorld::Source source{import.world.name, std::move(mesh), profiles};
  source.base_radius =
      format == v1::MAP_FORMAT_OBJ ? import.recast.agent_radius : import.base_radius;
  return AnyWorldSpec(std::move(source));
}

}  // namespace

absl::StatusOr<NewWorld> to_new_world(const v1::CreateWorldRequest& request,
                                      const Registry& registry) {
  const Field field;
  REPATH_RETURN_IF_ERROR(check_range(request.width(), 1, kMapSideMax, field / "width"));
  REPATH_RETURN_IF_ERROR(check_range(request.height(), 1, kMapSideMax, field / "height"));
  REPATH_ASSIGN_OR_RETURN(NewWorld world, to_outline(request, registry, field));
  REPATH_ASSIGN_OR_RETURN(WorldSpec spec, to_grid_spec(request, field));
  const auto cells =
      static_cast<std::uint64_t>(request.width()) * static_cast<std::uint64_t>(request.height());
  REPATH_RETURN_IF_ERROR(check_cells(cells, world.settings));
  spec.map.width = request.width();
  spec.map.height = request.height();
  world.definition = definition_of(request);
  world.make_spec = [spec = std::move(spec), cells](WorkMeter*) {
    WorldSpec made = spec;
    made.map.cells.assign(cells, TerrainId{0});
    return made;
  };
  return world;
}

absl::Status check_file_size(std::uint64_t bytes, const Registry& registry, const Field& field) {
  const std::uint64_t most_mb = registry.limits().import_mb_max;
  if (bytes <= most_mb << 20) return absl::OkStatus();
  return make_error(absl::StatusCode::kResourceExhausted, "IMPORT_TOO_LARGE", field.text(),
                    "the file is larger than the limit of " + std::to_string(most_mb) + " MiB");
}

absl::Status check_import_header(const v1::ImportWorldRequest::Header& header,
                                 const Registry& registry) {
  const auto import = to_import(header, registry);
  if (!import.ok() || header.format() == v1::MAP_FORMAT_UNSPECIFIED) return import.status();
  REPATH_RETURN_IF_ERROR(check_base_radius(import->base_radius, header.format()));
  REPATH_RETURN_IF_ERROR(check_suits_format(header, header.format()));
  const Field world = Field() / "header" / "world";
  if (header.format() == v1::MAP_FORMAT_REPATH) return check_file_decides(header.world(), world);
  if (is_grid_format(header.format())) return to_grid_spec(header.world(), world).status();
  return to_route_profiles(header.world(), kind_of(header.format()), world).status();
}

absl::StatusOr<NewWorld> to_imported_world(const v1::ImportWorldRequest::Header& header,
                                           std::string map, const Registry& registry) {
  REPATH_ASSIGN_OR_RETURN(Import import, to_import(header, registry));
  const Field at = Field() / "header" / "world";
  const v1::MapFormat format =
      header.format() == v1::MAP_FORMAT_UNSPECIFIED ? guess_format(map) : header.format();
  REPATH_RETURN_IF_ERROR(check_base_radius(import.base_radius, format));
  REPATH_RETURN_IF_ERROR(check_suits_format(header, format));
  NewWorld world = import.world;
  world.definition = definition_of(header, map);
  world.file_bytes = map.size();
  if (format == v1::MAP_FORMAT_REPATH) {
    REPATH_RETURN_IF_ERROR(check_file_decides(header.world(), at));
    REPATH_RETURN_IF_ERROR(
        put_file(std::move(map), header.world().options(), at, registry, &world));
    return world;
  }
  if (is_grid_format(format)) {
    REPATH_ASSIGN_OR_RETURN(WorldSpec spec, to_grid_spec(header.world(), at));
    ImportLimits limits;
    limits.cells_max = std::min(limits.cells_max, world.settings.memory_mb * (1u << 20) / 2);
    const MapFormat as =
        format == v1::MAP_FORMAT_MOVING_AI ? MapFormat::kMovingAi : MapFormat::kText;
    world.make_spec = [spec = std::move(spec), map = std::move(map), limits,
                       as](WorkMeter*) -> absl::StatusOr<AnyWorldSpec> {
      WorldSpec made = spec;
      REPATH_ASSIGN_OR_RETURN(made.map, import_map(map, as, spec.map.classes, limits));
      return made;
    };
    return world;
  }
  REPATH_ASSIGN_OR_RETURN(std::vector<Profile> profiles,
                          to_route_profiles(header.world(), kind_of(format), at));
  world.make_spec = [profiles = std::move(profiles), map = std::move(map),
                     import = std::move(import), format](WorkMeter* work) {
    return read_routes(map, format, import, profiles, work);
  };
  return world;
}

absl::Status in_import(const absl::Status& status) {
  const std::string field = error_field(status);
  if (field.starts_with("header.")) return status;
  for (const std::string_view list :
       {"profiles", "terrain_classes", "name", "cell_size", "request_id"}) {
    if (field.compare(0, list.size(), list) == 0 && error_reason(status) != "JSON_FIELD")
      return with_field_prefix(status, "header.world.");
  }
  // The file came in chunks, so the field is "chunk" and the message names the place in the file.
  const std::string message =
      field.empty() || field == "map" || status.message().find(field) != std::string_view::npos
          ? std::string(status.message())
          : field + ": " + std::string(status.message());
  return make_error(status.code(), error_reason(status), "chunk", message);
}

}  // namespace repath
