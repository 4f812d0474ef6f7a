// Worlds written to world files and made of them again, as a server does it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/executor.h"
#include "engine/engine.h"
#include "engine/restore.h"
#include "rpc/world_file.h"
#include "rpc/world_messages.h"
#include "runtime/registry.h"

namespace repath::test {

// Returns a copy of the engine's world, made in pieces of `piece` bytes.
inline WorldContent copy_of(Engine& engine, std::size_t piece = std::size_t{1} << 20) {
  const CopyId copy = *engine.begin_copy();
  for (;;)
    if (std::optional<WorldContent> whole = engine.advance_copy(copy, piece))
      return *std::move(whole);
}

inline std::string file_of(WorldContent content) {
  WorldFileWriter writer(std::make_shared<const WorldContent>(std::move(content)), "exported", {});
  std::string file;
  while (writer.next(&file)) {
  }
  return file;
}

// Makes an engine of what an import reads.
inline absl::StatusOr<std::unique_ptr<Engine>> engine_of(AnyWorldSpec spec, Executor& executor,
                                                         WorkMeter* work) {
  auto* file = std::get_if<FiledWorld>(&spec);
  if (file == nullptr) return absl::InternalError("no world file");
  const auto finish = [&](auto world) -> absl::StatusOr<std::unique_ptr<Engine>> {
    if (!world.ok()) return world.status();
    REPATH_RETURN_IF_ERROR(restore(file->content, world->get(), work));
    return Engine::create(*std::move(world), {}, executor);
  };
  const auto routes = [](auto world) -> absl::StatusOr<std::unique_ptr<RouteWorld>> {
    if (!world.ok()) return world.status();
    return std::unique_ptr<RouteWorld>(*std::move(world));
  };
  if (auto* grid = std::get_if<WorldSpec>(&file->ground))
    return finish(World::create(std::move(*grid), {}));
  if (auto* mesh = std::get_if<NavWorld::Source>(&file->ground))
    return finish(routes(NavWorld::create(std::move(*mesh), {}, work)));
  return finish(
      routes(GraphWorld::create(std::move(std::get<GraphWorld::Source>(file->ground)), {})));
}

// Imports a world file under the name "again".
inline absl::StatusOr<std::unique_ptr<Engine>> import_file(const std::string& file,
                                                           const Registry& registry,
                                                           Executor& executor) {
  v1::ImportWorldRequest::Header header;
  header.mutable_world()->set_name("again");
  header.set_format(v1::MAP_FORMAT_REPATH);
  REPATH_ASSIGN_OR_RETURN(const NewWorld world, to_imported_world(header, file, registry));
  WorkMeter work({}, file.size());
  REPATH_ASSIGN_OR_RETURN(AnyWorldSpec spec, world.make_spec(&work));
  return engine_of(std::move(spec), executor, &work);
}

}  // namespace repath::test
