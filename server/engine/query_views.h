// The views of a world that queries and dry runs use. `World` is World or RouteWorld; nothing here
// depends on which.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/error.h"
#include "base/ids.h"

namespace repath {

// Returns whether it is the error of a view, or of a change, for which giving up views makes room.
inline bool lacks_room(const absl::Status& status) {
  return error_reason(status) == "VIEWS_TOO_MANY" || error_reason(status) == "WORLD_MEMORY";
}

// The views kept for later queries beside those that agents use, each with the facts found about
// it. Over a limit of their number, and where the world has no room for another one, the view used
// longest ago is released. Not thread-safe; borrows the world.
template <class World, class ViewId, class Facts>
class QueryViews {
 public:
  struct Used {
    ViewId view{};
    Facts facts = {};
  };

  QueryViews(World& world, std::size_t views_max) : world_(world), views_max_(views_max) {}

  // Returns the view, which stays valid until the next call. Errors of acquire_view.
  absl::StatusOr<Used*> use(const std::string& profile, TeamId team) {
    absl::StatusOr<ViewId> view = world_.acquire_view(profile, team);
    while (lacks_room(view.status()) && !views_.empty()) {
      release_oldest();
      view = world_.acquire_view(profile, team);
    }
    if (!view.ok()) return view.status();
    Used used{*view};
    if (const auto it = std::ranges::find(views_, *view, &Used::view); it != views_.end()) {
      world_.release_view(it->view);
      used = std::move(*it);
      views_.erase(it);
    }
    views_.push_back(std::move(used));
    if (views_.size() > views_max_) release_oldest();
    return &views_.back();
  }
  // Ends the uses of all kept views. Returns whether there were any.
  bool give_up() {
    const bool had_any = !views_.empty();
    for (const Used& used : views_) world_.release_view(used.view);
    views_.clear();
    return had_any;
  }
  // Returns all kept views, the one used last at the end.
  std::deque<Used>& all() { return views_; }
  const std::deque<Used>& all() const { return views_; }

 private:
  void release_oldest() {
    world_.release_view(views_.front().view);
    views_.pop_front();
  }

  World& world_;
  std::size_t views_max_;
  std::deque<Used> views_;  // one use of each
};

// Uses of views that end when this object does. After a failed check the world is given up, views
// and all.
template <class World, class ViewId>
class ViewUses {
 public:
  explicit ViewUses(World& world) : world_(world) {}
  ~ViewUses() noexcept(false) {
    if (std::uncaught_exceptions() > exceptions_) return;
    for (const ViewId view : views_) world_.release_view(view);
  }
  ViewUses(const ViewUses&) = delete;
  ViewUses& operator=(const ViewUses&) = delete;

  absl::Status add(const std::string& profile, TeamId team) {
    const absl::StatusOr<ViewId> view = world_.acquire_view(profile, team);
    if (view.ok()) views_.push_back(*view);
    return view.status();
  }
  const std::vector<ViewId>& views() const { return views_; }

 private:
  World& world_;
  std::vector<ViewId> views_;
  const int exceptions_ = std::uncaught_exceptions();
};

}  // namespace repath
