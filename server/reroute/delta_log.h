// What the latest batches did to each view, so that a search that read an older revision can be
// judged.
//
// Not thread-safe. Bounded: the oldest deltas of a view go when it holds more than kChangesMax
// changes, and whoever still needed them must begin anew (covers() says so).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "base/ids.h"
#include "routes/route_world.h"

namespace repath {

struct LoggedRouteDelta {
  Revision revision{};
  std::vector<RouteChange> changes;
  std::uint64_t frame = 0;  // when it was committed
  Micros us = 0;
};

class RouteDeltaLog {
 public:
  static constexpr std::size_t kChangesMax = std::size_t{1} << 16;  // of one view, 96 bytes each

  // The view is in use from revision `now` on. No effect if it is already.
  void open(RouteViewId view, Revision now);
  void close(RouteViewId view);
  // REQUIRES: revisions ascend.
  void append(RouteCommit commit, std::uint64_t frame, Micros us);

  // Whether every delta after `since` is still here. REQUIRES: the view is open.
  bool covers(RouteViewId view, Revision since) const;
  // Calls visit(const LoggedRouteDelta&) for every delta after `since`, oldest first. REQUIRES: the
  // view is open.
  template <class Visit>
  void for_each_after(RouteViewId view, Revision since, Visit&& visit) const {
    const std::deque<LoggedRouteDelta>& deltas = views_.at(view).deltas;
    for (auto it = first_after(deltas, since); it != deltas.end(); ++it) visit(*it);
  }
  // How many these are. O(log of all).
  std::size_t count_after(RouteViewId view, Revision since) const {
    const std::deque<LoggedRouteDelta>& deltas = views_.at(view).deltas;
    return static_cast<std::size_t>(deltas.end() - first_after(deltas, since));
  }
  // Open ones, ascending.
  std::vector<RouteViewId> views() const;

  std::uint64_t bytes() const;

 private:
  struct View {
    std::deque<LoggedRouteDelta> deltas;
    Revision complete_after{};  // deltas up to this revision are gone or never were
    std::size_t changes = 0;
  };

  static std::deque<LoggedRouteDelta>::const_iterator first_after(
      const std::deque<LoggedRouteDelta>& deltas, Revision since) {
    return std::ranges::upper_bound(deltas, since, {}, &LoggedRouteDelta::revision);
  }

  std::map<RouteViewId, View> views_;
};

}  // namespace repath
