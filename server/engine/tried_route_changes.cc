#include "engine/tried_route_changes.h"

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "reroute/tried_batch.h"
#include "routes/places.h"

namespace repath {
namespace {

// Uses of views that end with it. After a failed check the world is given up, views and all.
class RouteViewUses {
 public:
  explicit RouteViewUses(RouteWorld& world) : world_(world) {}
  ~RouteViewUses() noexcept(false) {
    if (std::uncaught_exceptions() > exceptions_) return;
    for (const RouteViewId view : views_) world_.release_view(view);
  }
  RouteViewUses(const RouteViewUses&) = delete;
  RouteViewUses& operator=(const RouteViewUses&) = delete;

  absl::Status add(const std::string& profile, TeamId team) {
    const absl::StatusOr<RouteViewId> view = world_.acquire_view(profile, team);
    if (view.ok()) views_.push_back(*view);
    return view.status();
  }
  const std::vector<RouteViewId>& views() const { return views_; }

 private:
  RouteWorld& world_;
  std::vector<RouteViewId> views_;
  const int exceptions_ = std::uncaught_exceptions();
};

// Whether somebody at the one place would find a way to the other.
bool are_connected(const RouteWorld& world, RouteViewId view, const TestChanges::Pair& pair,
                   ReachByView* reach) {
  const RouteGround& ground = world.ground(view);
  const std::optional<RoutePlace> from = stand_at(ground, spot_of(pair.from));
  const std::optional<RoutePlace> to = stand_at(ground, spot_of(pair.to));
  return from && to && reach->leads(view, *from, *to);
}

}  // namespace

absl::StatusOr<TestAnswer> try_route_changes(RouteWorld& world, const TestChanges& command,
                                             const RouteState& agents) {
  RouteViewUses pair_views(world);
  for (std::size_t i = 0; i < command.pairs.size(); ++i)
    if (auto status = pair_views.add(command.pairs[i].profile, command.pairs[i].team); !status.ok())
      return with_field_prefix(status, item("pairs", i) + ".");
  const std::unique_ptr<RouteWorld> after = world.clone();
  absl::StatusOr<RouteCommit> commit = after->apply(std::get<RouteBatch>(command.batch));
  if (!commit.ok()) return with_field_prefix(commit.status(), "batch.");
  ReachByView reach_before(world);
  ReachByView reach_after(*after);
  TestAnswer answer;
  answer.revision = world.revision();
  for (std::size_t i = 0; i < command.pairs.size(); ++i) {
    const RouteViewId view = pair_views.views()[i];
    answer.pairs.push_back({are_connected(world, view, command.pairs[i], &reach_before),
                            are_connected(*after, view, command.pairs[i], &reach_after)});
  }
  answer.changed_edges = commit->changed;
  AgentsHit hit = find_agents_hit(agents, *after, *commit, command.max_agents, &reach_after);
  answer.affected_agents = std::move(hit.affected);
  answer.cut_off_agents = std::move(hit.cut_off);
  answer.truncated = hit.truncated;
  return answer;
}

}  // namespace repath
