// What the latest batches did to each view, so that a search that read an older revision can catch
// up or be judged.
//
// Not thread-safe while open(), close() or append() run; reads may run in parallel. Bounded: the
// oldest deltas of a view go when it holds more than kEdgesMax edges, and whoever still needed them
// must begin anew (covers() says so).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <vector>

#include "base/ids.h"
#include "world/view.h"

namespace repath {

struct LoggedDelta {
  Revision revision{};
  ViewDelta delta;
  std::vector<ObstacleId> causes;  // that the delta's edges name
  std::uint64_t frame = 0;         // when it was committed
  Micros us = 0;
};

class DeltaLog {
 public:
  static constexpr std::size_t kEdgesMax = std::size_t{1} << 18;  // of one view, 32 bytes each

  // The view is in use from revision `now` on. No effect if it is already.
  void open(ViewId view, Revision now);
  void close(ViewId view);
  // Takes the deltas of a commit. REQUIRES: revisions ascend.
  void append(Commit commit, std::uint64_t frame, Micros us);

  // Whether every delta after `since` is still here. REQUIRES: the view is open.
  bool covers(ViewId view, Revision since) const;
  // Calls visit(const LoggedDelta&) for every delta after `since`, oldest first.
  template <class Visit>
  void for_each_after(ViewId view, Revision since, Visit&& visit) const {
    const std::deque<LoggedDelta>& deltas = views_.at(view).deltas;
    for (auto it = first_after(deltas, since); it != deltas.end(); ++it) visit(*it);
  }
  // Changed nodes after `since`: what catching up costs.
  std::uint64_t changed_nodes_after(ViewId view, Revision since) const;

  std::uint64_t bytes() const;

 private:
  struct View {
    std::deque<LoggedDelta> deltas;
    Revision complete_after{};  // deltas up to this revision are gone or never were
    std::size_t edges = 0;
  };
  static std::deque<LoggedDelta>::const_iterator first_after(const std::deque<LoggedDelta>& deltas,
                                                             Revision since);

  std::map<ViewId, View> views_;
};

}  // namespace repath
