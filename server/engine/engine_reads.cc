// The part of engine.h that reads a world back.
#include <string>
#include <utility>

#include "base/error.h"
#include "engine/engine.h"

namespace repath {

template <class Page>
absl::StatusOr<Page> Engine::whole(std::optional<Page> page, const char* kind) const {
  if (!page)
    return make_error(absl::StatusCode::kFailedPrecondition, "KIND_UNSUITED", "world",
                      std::string("is no ") + kind + "; this call is for " + kind + "s");
  page->revision = revision();
  return *std::move(page);
}

absl::StatusOr<TerrainPage> Engine::read_terrain(const TerrainQuestion& question) const {
  REPATH_RETURN_IF_ERROR(check_expected(question.expected_revision));
  if (question.changed_since > revision())
    return make_error(absl::StatusCode::kOutOfRange, "REVISION_NOT_YET", "changed_since_revision",
                      "the world is at revision " + std::to_string(value(revision())));
  return whole(world_->read_terrain(question), "grid");
}

absl::StatusOr<GraphPage> Engine::read_graph(const GraphQuestion& question) const {
  REPATH_RETURN_IF_ERROR(check_expected(question.expected_revision));
  return whole(world_->read_graph(question), "graph");
}

absl::StatusOr<ObstaclePage> Engine::read_obstacles(const ObstacleQuestion& question) const {
  REPATH_RETURN_IF_ERROR(check_expected(question.expected_revision));
  return whole(std::optional(world_->read_obstacles(question)), "world");
}

}  // namespace repath
