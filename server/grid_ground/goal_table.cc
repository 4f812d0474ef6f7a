#include "grid_ground/goal_table.h"

#include <algorithm>
#include <cmath>

namespace repath {

// Without a radius only the cell of a goal matters, not the point in it.
GoalTable::Key GoalTable::key_of(ViewId view, const AgentSpec& spec) {
  std::vector<std::pair<double, double>> points;
  for (const MapPoint& p : spec.goals)
    points.emplace_back(spec.goal_radius == 0 ? std::floor(p.x) : p.x,
                        spec.goal_radius == 0 ? std::floor(p.y) : p.y);
  std::ranges::sort(points);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return {index(view), spec.goal_radius, std::move(points)};
}

absl::StatusOr<GoalsId> GoalTable::acquire(const AgentSpec& spec) {
  const absl::StatusOr<ViewId> view = world_.acquire_view(
      spec.profile, spec.team, spec.stands ? std::optional(spec.id) : std::nullopt);
  if (!view.ok()) return view.status();
  Key key = key_of(*view, spec);
  if (const auto it = by_key_.find(key); it != by_key_.end()) {
    world_.release_view(*view);
    ++(*this)[it->second].agents;
    return it->second;
  }
  if (view_uses_[*view]++ == 0) log_.open(*view, world_.revision());
  const GridGraph graph = world_.graph(*view);
  auto entry = std::make_unique<GoalsEntry>(GoalsEntry{
      Goals(graph.layer(), graph.topology(), spec.goals, spec.goal_radius), *view, 1, 0, nullptr});
  std::uint32_t at = static_cast<std::uint32_t>(entries_.size());
  if (empty_.empty()) {
    entries_.push_back(std::move(entry));
    keys_.push_back(key);
  } else {
    at = empty_.back();
    empty_.pop_back();
    entries_[at] = std::move(entry);
    keys_[at] = key;
  }
  by_key_.emplace(std::move(key), GoalsId{at});
  return GoalsId{at};
}

void GoalTable::release(GoalsId id) {
  GoalsEntry& entry = (*this)[id];
  if (--entry.agents > 0) return;
  const ViewId view = entry.view;
  by_key_.erase(keys_[index(id)]);
  entries_[index(id)].reset();
  empty_.push_back(index(id));
  world_.release_view(view);
  const auto uses = view_uses_.find(view);
  if (--uses->second > 0) return;
  view_uses_.erase(uses);
  log_.close(view);
  reach_.drop(view);
  clusters_.drop(view);
}

void GoalTable::append_read_by_fields(std::vector<Revision>* revisions) const {
  for (const auto& entry : entries_) {
    if (entry == nullptr || entry->waiting == 0 || entry->field == nullptr) continue;
    if (entry->field->is_fixed() && !entry->field->is_empty())
      revisions->push_back(entry->field->revision());
  }
}

std::uint64_t GoalTable::fields() const {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      entries_, [](const auto& entry) { return entry != nullptr && entry->field != nullptr; }));
}

}  // namespace repath
