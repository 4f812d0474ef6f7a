// What queries read of a grid world: snapshots, with the labels and clusters that are known of each
// view. These are told of changes when a snapshot is taken; what queries find out stays in them.
//
// Not thread-safe; borrows the world, which must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/ids.h"
#include "engine/query_views.h"
#include "engine/snapshot.h"
#include "engine/tried_changes.h"
#include "grid/components/component_map.h"
#include "grid/hpa/hpa_map.h"
#include "world/world.h"

namespace repath {

class GridCaptures {
 public:
  // `facts_bytes_max`: memory for what queries find out, of all views together.
  GridCaptures(World& world, std::uint64_t facts_bytes_max);

  // As Engine::capture.
  absl::StatusOr<Snapshot> capture(const std::string& profile, TeamId team);
  // Keeps labels of the view from now on: a client that tries changes once does so again.
  absl::Status keep_labels(const std::string& profile, TeamId team);
  // Of the views that have labels. Valid until the next call.
  std::vector<ViewComponents> labels();
  std::uint64_t bytes() const;

 private:
  struct Facts {
    std::optional<ComponentMap> components = {};
    Revision components_at{};  // the revision up to which it was told of changes
    std::optional<HpaMap> clusters = {};
    Revision clusters_at{};
  };
  using Views = QueryViews<World, ViewId, Facts>;

  // These make them, or bring them up to date.
  const ComponentMap& components_of(Views::Used* used) const;
  const HpaMap& clusters_of(Views::Used* used) const;

  World& world_;
  Cow<FactMemory> facts_memory_;
  Views views_;
};

}  // namespace repath
