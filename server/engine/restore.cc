#include "engine/restore.h"

#include <cstdint>
#include <string>
#include <utility>

#include "base/error.h"

namespace repath {
namespace {

// Rough work of applying one entry of a batch, and one span of cells that it covers.
constexpr std::uint64_t kUnitsPerEntry = 1000;
constexpr std::uint64_t kUnitsPerSpan = 8;

// Commits the batch and returns the work that it took beside its entries.
absl::StatusOr<std::uint64_t> commit(const ChangeBatch& batch, World* world) {
  REPATH_ASSIGN_OR_RETURN(StagedBatch staged, world->stage(batch));
  world->commit(std::move(staged));
  std::uint64_t spans = 0;
  for (const ObstacleSpec& spec : batch.upsert_obstacles)
    spans += world->obstacle_index().find(spec.id)->cells.size();
  for (const Body& body : batch.stand) spans += world->body(body.agent)->cells.size();
  return spans * kUnitsPerSpan;
}

absl::StatusOr<std::uint64_t> commit(const ChangeBatch& batch, RouteWorld* world) {
  REPATH_RETURN_IF_ERROR(world->apply(batch).status());
  return 0;
}

// Moves the second half of a list to another batch.
template <class T>
void halve(std::vector<T>* list, std::vector<T>* rest) {
  const auto half = list->begin() + static_cast<std::ptrdiff_t>(list->size() / 2);
  rest->assign(half, list->end());
  list->erase(half, list->end());
}

template <class AnyWorld>
absl::Status apply(ChangeBatch batch, AnyWorld* world, WorkMeter* work) {
  if (!work->spend(kUnitsPerEntry * batch.entries())) return work->error("content");
  const absl::StatusOr<std::uint64_t> units = commit(batch, world);
  if (units.ok()) return work->spend(*units) ? absl::OkStatus() : work->error("content");
  if (error_reason(units.status()) != "BATCH_TOO_LARGE" || batch.entries() < 2)
    return units.status();
  ChangeBatch rest;
  if (batch.upsert_obstacles.size() > 1) {
    halve(&batch.upsert_obstacles, &rest.upsert_obstacles);
  } else {
    rest.upsert_obstacles = std::exchange(batch.upsert_obstacles, {});
    if (rest.upsert_obstacles.empty()) halve(&batch.stand, &rest.stand);
  }
  REPATH_RETURN_IF_ERROR(apply(std::move(batch), world, work));
  return apply(std::move(rest), world, work);
}

template <class AnyWorld>
absl::Status restore_any(const RestoredContent& content, AnyWorld* world, WorkMeter* work) {
  for (std::size_t i = 0; i < content.batches.size(); ++i)
    if (absl::Status s = apply(content.batches[i], world, work); !s.ok())
      return with_field_prefix(s, item("content", i) + ".");
  world->begin_at(content.revision);
  if (world->state_hash() == content.state_hash) return absl::OkStatus();
  return invalid_field("WORLD_FILE_HASH", "state_hash",
                       "the file makes a world with another state hash than the one exported; "
                       "export the world again");
}

}  // namespace

absl::Status restore(const RestoredContent& content, World* world, WorkMeter* work) {
  REPATH_RETURN_IF_ERROR(restore_any(content, world, work));
  if (!content.tiles_changed.empty()) world->set_tiles_changed(content.tiles_changed);
  return absl::OkStatus();
}

absl::Status restore(const RestoredContent& content, RouteWorld* world, WorkMeter* work) {
  return restore_any(content, world, work);
}

}  // namespace repath
