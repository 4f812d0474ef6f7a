// The part of world_messages.h that makes worlds from files.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "graph/graph_import.h"
#include "grid/cells/map_import.h"
#include "navmesh/import/floor_plan.h"
#include "navmesh/import/mset_import.h"
#include "navmesh/import/obj_import.h"
#include "navmesh/import/polyanya_import.h"
#include "navmesh/import/recast_build.h"
#include "rpc/world_messages.h"
#include "rpc/world_outline.h"

namespace repath {
namespace {

// Guesses the format from the first bytes; a file that looks like no other format is a map of text.
v1::MapFormat guess_format(std::string_view file) {
  const auto starts = [file](std::string_view with) { return file.substr(0, with.size()) == with; };
  if (starts("type ")) return v1::MAP_FORMAT_MOVING_AI;
  if (starts("TESM") || starts("MSET")) return v1::MAP_FORMAT_MSET;
  if (starts("mesh\n") || starts("mesh\r\n")) return v1::MAP_FORMAT_POLYANYA;
  const std::size_t first = file.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && (file[first] == '{' || file[first] == '[')) {
    return file.find("\"nodes\"") != std::string_view::npos ? v1::MAP_FORMAT_GRAPH
                                                            : v1::MAP_FORMAT_FLOOR_PLAN;
  }
  const bool has_vertices = starts("v ") || file.find("\nv ") != std::string_view::npos;
  if (has_vertices && file.find("\nf ") != std::string_view::npos) return v1::MAP_FORMAT_OBJ;
  return v1::MAP_FORMAT_TEXT;
}

bool is_grid_format(v1::MapFormat format) {
  return format == v1::MAP_FORMAT_MOVING_AI || format == v1::MAP_FORMAT_TEXT;
}

WorldKind kind_of(v1::MapFormat format) {
  if (is_grid_format(format)) return WorldKind::kGrid;
  return format == v1::MAP_FORMAT_GRAPH ? WorldKind::kGraph : WorldKind::kNavmesh;
}

absl::Status check_format(v1::MapFormat format, const Field& field) {
  return v1::MapFormat_IsValid(format) ? absl::OkStatus() : unknown_enum(format, field);
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
  if (message.tile_voxels() != 0) {
    REPATH_RETURN_IF_ERROR(
        check_range(std::int64_t{message.tile_voxels()}, 16, 1024, field / "tile_voxels"));
    p.tile_voxels = message.tile_voxels();
  }
  if (p.agent_climb >= p.agent_height)
    return refuse(field / "agent_climb", "OUT_OF_RANGE", "must be below agent_height");
  return p;
}

absl::StatusOr<PlanMethod> to_method(v1::PlanMethod message, const Field& field) {
  switch (message) {
    case v1::PLAN_METHOD_UNSPECIFIED:
    case v1::PLAN_METHOD_ANAVMG:
      return PlanMethod::kAnavmg;
    case v1::PLAN_METHOD_DELAUNAY:
      return PlanMethod::kDelaunay;
    case v1::PLAN_METHOD_SHORTEST_DIAGONALS:
      return PlanMethod::kShortestDiagonals;
    default:
      return unknown_enum(message, field);
  }
}

// The checked fields of a header beside the world.
struct Import {
  NewWorld world;
  RecastParameters recast;
  PlanMethod method{};
};

absl::StatusOr<Import> to_import(const v1::ImportWorldRequest::Header& header,
                                 const Registry& registry) {
  const Field at = Field() / "header";
  for (const auto& [side, name] :
       {std::pair{header.world().width(), "width"}, {header.world().height(), "height"}}) {
    if (side != 0)
      return refuse(at / "world" / name, "OUT_OF_RANGE", "must be 0: the size comes from the file");
  }
  REPATH_RETURN_IF_ERROR(check_format(header.format(), at / "format"));
  Import import;
  REPATH_ASSIGN_OR_RETURN(import.world, to_outline(header.world(), registry, at / "world"));
  REPATH_ASSIGN_OR_RETURN(import.recast, to_recast(header.recast(), at / "recast"));
  REPATH_ASSIGN_OR_RETURN(import.method, to_method(header.plan_method(), at / "plan_method"));
  if (!header.sha256().empty() && header.sha256().size() != 32)
    return refuse(at / "sha256", "LENGTH", "must have 32 bytes, or none");
  const std::uint64_t most_mb = registry.limits().import_mb_max;
  if (header.size_bytes() > most_mb << 20) {
    return make_error(absl::StatusCode::kResourceExhausted, "IMPORT_TOO_LARGE",
                      (at / "size_bytes").text(),
                      "the file is larger than the limit of " + std::to_string(most_mb) + " MiB");
  }
  return import;
}

absl::StatusOr<MeshSource> read_mesh(std::string_view file, v1::MapFormat format,
                                     const Import& import, WorkMeter* work) {
  switch (format) {
    case v1::MAP_FORMAT_MSET:
      return import_mset(file, work);
    case v1::MAP_FORMAT_POLYANYA:
      return import_polyanya(file, work);
    case v1::MAP_FORMAT_FLOOR_PLAN:
      return import_floor_plan(file, import.method, work);
    default:
      break;
  }
  REPATH_ASSIGN_OR_RETURN(const TriangleSoup soup, import_obj(file));
  return build_with_recast(soup, import.recast, work);
}

absl::StatusOr<AnyWorldSpec> read_routes(std::string_view file, v1::MapFormat format,
                                         const Import& import, const std::vector<Profile>& profiles,
                                         WorkMeter* work) {
  if (format == v1::MAP_FORMAT_GRAPH) {
    REPATH_ASSIGN_OR_RETURN(GraphSource graph, import_graph_json(file, work));
    return AnyWorldSpec(GraphWorld::Source{import.world.name, std::move(graph), profiles});
  }
  REPATH_ASSIGN_OR_RETURN(MeshSource mesh, read_mesh(file, format, import, work));
  return AnyWorldSpec(NavWorld::Source{import.world.name, std::move(mesh), profiles});
}

absl::StatusOr<AnyWorldSpec> read_grid(std::string_view file, v1::MapFormat format, WorldSpec spec,
                                       const ImportLimits& limits) {
  const MapFormat as = format == v1::MAP_FORMAT_MOVING_AI ? MapFormat::kMovingAi : MapFormat::kText;
  REPATH_ASSIGN_OR_RETURN(spec.map, import_map(file, as, spec.map.classes, limits));
  return AnyWorldSpec(std::move(spec));
}

}  // namespace

