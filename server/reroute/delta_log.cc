#include "reroute/delta_log.h"

#include <utility>

namespace repath {

void RouteDeltaLog::open(RouteViewId view, Revision now) {
  const auto [it, is_new] = views_.try_emplace(view);
  if (is_new) it->second.complete_after = now;
}

void RouteDeltaLog::close(RouteViewId view) { views_.erase(view); }

void RouteDeltaLog::append(RouteCommit commit, std::uint64_t frame, Micros us) {
  for (RouteDelta& delta : commit.views) {
    const auto it = views_.find(delta.view);
    if (it == views_.end()) continue;
    View& view = it->second;
    view.changes += delta.changes.size();
    view.deltas.push_back({commit.revision, std::move(delta.changes), frame, us});
    while (view.changes > kChangesMax) {
      view.changes -= view.deltas.front().changes.size();
      view.complete_after = view.deltas.front().revision;
      view.deltas.pop_front();
    }
  }
}

bool RouteDeltaLog::covers(RouteViewId view, Revision since) const {
  return since >= views_.at(view).complete_after;
}

std::vector<RouteViewId> RouteDeltaLog::views() const {
  std::vector<RouteViewId> views;
  for (const auto& [view, log] : views_) views.push_back(view);
  return views;
}

std::uint64_t RouteDeltaLog::bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& [view, log] : views_)
    bytes += log.changes * sizeof(RouteChange) + log.deltas.size() * sizeof(LoggedRouteDelta);
  return bytes;
}

}  // namespace repath
