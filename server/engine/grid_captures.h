// Makes snapshots of a grid world for queries, with the labels and clusters known of each view.
// Both are brought up to date when a snapshot is taken, and keep the facts that queries find.
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
  // `facts_bytes_max`: memory limit for facts that queries find, of all views together.
  GridCaptures(World& world, std::uint64_t facts_bytes_max);

  // Returns the same as Engine::capture.
  absl::StatusOr<Snapshot> capture(const std::string& profile, TeamId team);
  // Keeps labels of the view from now on: a client that tries changes once is likely to do so
  // again.
  absl::Status keep_labels(const std::string& profile, TeamId team);
  // Does the same for a view that agents use, as long as no other view must be released for it.
  void keep_labels_if_room(const std::string& profile, TeamId team);
  // Returns the views that have labels. Valid until the next call.
  std::vector<ViewComponents> labels();
  // Gives up all views and what was found about them. Returns whether there were any.
  bool give_up() { return views_.give_up(); }
  std::uint64_t bytes() const;

 private:
  struct Facts {
    std::optional<ComponentMap> components = {};
    Revision components_at{};  // the revision that they are up to date with
    std::optional<HpaMap> clusters = {};
    Revision clusters_at{};
  };
  using Views = QueryViews<World, ViewId, Facts>;

  // These two make the labels or clusters, or bring them up to date.
  const ComponentMap& components_of(Views::Used* used) const;
  const HpaMap& clusters_of(Views::Used* used) const;

  World& world_;
  Cow<FactMemory> facts_memory_;
  Views views_;
};

}  // namespace repath
