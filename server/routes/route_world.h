// A world whose paths are routes: a navmesh that obstacles are carved out of (routes/nav_world.h)
// or a waypoint graph (routes/graph_world.h). Only whole batches change it, each one revision.
//
// Thread rule: not thread-safe; one strand owns it. Grounds from keep() may be read on any thread.
// Invariants:
//   1. A view's content is a function of (the world's source, enabled obstacles and switches and
//      edits, profile, team) alone, not of history.
//   2. A refused batch has changed nothing.
//   3. The cost of a batch depends on the ground it touches, not on the size of the world. The
//      exception is a new profile for which a navmesh needs walls of its own: O(world).
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
#include "base/ending_uses.h"
#include "base/ids.h"
#include "routes/query_ground.h"
#include "world/batch.h"
#include "world/limits.h"
#include "world/piecewise_copy.h"
#include "world/world_content.h"

namespace repath {

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
  // Empty only on meshes, where cells may be cut in another way although no ground changed.
  std::vector<RouteChange> changes;
  // Graphs: the nodes where changed edges begin, and where they end. Meshes, in both: the cells of
  // the base (CarvedGround::base) whose ground changed, or where a link leads elsewhere. Ascending,
  // each once.
  std::vector<NodeId> tails = {};
  std::vector<NodeId> heads = {};
};

struct RouteCommit {
  Revision revision{};
  std::uint64_t state_hash = 0;
  std::uint64_t changed = 0;  // cells of meshes, directed edges of graphs, over all views in use
  std::vector<RouteDelta> views;  // ascending; those without a change are left out
};

// A batch that its world has worked out and does not refuse any more. Borrows the world, and the
// batch. REQUIRES: both stay as they are until commit().
class StagedRoutes {
 public:
  virtual ~StagedRoutes() = default;
  // Does what the batch says. To be called once.
  virtual RouteCommit commit() = 0;
};

class RouteWorld {
 public:
  virtual ~RouteWorld() = default;
  RouteWorld& operator=(const RouteWorld&) = delete;

  const std::string& name() const { return name_; }
  virtual WorldKind kind() const = 0;  // kNavmesh or kGraph
  Revision revision() const { return revision_; }
  // Returns a hash that is equal for equal content at the same revision, on every machine. O(1).
  std::uint64_t state_hash() const;
  // Returns the profiles, "default" among them.
  const std::vector<Profile>& profiles() const { return profiles_; }
  virtual std::size_t obstacle_count() const { return 0; }
  // Returns the form of an obstacle in force: a number that it keeps while it is unchanged and gets
  // again when it is changed back. No other obstacle has this form. 0: the obstacle is out of
  // force, or does not block.
  virtual std::uint64_t form_of(ObstacleId) const { return 0; }
  // Returns the revision since which a kept search may go on (KeptRouteSearch::read): it was made
  // then or later. Before that, nodes had other numbers or places, or their bounds held no longer.
  virtual Revision shape_since() const { return Revision{1}; }
  // Returns the number of pieces that a search may expand, roughly; 0: unknown.
  virtual std::uint64_t node_count() const { return 0; }
  // Returns a box around all of the world's ground or nodes, disabled ones too.
  virtual RouteBox bounds() const = 0;
  virtual std::uint64_t bytes() const = 0;
  // Sets WorldLimits::memory_bytes. The world keeps what it has, even if that is more.
  void set_memory_limit(std::uint64_t bytes) { limits_.memory_bytes = bytes; }
  std::uint64_t memory_limit() const { return limits_.memory_bytes; }

  // Adds one use to the view of (profile, team), and makes the view if it is not in use yet.
  // NOT_FOUND with reason PROFILE_UNKNOWN; RESOURCE_EXHAUSTED with VIEWS_TOO_MANY or WORLD_MEMORY.
  // The limit of views counts those that are in use once the caller has ended the uses in `ending`.
  // O(world) when made.
  absl::StatusOr<RouteViewId> acquire_view(std::string_view profile, TeamId team,
                                           const EndingUses<RouteViewId>& ending = {});
  // Ends one use. REQUIRES for this and all functions that follow: the view is in use.
  void release_view(RouteViewId view);
  // Returns today's ground; it changes with apply(), after which its places are meaningless.
  const QueryGround& ground(RouteViewId view) const;
  // Returns the same as an immutable copy, shared by all callers at one revision. O(world) the
  // first time.
  virtual std::shared_ptr<const QueryGround> keep(RouteViewId view) = 0;

