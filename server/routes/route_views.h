// Which views of a world of routes are in use. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/check.h"
#include "base/error.h"
#include "base/ids.h"
#include "routes/route_world.h"

namespace repath {

// Returns the index of the profile. NOT_FOUND with PROFILE_UNKNOWN, field "profile".
inline absl::StatusOr<std::size_t> place_of_profile(const std::vector<Profile>& profiles,
                                                    std::string_view name) {
  const Profile* found = find_profile(profiles, name);
  if (found != nullptr) return static_cast<std::size_t>(found - profiles.data());
  return make_error(absl::StatusCode::kNotFound, "PROFILE_UNKNOWN", "profile",
                    "the world has no profile \"" + std::string(name) + "\"");
}

// `View` is the world's data for each view; the world makes it, and it is destroyed with its last
// use.
template <class View>
class RouteViews {
 public:
  // Returns the view; null if no such view is in use.
  const RouteViewId* find(std::size_t profile, TeamId team) const {
    for (const Slot& slot : slots_)
      if (slot.uses > 0 && slot.profile == profile && slot.team == team) return &slot.id;
    return nullptr;
  }
  bool is_full() const { return in_use_ >= kRouteViewsMax; }
  // Adds a view with one use. REQUIRES: not full, and no such view is in use.
  RouteViewId add(std::size_t profile, TeamId team, View view) {
    REPATH_CHECK(!is_full());
    std::size_t i = 0;
    while (i < slots_.size() && slots_[i].uses > 0) ++i;
    if (i == slots_.size()) slots_.emplace_back();
    slots_[i] = {RouteViewId{static_cast<std::uint32_t>(i)}, profile, team, 1, std::move(view)};
    ++in_use_;
    return slots_[i].id;
  }
  void use(RouteViewId id) { ++slot(id).uses; }
  // Ends one use. Returns true if it was the last; the view is then to be taken with take().
  bool unuse(RouteViewId id) { return --slot(id).uses == 0; }
  // REQUIRES: unuse() was true.
  View take(RouteViewId id) {
    --in_use_;
    return std::move(slots_[index(id)].view);
  }
  View& at(RouteViewId id) { return slot(id).view; }
  const View& at(RouteViewId id) const { return const_cast<RouteViews*>(this)->slot(id).view; }

  // Returns the same views in use, each made by make(view).
  template <class Make>
  RouteViews like(Make&& make) const {
    RouteViews copy;
    copy.in_use_ = in_use_;
    for (const Slot& slot : slots_) {
      View view = slot.uses > 0 ? make(slot.view) : View{};
      copy.slots_.push_back({slot.id, slot.profile, slot.team, slot.uses, std::move(view)});
    }
    return copy;
  }

  std::size_t size() const { return in_use_; }
  // Calls visit(id, view) for each view, ascending by id.
  template <class Visit>
  void for_each(Visit&& visit) {
    for (Slot& slot : slots_)
      if (slot.uses > 0) visit(slot.id, slot.view);
  }

 private:
  struct Slot {
    RouteViewId id{};
    std::size_t profile = 0;
    TeamId team{};
    std::uint64_t uses = 0;
    View view{};
  };
  Slot& slot(RouteViewId id) {
    REPATH_CHECK(index(id) < slots_.size() && slots_[index(id)].uses > 0);
    return slots_[index(id)];
  }

  std::vector<Slot> slots_;
  std::size_t in_use_ = 0;
};

inline absl::Status too_many_views() {
  return make_error(
      absl::StatusCode::kResourceExhausted, "VIEWS_TOO_MANY", "profile",
      "a world has at most " + std::to_string(kRouteViewsMax) +
          " pairs of profile and team in use; remove agents or give them a pair in use");
}

}  // namespace repath
