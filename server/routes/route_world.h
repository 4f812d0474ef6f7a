// A world whose paths are routes: a navmesh that obstacles are carved out of (routes/nav_world.h)
// or a waypoint graph (routes/graph_world.h). Changed only by whole batches, each one revision.
//
// Thread rule: not thread-safe; one strand owns it. What keep() gives may be read on any thread.
// Invariants:
//   1. What a view shows is a function of (what the world was made from, enabled obstacles and
//      switches and edits, profile, team) alone, not of the way there.
//   2. A refused batch has changed nothing.
//   3. A batch costs what it touches, never the size of the world.
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

// One view in use; the number of a released one is used again.
enum class RouteViewId : std::uint32_t {};
constexpr std::uint32_t index(RouteViewId v) { return static_cast<std::uint32_t>(v); }

// One thing that a batch did to a view: ways from a point of one box to a point of the other may
// have closed or become dearer (`rose`), opened or become cheaper (`fell`). On meshes the boxes are
// one and the same: the ground within it changed.
struct RouteChange {
  RouteBox from;
  RouteBox to;
  bool rose = false;
  bool fell = false;
  Cost least = 0;  // if it fell: no changed way between the boxes costs less
  // If it fell: all that opened was shut at this revision or later, by what has gone now. What was
  // proved of an earlier one has counted it as open. 0: not known.
  Revision shut_at{};
  std::uint64_t form = 0;  // of an obstacle that went: form_of() as long as it stood; 0: not known
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
  // Equal for equal content at the same revision, on every machine. O(1).
  virtual std::uint64_t state_hash() const = 0;
  // "default" is among them.
  virtual const std::vector<Profile>& profiles() const = 0;
  virtual std::size_t obstacle_count() const = 0;
  // Of an obstacle in force, equal only to itself as long as it stays as it is or is that again; 0:
  // it is not, or it does not block.
  virtual std::uint64_t form_of(ObstacleId) const { return 0; }
  // Around all of the world's ground or nodes, disabled ones too.
  virtual RouteBox bounds() const = 0;
  virtual std::uint64_t bytes() const = 0;

  // The view of (profile, team), made if nobody uses it yet, and used once more. NOT_FOUND with
  // reason PROFILE_UNKNOWN; RESOURCE_EXHAUSTED with VIEWS_TOO_MANY or WORLD_MEMORY. O(world) when
  // made.
  virtual absl::StatusOr<RouteViewId> acquire_view(std::string_view profile, TeamId team) = 0;
  // Ends one use. REQUIRES for this and all that follow: the view is in use.
  virtual void release_view(RouteViewId view) = 0;
  // As it is now; changes with apply(), and places of it mean nothing afterwards.
  virtual const RouteGround& ground(RouteViewId view) const = 0;
  // The same as an immutable copy, shared by all who ask at one revision. O(world) the first time.
  virtual std::shared_ptr<const RouteGround> keep(RouteViewId view) = 0;
  virtual std::shared_ptr<const QueryGround> keep_for_queries(RouteViewId view) = 0;

  // INVALID_ARGUMENT (EMPTY_BATCH, DUPLICATE_ID, OUT_OF_RANGE, NOT_FINITE, KIND_UNSUITED: obstacles
  // and links for a graph, graph edits for a mesh, ...), NOT_FOUND (OBSTACLE_UNKNOWN, LINK_UNKNOWN,
  // NODE_UNKNOWN, EDGE_UNKNOWN), ALREADY_EXISTS (PROFILE_EXISTS, NODE_EXISTS), RESOURCE_EXHAUSTED
  // (BATCH_TOO_LARGE, OBSTACLES_TOO_MANY, PROFILES_TOO_MANY, WORLD_MEMORY, what CarvedMesh::apply
  // says), each with the field at fault: "upsert_obstacles[2].cylinder.radius".
  virtual absl::StatusOr<RouteCommit> apply(const ChangeBatch& batch) = 0;

  // Another world like this one, with the same views in use under the same ids: what a batch would
  // do is what it does there. O(world).
  virtual std::unique_ptr<RouteWorld> clone() const = 0;
};

}  // namespace repath