absl::Status check_import_header(const v1::ImportWorldRequest::Header& header,
                                 const Registry& registry) {
  const auto import = to_import(header, registry);
  if (!import.ok() || header.format() == v1::MAP_FORMAT_UNSPECIFIED) return import.status();
  const Field world = Field() / "header" / "world";
  if (is_grid_format(header.format())) return to_grid_spec(header.world(), world).status();
  return to_route_profiles(header.world(), kind_of(header.format()), world).status();
}

absl::StatusOr<NewWorld> to_imported_world(const v1::ImportWorldRequest::Header& header,
                                           std::string map, const Registry& registry) {
  REPATH_ASSIGN_OR_RETURN(Import import, to_import(header, registry));
  const Field at = Field() / "header" / "world";
  const v1::MapFormat format =
      header.format() == v1::MAP_FORMAT_UNSPECIFIED ? guess_format(map) : header.format();
  NewWorld world = import.world;
  world.definition = definition_of(header, map);
  world.file_bytes = map.size();
  if (is_grid_format(format)) {
    REPATH_ASSIGN_OR_RETURN(WorldSpec spec, to_grid_spec(header.world(), at));
    ImportLimits limits;
    limits.cells_max = std::min(limits.cells_max, world.settings.memory_mb * (1u << 20) / 2);
    world.read_spec = [spec = std::move(spec), map = std::move(map), limits, format](WorkMeter*) {
      return read_grid(map, format, spec, limits);
    };
    return world;
  }
  REPATH_ASSIGN_OR_RETURN(std::vector<Profile> profiles,
                          to_route_profiles(header.world(), kind_of(format), at));
  world.read_spec = [profiles = std::move(profiles), map = std::move(map),
                     import = std::move(import), format](WorkMeter* work) {
    return read_routes(map, format, import, profiles, work);
  };
  return world;
}

absl::Status in_import(const absl::Status& status) {
  const std::string field = error_field(status);
  for (const std::string_view list :
       {"profiles", "terrain_classes", "name", "cell_size", "request_id"}) {
    if (field.compare(0, list.size(), list) == 0) return with_field_prefix(status, "header.world.");
  }
  // The file came in chunks, so the field is "chunk" and the message names the place in the file.
  const std::string message =
      field.empty() || field == "map" || status.message().find(field) != std::string_view::npos
          ? std::string(status.message())
          : field + ": " + std::string(status.message());
  return make_error(status.code(), error_reason(status), "chunk", message);
}

}  // namespace repath
