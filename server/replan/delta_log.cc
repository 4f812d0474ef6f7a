#include "replan/delta_log.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace repath {
namespace {

std::size_t edges_of(const ViewDelta& delta) { return delta.risen.size() + delta.fallen.size(); }

}  // namespace

void DeltaLog::open(ViewId view, Revision now) {
  const auto [it, is_new] = views_.try_emplace(view);
  if (is_new) it->second.complete_after = now;
}

void DeltaLog::close(ViewId view) { views_.erase(view); }

void DeltaLog::append(Commit commit, std::uint64_t frame, Micros us) {
  for (ViewDelta& delta : commit.views) {
    const auto it = views_.find(delta.view);
    if (it == views_.end()) continue;
    View& view = it->second;
    view.edges += edges_of(delta);
    view.deltas.push_back({commit.revision, std::move(delta), commit.causes, frame, us});
    while (view.edges > kEdgesMax) {
      view.edges -= edges_of(view.deltas.front().delta);
      view.complete_after = view.deltas.front().revision;
      view.deltas.pop_front();
    }
  }
}

bool DeltaLog::covers(ViewId view, Revision since) const {
  return since >= views_.at(view).complete_after;
}

std::uint64_t DeltaLog::changed_nodes_after(ViewId view, Revision since) const {
  std::uint64_t nodes = 0;
  for_each_after(view, since,
                 [&](const LoggedDelta& logged) { nodes += logged.delta.changed_nodes.size(); });
  return nodes;
}

std::uint64_t DeltaLog::bytes() const {
  std::uint64_t edges = 0;
  for (const auto& [id, view] : views_) edges += view.edges;
  return edges * (sizeof(EdgeChange) + 2 * sizeof(NodeId));
}

// Mostly one of the last: from there back in strides that double.
std::deque<LoggedDelta>::const_iterator DeltaLog::first_after(const std::deque<LoggedDelta>& deltas,
                                                              Revision since) {
  const auto is_later = [](Revision r, const LoggedDelta& logged) { return r < logged.revision; };
  auto end = deltas.end();
  for (std::ptrdiff_t stride = 1; end - deltas.begin() > stride; stride *= 2) {
    if (!is_later(since, *(end - stride)))
      return std::upper_bound(end - stride, end, since, is_later);
    end -= stride;
  }
  return std::upper_bound(deltas.begin(), end, since, is_later);
}

}  // namespace repath
