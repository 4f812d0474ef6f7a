#include "routes/route_world.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/error.h"
#include "world/content_hash.h"

namespace repath {

RouteWorld::RouteWorld(std::string name, std::vector<Profile> profiles, const WorldLimits& limits)
    : name_(std::move(name)), profiles_(std::move(profiles)), limits_(limits) {
  for (const Profile& profile : profiles_) content_hash_ += content_hash(profile);
}

RouteWorld::RouteWorld(const RouteWorld& other)
    : content_hash_(other.content_hash_),
      name_(other.name_),
      profiles_(other.profiles_),
      limits_(other.limits_),
      revision_(other.revision_) {}

std::uint64_t RouteWorld::state_hash() const { return fold_revision(content_hash_, revision_); }

absl::StatusOr<RouteViewId> RouteWorld::acquire_view(std::string_view profile, TeamId team,
                                                     const EndingUses<RouteViewId>& ending) {
  REPATH_ASSIGN_OR_RETURN(const std::size_t place, place_of_profile(profiles_, profile));
  const std::optional<RouteViewId> known = find_view(place, team);
  const bool counts_already = known && ending.outlives(*known, view(*known).uses);
  if (!counts_already && views_after(ending) >= kRouteViewsMax)
    return make_error(
        absl::StatusCode::kResourceExhausted, "VIEWS_TOO_MANY", "profile",
        "a world has at most " + std::to_string(kRouteViewsMax) +
            " pairs of profile and team in use; remove agents or give them a pair in use");
  if (known) {
    ++views_[index(*known)].uses;
    return *known;
  }
  REPATH_ASSIGN_OR_RETURN(std::unique_ptr<QueryGround> ground, make_ground(profiles_[place], team));
  std::uint32_t free_place = 0;
  while (free_place < views_.size() && views_[free_place].ground != nullptr) ++free_place;
  if (free_place == views_.size()) views_.emplace_back();
  views_[free_place] = {place, team, 1, std::move(ground)};
  return RouteViewId{free_place};
}

std::optional<RouteViewId> RouteWorld::find_view(std::size_t profile, TeamId team) const {
  for (std::uint32_t i = 0; i < views_.size(); ++i)
    if (views_[i].ground != nullptr && views_[i].profile == profile && views_[i].team == team)
      return RouteViewId{i};
  return std::nullopt;
}

// Returns the number of views that are in use once the uses in `ending` have ended.
std::size_t RouteWorld::views_after(const EndingUses<RouteViewId>& ending) const {
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < views_.size(); ++i)
    if (views_[i].ground != nullptr && ending.outlives(RouteViewId{i}, views_[i].uses)) ++count;
  return count;
}

void RouteWorld::release_view(RouteViewId id) {
  view(id);
  View& ended = views_[index(id)];
  if (--ended.uses > 0) return;
  ended.ground.reset();
  note_view_end();
}

const QueryGround& RouteWorld::ground(RouteViewId id) const { return *view(id).ground; }

const RouteWorld::View& RouteWorld::view(RouteViewId id) const {
  REPATH_CHECK(index(id) < views_.size() && views_[index(id)].ground != nullptr);
  return views_[index(id)];
}

std::size_t RouteWorld::view_count() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(views_, [](const View& view) { return view.ground != nullptr; }));
}

absl::StatusOr<RouteCommit> RouteWorld::apply(const ChangeBatch& batch) {
  REPATH_ASSIGN_OR_RETURN(const std::unique_ptr<StagedRoutes> staged, stage(batch));
  return staged->commit();
}

void RouteWorld::add_profiles(const std::vector<Profile>& added) {
  for (const Profile& profile : added) {
    if (find_profile(profiles_, profile.name) != nullptr) continue;
    profiles_.push_back(profile);
    content_hash_ += content_hash(profile);
  }
}

void RouteWorld::begin_at(Revision revision) {
  REPATH_CHECK(views_.empty());
  revision_ = revision;
}

RouteCommit RouteWorld::begin_commit() {
  revision_ = next(revision_);
  return {.revision = revision_, .state_hash = state_hash(), .changed = 0, .views = {}};
}

}  // namespace repath
