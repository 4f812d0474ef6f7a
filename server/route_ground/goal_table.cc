#include "route_ground/goal_table.h"

#include <algorithm>
#include <utility>

#include "routes/boxes.h"
#include "routes/places.h"

namespace repath {

std::unique_ptr<RouteGoals> RouteGoalTable::make_entry(const AgentSpec& spec, RouteViewId view,
                                                       const std::vector<KeyPoint>& points) const {
  auto entry = std::make_unique<RouteGoals>();
  for (const auto& [x, y, z] : points) entry->points.push_back({x, y, z});
  entry->radius = spec.goal_radius;
  entry->view = view;
  entry->since = world_.revision();
  set_spots(entry.get());
  return entry;
}

void RouteGoalTable::set_spots(RouteGoals* goals) const {
  goals->spots =
      spots_of(places_of_goals(world_.ground(goals->view), goals->points, goals->radius));
  goals->box = {};
  for (const Spot& spot : goals->spots) add_to(&goals->box, spot);
}

std::size_t RouteGoalTable::look_again(RouteViewId view, std::span<const RouteChange> changes) {
  std::size_t looked_up = 0;
  const bool is_everywhere = !world_.ground(view).is_continuous();
  const RouteBox all = box_of(changes);
  const auto touches = [&](const RouteGoals& goals, const RouteBox& box) {
    const double margin = goals.radius + kBoxMargin;
    return std::ranges::any_of(goals.points,
                               [&](const Spot& point) { return meet(box_of(point), box, margin); });
  };
  const RouteGround& ground = world_.ground(view);
  for (const auto& entry : entries_) {
    if (entry == nullptr || entry->view != view) continue;
    if (!is_everywhere) {
      if (!touches(*entry, all)) continue;
      if (std::ranges::none_of(changes, [&](const RouteChange& change) {
            return touches(*entry, change.from) || touches(*entry, change.to);
          }))
        continue;
    }
    looked_up += entry->points.size();
    const std::vector<Spot> before = entry->spots;
    set_spots(entry.get());
    entry->added = spots_beside(ground, before, entry->spots);
    // A place may be lost and as many be left, for one place may stand for several goals.
    const bool is_changed = !entry->added.empty() || entry->spots.size() != before.size() ||
                            !spots_beside(ground, entry->spots, before).empty();
    if (is_changed) entry->changed_at = world_.revision();
  }
  return looked_up;
}

void RouteGoalTable::spend(GoalsId id, std::uint64_t expansions, bool was_survey) {
  (*this)[id].spent += expansions;
  if (was_survey) survey_units_ = expansions;
}

void RouteGoalTable::set_survey(GoalsId id, std::shared_ptr<const Hindsight> survey,
                                Revision found_at, std::uint64_t bytes_max) {
  RouteGoals& goals = (*this)[id];
  drop_survey(&goals);
  if (survey_bytes_ + survey->bytes() > bytes_max) return;
  survey_bytes_ += survey->bytes();
  goals.survey = std::move(survey);
  goals.since = found_at;
}

void RouteGoalTable::drop_survey(RouteGoals* goals) {
  goals->spent = 0;
  goals->since = world_.revision();
  if (goals->survey == nullptr) return;
  survey_bytes_ -= goals->survey->bytes();
  goals->survey = nullptr;
}

// Drops surveys. Where ground opens again and again no new survey is made: it would soon be
// useless.
void RouteGoalTable::drop_surveys(RouteViewId view, const RouteFalls& falls) {
  for (const auto& entry : entries_)
    if (entry != nullptr && entry->view == view &&
        (entry->changed_at == world_.revision() || falls.concern(entry->since)))
      drop_survey(entry.get());
}

std::vector<RoutePlace> RouteGoalTable::places(GoalsId id) const {
  const RouteGoals& goals = (*this)[id];
  return places_of_goals(world_.ground(goals.view), goals.points, goals.radius);
}

std::uint64_t RouteGoalTable::bytes() const {
  std::uint64_t bytes = entries_.size() * sizeof(RouteGoals) + survey_bytes_;
  for (const auto& entry : entries_)
    if (entry != nullptr) bytes += 4 * (entry->points.size() + entry->spots.size()) * sizeof(Spot);
  return bytes;
}

std::uint64_t RouteGoalTable::fields() const {
  return static_cast<std::uint64_t>(std::ranges::count_if(entries_, [](const auto& entry) {
    return entry != nullptr && entry->field != nullptr && !entry->field->is_empty();
  }));
}

}  // namespace repath
