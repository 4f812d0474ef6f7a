// The part of new_world.h that makes worlds of world files.
#include <string>
#include <utility>

#include "base/error.h"
#include "rpc/new_world.h"
#include "world/limits.h"

namespace repath {
namespace {

// Returns an error of the file with the field named as in an import.
absl::Status in_head(const absl::Status& status) {
  if (status.ok()) return status;
  return make_error(status.code(), error_reason(status), "chunk", std::string(status.message()));
}

absl::StatusOr<WorldSpec> to_filed_grid(const v1::CreateWorldRequest& request,
                                        const WorldSettings& settings) {
  const Field field;
  REPATH_RETURN_IF_ERROR(check_range(request.width(), 1, kMapSideMax, field / "width"));
  REPATH_RETURN_IF_ERROR(check_range(request.height(), 1, kMapSideMax, field / "height"));
  REPATH_ASSIGN_OR_RETURN(WorldSpec spec, to_grid_spec(request, field));
  spec.map.width = request.width();
  spec.map.height = request.height();
  const auto cells =
      static_cast<std::uint64_t>(request.width()) * static_cast<std::uint64_t>(request.height());
  REPATH_RETURN_IF_ERROR(check_cells(cells, settings));
  return spec;
}

RestoredContent begin_content(const v1::WorldFileHead& head) {
  RestoredContent content;
  content.revision = Revision{head.revision()};
  content.state_hash = head.state_hash();
  return content;
}

absl::StatusOr<AnyWorldSpec> read_filed_grid(const std::string& file, WorldSpec ground,
                                             RestoredContent content, WorkMeter* work) {
  REPATH_RETURN_IF_ERROR(read_world_file(file, &ground, &content, work));
  return AnyWorldSpec(FiledWorld{std::move(ground), std::move(content)});
}

absl::StatusOr<AnyWorldSpec> read_filed(const std::string& file, NavWorld::Source ground,
                                        RestoredContent content, WorkMeter* work) {
  REPATH_RETURN_IF_ERROR(read_world_file(file, &ground.mesh, &content, work));
  return AnyWorldSpec(FiledWorld{std::move(ground), std::move(content)});
}

absl::StatusOr<AnyWorldSpec> read_filed(const std::string& file, GraphWorld::Source ground,
                                        RestoredContent content, WorkMeter* work) {
  REPATH_RETURN_IF_ERROR(read_world_file(file, &ground.graph, &content, work));
  return AnyWorldSpec(FiledWorld{std::move(ground), std::move(content)});
}

}  // namespace

absl::Status check_file_decides(const v1::CreateWorldRequest& request, const Field& field) {
  for (const auto& [is_given, name] : {std::pair{request.cell_size() != 0, "cell_size"},
                                       {request.profiles_size() != 0, "profiles"},
                                       {request.terrain_classes_size() != 0, "terrain_classes"}})
    if (is_given)
      return refuse(field / name, "FILE_DECIDES",
                    "must be left out: a world file has its own; ApplyChanges can add profiles");
  return absl::OkStatus();
}

absl::Status put_file(std::string file, const v1::WorldOptions& options, const Field& at,
                      const Registry& registry, NewWorld* world) {
  absl::StatusOr<v1::WorldFileHead> head = read_world_head(file);
  if (!head.ok()) return in_head(head.status());
  v1::CreateWorldRequest& request = *head->mutable_world();
  request.set_name(world->name);
  const auto in_file = to_outline(request, registry, Field());
  if (!in_file.ok()) return in_head(in_file.status());
  request.mutable_options()->MergeFrom(options);
  REPATH_ASSIGN_OR_RETURN(const NewWorld outline, to_outline(request, registry, at));
  world->settings = outline.settings;

  const auto make_by = [&](auto ground, auto read) {
    world->make_spec = [file = std::move(file), ground = std::move(ground), read,
                        content = begin_content(*head)](WorkMeter* work) {
      return read(file, ground, content, work);
    };
  };
  if (head->kind() == name_of(WorldKind::kGrid)) {
    absl::StatusOr<WorldSpec> grid = to_filed_grid(request, world->settings);
    if (!grid.ok()) return in_head(grid.status());
    grid->name = world->name;
    make_by(*std::move(grid), read_filed_grid);
    return absl::OkStatus();
  }
  const bool is_mesh = head->kind() == name_of(WorldKind::kNavmesh);
  const WorldKind kind = is_mesh ? WorldKind::kNavmesh : WorldKind::kGraph;
  v1::CreateWorldRequest as_given;
  *as_given.mutable_options() = options;
  REPATH_RETURN_IF_ERROR(to_route_profiles(as_given, kind, at).status());
  const auto profiles = to_route_profiles(request, kind, Field());
  if (!profiles.ok()) return in_head(profiles.status());
  const auto read = [](const std::string& bytes, auto ground, RestoredContent content,
                       WorkMeter* work) {
    return read_filed(bytes, std::move(ground), std::move(content), work);
  };
  if (is_mesh) {
    NavWorld::Source ground{world->name, {}, *profiles};
    ground.cell_side = head->mesh_cell_size();
    ground.base_radius = head->mesh_base_radius();
    make_by(std::move(ground), read);
  } else {
    make_by(GraphWorld::Source{world->name, {}, *profiles}, read);
  }
  return absl::OkStatus();
}

absl::StatusOr<FiledWorld> read_kept_world(const std::string& file, const WorldFacts& facts,
                                           WorkMeter* work) {
  REPATH_ASSIGN_OR_RETURN(v1::WorldFileHead head, read_world_head(file));
  FiledWorld world;
  world.content = begin_content(head);
  if (head.kind() != name_of(facts.kind))
    return make_error(absl::StatusCode::kDataLoss, "WORLD_DAMAGED", "kind",
                      "is not that of the world");
  if (facts.is_grid()) {
    REPATH_ASSIGN_OR_RETURN(WorldSpec grid, to_filed_grid(head.world(), facts.settings));
    grid.name = facts.name;
    REPATH_RETURN_IF_ERROR(read_world_file(file, &grid, &world.content, work));
    world.ground = std::move(grid);
    return world;
  }
  REPATH_ASSIGN_OR_RETURN(const std::vector<Profile> profiles,
                          to_route_profiles(head.world(), facts.kind, Field()));
  if (facts.kind == WorldKind::kNavmesh) {
    NavWorld::Source ground{facts.name, {}, profiles};
    ground.cell_side = head.mesh_cell_size();
    ground.base_radius = head.mesh_base_radius();
    REPATH_RETURN_IF_ERROR(read_world_file(file, &ground.mesh, &world.content, work));
    world.ground = std::move(ground);
  } else {
    GraphWorld::Source ground{facts.name, {}, profiles};
    REPATH_RETURN_IF_ERROR(read_world_file(file, &ground.graph, &world.content, work));
    world.ground = std::move(ground);
  }
  return world;
}

}  // namespace repath
