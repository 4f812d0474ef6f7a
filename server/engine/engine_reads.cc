// The part of engine.h that reads a world back, and its agents for placements.
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

absl::StatusOr<PlacementGround> Engine::capture_placements(const std::string& profile, TeamId team,
                                                           const PlacementQuery& query) {
  std::optional<PlacementGround> ground;
  if (world_->has_cells()) {
    const absl::StatusOr<AnySnapshot> walker = capture(profile, team);
    if (!walker.ok()) return walker.status();
    const GridLayer& layer = walker->grid->ground ? *walker->grid->ground : walker->grid->layer;
    const PlaceBox covered = cells_covered(query, layer.width(), layer.height());
    ground = PlacementGround{revision(), layer, *world_->capture_agents(covered)};
  }
  return whole(std::move(ground), "grid");
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
