// A world whose paths are routes: a navmesh that obstacles are carved out of (routes/nav_world.h)
// or a waypoint graph (routes/graph_world.h). Only whole batches change it, each one revision.
//
// Thread rule: not thread-safe; one strand owns it. Grounds from keep() may be read on any thread.
// Invariants:
//   1. A view's content is a function of (the world's source, enabled obstacles and switches and
//      edits, profile, team) alone, not of history.
//   2. A refused batch has changed nothing.
//   3. The cost of a batch depends on the ground it touches, never on the size of the world.
// Errors are absl::Status with reason and field (base/error.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/ids.h"
#include "routes/route_ground.h"
#include "world/batch.h"
#include "world/limits.h"

namespace repath {

class QueryGround;

// The id of a view in use; the number of a released view is used again.
enum class RouteViewId : std::uint32_t {};
constexpr std::uint32_t index(RouteViewId v) { return static_cast<std::uint32_t>(v); }

// One effect of a batch on a view. Ways from a point of one box to a point of the other may have
// closed or become dearer (`rose`), opened or become cheaper (`fell`). On meshes both boxes are the
// same: the ground within it changed.
struct RouteChange {
  RouteBox from;
  RouteBox to;
  bool rose = false;
  bool fell = false;
  Cost least = 0;  // if it fell: no changed way between the boxes costs less
  // If it fell: the first revision at which the obstacles that have gone now shut any of the ground
  // that opened. A proof at an earlier revision has counted that ground as open. 0: unknown.
  Revision shut_at{};
  std::uint64_t form = 0;  // of an obstacle that went: its form_of() while it stood; 0: not known
  std::optional<ObstacleId> cause{};
};

struct RouteDelta {
  RouteViewId view{};
  std::vector<RouteChange> changes;  // not empty
};

struct RouteCommit {
  Revision revision{};
  std::uint64_t state_hash = 0;
  std::uint64_t changed = 0;  // cells of meshes, directed edges of graphs, over all views in use
  std::vector<RouteDelta> views;  // ascending; those without a change are left out
};

class RouteWorld {
 public:
  virtual ~RouteWorld() = default;

  virtual const std::string& name() const = 0;
  virtual WorldKind kind() const = 0;  // kNavmesh or kGraph
  virtual Revision revision() const = 0;
  // Returns a hash that is equal for equal content at the same revision, on every machine. O(1).
  virtual std::uint64_t state_hash() const = 0;
  // Returns the profiles, "default" among them.
  virtual const std::vector<Profile>& profiles() const = 0;
  virtual std::size_t obstacle_count() const = 0;
  // Returns the form of an obstacle in force: a number that it keeps while it is unchanged and gets
  // again when it is changed back. No other obstacle has this form. 0: the obstacle is out of
  // force, or does not block.
  virtual std::uint64_t form_of(ObstacleId) const { return 0; }
  // Returns a box around all of the world's ground or nodes, disabled ones too.
  virtual RouteBox bounds() const = 0;
  virtual std::uint64_t bytes() const = 0;

  // Adds one use to the view of (profile, team), and makes the view if it is not in use yet.
  // NOT_FOUND with reason PROFILE_UNKNOWN; RESOURCE_EXHAUSTED with VIEWS_TOO_MANY or WORLD_MEMORY.
  // O(world) when made.
  virtual absl::StatusOr<RouteViewId> acquire_view(std::string_view profile, TeamId team) = 0;
  // Ends one use. REQUIRES for this and all functions that follow: the view is in use.
  virtual void release_view(RouteViewId view) = 0;
  // Returns today's ground; it changes with apply(), after which its places are meaningless.
  virtual const RouteGround& ground(RouteViewId view) const = 0;
  // Returns the same as an immutable copy, shared by all callers at one revision. O(world) the
  // first time.
  virtual std::shared_ptr<const RouteGround> keep(RouteViewId view) = 0;
  virtual std::shared_ptr<const QueryGround> keep_for_queries(RouteViewId view) = 0;

  // Applies the batch. Each error names the field at fault: "upsert_obstacles[2].cylinder.radius".
  // INVALID_ARGUMENT: EMPTY_BATCH, DUPLICATE_ID, OUT_OF_RANGE, NOT_FINITE, KIND_UNSUITED (obstacles
  // and links for a graph, graph edits for a mesh), ...
  // NOT_FOUND: OBSTACLE_UNKNOWN, LINK_UNKNOWN, NODE_UNKNOWN, EDGE_UNKNOWN. ALREADY_EXISTS:
  // PROFILE_EXISTS, NODE_EXISTS.
  // RESOURCE_EXHAUSTED: BATCH_TOO_LARGE, OBSTACLES_TOO_MANY, PROFILES_TOO_MANY, WORLD_MEMORY, and
  // the errors of CarvedMesh::apply.
  virtual absl::StatusOr<RouteCommit> apply(const ChangeBatch& batch) = 0;

  // Returns another world like this one, with the same views in use under the same ids. Applying a
  // batch to it shows what the batch would do here. O(world).
  virtual std::unique_ptr<RouteWorld> clone() const = 0;
};

}  // namespace repath