  // Works the batch out; changes nothing. Each error names the field at fault:
  // "upsert_obstacles[2].cylinder.radius".
  // INVALID_ARGUMENT: EMPTY_BATCH, DUPLICATE_ID, OUT_OF_RANGE, NOT_FINITE, KIND_UNSUITED (obstacles
  // and links for a graph, graph edits for a mesh), ...
  // NOT_FOUND: OBSTACLE_UNKNOWN, LINK_UNKNOWN, NODE_UNKNOWN, EDGE_UNKNOWN. ALREADY_EXISTS:
  // PROFILE_EXISTS, NODE_EXISTS.
  // RESOURCE_EXHAUSTED: BATCH_TOO_LARGE, OBSTACLES_TOO_MANY, PROFILES_TOO_MANY, WORLD_MEMORY, and
  // the errors of CarvedMesh::apply.
  virtual absl::StatusOr<std::unique_ptr<StagedRoutes>> stage(const ChangeBatch& batch) = 0;
  // Stages the batch and commits it.
  absl::StatusOr<RouteCommit> apply(const ChangeBatch& batch);

  // Returns another world like this one, with the same views in use under the same ids. Applying a
  // batch to it shows what the batch would do here. O(world).
  virtual std::unique_ptr<RouteWorld> clone() const = 0;

  // ---- reading it back, see world/world_content.h ----
  // Returns a page of obstacles; the revision is left open. Graphs have none.
  virtual ObstaclePage read_obstacles(const ObstacleQuestion&) const { return {}; }
  // Returns a page of a graph; the revision is left open. Nothing for a navmesh.
  virtual std::optional<GraphPage> read_graph(const GraphQuestion&) const { return std::nullopt; }
  // Begins a copy of the world as it is now, advances it by about `bytes`, or gives it up. See
  // CopiesUnderWay. RESOURCE_EXHAUSTED with reason EXPORTS_MAX.
  virtual absl::StatusOr<CopyId> begin_copy() = 0;
  virtual std::optional<WorldContent> advance_copy(CopyId id, std::size_t bytes) = 0;
  virtual void end_copy(CopyId id) = 0;
  // Makes the present content that of `revision`. REQUIRES: no view is in use, no copy under way.
  void begin_at(Revision revision);

 protected:
  // REQUIRES: check_profiles() is OK.
  RouteWorld(std::string name, std::vector<Profile> profiles, const WorldLimits& limits);
  // Copies all but the views, see copy_views().
  RouteWorld(const RouteWorld& other);

  // Makes the ground of a new view.
  virtual absl::StatusOr<std::unique_ptr<QueryGround>> make_ground(const Profile& profile,
                                                                   TeamId team) = 0;
  // Follows the end of a view, whose ground is gone.
  virtual void note_view_end() {}
  std::size_t view_count() const;
  // Calls visit(id, ground) for each view, ascending by id. `Ground`: the world's own type.
  template <class Ground, class Visit>
  void for_each_view(Visit&& visit) const {
    for (std::uint32_t i = 0; i < views_.size(); ++i)
      if (views_[i].ground != nullptr)
        visit(RouteViewId{i}, static_cast<Ground&>(*views_[i].ground));
  }
  // Takes over the views of another world, each with the ground made by make(its ground).
  template <class Ground, class Make>
  void copy_views(const RouteWorld& other, Make&& make) {
    for (const View& view : other.views_) {
      views_.push_back({view.profile, view.team, view.uses, nullptr});
      if (view.ground != nullptr)
        views_.back().ground = make(static_cast<const Ground&>(*view.ground));
    }
  }

  const WorldLimits& limits() const { return limits_; }
  // Adds those profiles that are new.
  void add_profiles(const std::vector<Profile>& added);
  // Goes on to the next revision, when the batch is done. The caller fills in the changes.
  RouteCommit begin_commit();

  std::uint64_t content_hash_ = 0;  // sum of the parts' hashes, see world/content_hash.h

 private:
  struct View {
    std::size_t profile = 0;
    TeamId team{};
    std::uint64_t uses = 0;
    std::unique_ptr<QueryGround> ground;  // null: the view is not in use
  };
  const View& view(RouteViewId id) const;
  std::optional<RouteViewId> find_view(std::size_t profile, TeamId team) const;
  std::size_t views_after(const EndingUses<RouteViewId>& ending) const;

  std::string name_;
  std::vector<Profile> profiles_;
  WorldLimits limits_;
  Revision revision_{1};
  std::vector<View> views_;  // by id
};

}  // namespace repath
