#include "load/route_scene.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace repath::load {
namespace {

constexpr int kRouteEnds = 4;
constexpr int kBuildTries = 12;
constexpr double kAheadLeast = 2;  // metres, of a map of 256
constexpr double kAheadMost = 24;
constexpr double kHalfLeast = 0.3;
constexpr double kHalfMost = 1.2;
constexpr double kUsualExtent = 256;
constexpr int kObstaclesInBatch = 250;
constexpr std::size_t kKeptRoutes = 20'000;  // verdicts to be checked
constexpr double kTurn = 6.283185307179586;

}  // namespace

RouteScene::RouteScene(const LoadOptions& options, std::unique_ptr<RouteGround> ground,
                       std::unique_ptr<verify::RouteModel> model, std::uint64_t seed)
    : options_(options),
      ground_(std::move(ground)),
      dice_(seed),
      scale_(std::clamp(ground_->extent() / kUsualExtent, 0.25, 2.0)),
      model_(std::move(model)) {
  if (options.streams) ends_ = choose_ends();
  std::uint64_t first = 1;
  // Squads choose open ground, so the first obstacles stand before them.
  for (int session = 0; session < options.sessions; ++session) {
    const int agents = share_of(options.agents, options.sessions, session);
    squads_.push_back(
        std::make_unique<RouteSquad>(*ground_, agents, errand_of(options, agents), ends_,
                                     static_cast<std::uint64_t>(options.agents), first,
                                     seed + 2 + static_cast<std::uint64_t>(session)));
    first += static_cast<std::uint64_t>(agents);
  }
}

// Entrances are the places farthest to the left, goals those farthest to the right.
RouteSquad::Stream RouteScene::choose_ends() {
  std::vector<Place> places = ground_->places();
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.x < b.x; });
  const auto count = [&](int wanted) {
    return std::min(static_cast<std::ptrdiff_t>(wanted),
                    static_cast<std::ptrdiff_t>(places.size()));
  };
  RouteSquad::Stream ends;
  ends.entrances.assign(places.begin(), places.begin() + count(kRouteEnds));
  ends.goals.assign(places.end() - count(options_.goals), places.end());
  return ends;
}

v1::Obstacle RouteScene::obstacle_at(const Place& place) {
  const auto half = [this] {
    return scale_ * (kHalfLeast + (kHalfMost - kHalfLeast) * dice_.unit());
  };
  v1::Obstacle obstacle;
  obstacle.set_id(next_id_);
  obstacle.set_blocked(true);
  const bool is_round = dice_.chance(0.3);
  v1::Vec3* center = is_round ? obstacle.mutable_cylinder()->mutable_center()
                              : obstacle.mutable_box()->mutable_center();
  center->set_x(place.x);
  center->set_y(place.y);
  center->set_z(place.z);
  if (is_round) {
    obstacle.mutable_cylinder()->set_radius(half());
  } else {
    obstacle.mutable_box()->set_half_x(half());
    obstacle.mutable_box()->set_half_z(half());
    obstacle.mutable_box()->set_yaw(kTurn * dice_.unit());
  }
  return obstacle;
}

// Returns whether agents and the ends of streams are all out of reach.
bool RouteScene::may_build(const Place& place, double reach) const {
  const auto is_near = [&](const Place& other) { return distance(place, other) < reach; };
  if (std::any_of(ends_.goals.begin(), ends_.goals.end(), is_near) ||
      std::any_of(ends_.entrances.begin(), ends_.entrances.end(), is_near))
    return false;
  for (const auto& squad : squads_) {
    for (std::size_t slot = 0; slot < static_cast<std::size_t>(squad->agents()); ++slot)
      if (is_near(squad->place(slot))) return false;
  }
  return true;
}

std::vector<v1::ChangeBatch> RouteScene::first_changes() {
  std::vector<v1::ChangeBatch> batches;
  if (ground_->is_graph()) return batches;
  for (int i = 0; i < options_.obstacles / 2; ++i) {
    const Place place = dice_.pick(ground_->places());
    if (!may_build(place, 2 * scale_ * kHalfMost)) continue;
    if (batches.empty() || batches.back().upsert_obstacles_size() == kObstaclesInBatch)
      batches.emplace_back();
    *batches.back().add_upsert_obstacles() = obstacle_at(place);
    ground_->shut(*std::prev(batches.back().upsert_obstacles().end()));
    live_.push_back({next_id_++, std::nullopt, true});
  }
  for (const v1::ChangeBatch& batch : batches) history_.emplace(history_.size() + 2, batch);
  return batches;
}

bool RouteScene::shut_edge(const RouteSquad& squad, std::size_t slot, v1::ChangeBatch* batch) {
  const auto edge = squad.edge_ahead(slot, static_cast<std::size_t>(dice_.below(6)));
  if (!edge || ground_->is_shut(*edge)) return false;
  v1::GraphEdit::SwitchEdge* change = batch->add_graph_edits()->mutable_switch_edge();
  change->set_from(edge->first);
  change->set_to(edge->second);
  change->set_enabled(false);
  ground_->shut(*edge);
  live_.push_back({next_id_++, edge, false});
  return true;
}

bool RouteScene::build(v1::ChangeBatch* batch) {
  for (int i = 0; i < kBuildTries && !squads_.empty(); ++i) {
    const RouteSquad& squad =
        *squads_[static_cast<std::size_t>(dice_.below(static_cast<int>(squads_.size())))];
    const auto slot = squad.some_walker(dice_);
    if (!slot) continue;
    if (ground_->is_graph()) {
      if (shut_edge(squad, *slot, batch)) return true;
      continue;
    }
    const double ahead = scale_ * (kAheadLeast + (kAheadMost - kAheadLeast) * dice_.unit());
    const auto place = squad.point_ahead(*slot, ahead);
    if (!place || !may_build(*place, 1.5 * scale_ * kHalfMost)) continue;
    v1::Obstacle* obstacle = batch->add_upsert_obstacles();
    *obstacle = obstacle_at(*place);
    ground_->shut(*obstacle);
    live_.push_back({next_id_++, std::nullopt, false});
    return true;
  }
  return false;
}

bool RouteScene::take_down(v1::ChangeBatch* batch) {
  const auto oldest =
      std::find_if(live_.begin(), live_.end(), [](const Live& live) { return live.is_confirmed; });
  if (oldest == live_.end()) return false;
  if (oldest->edge) {
    v1::GraphEdit::SwitchEdge* change = batch->add_graph_edits()->mutable_switch_edge();
    change->set_from(oldest->edge->first);
    change->set_to(oldest->edge->second);
    change->set_enabled(true);
  } else {
    batch->add_remove_obstacles(oldest->id);
  }
  live_.erase(oldest);
  return true;
}

std::uint64_t RouteScene::next_change(v1::ChangeBatch* batch) {
  const auto most = static_cast<std::size_t>(options_.obstacles);
  const bool is_full = live_.size() >= most;
  const bool wants_down = is_full || (live_.size() * 2 >= most && dice_.chance(0.5));
  const bool done = wants_down ? take_down(batch) || (!is_full && build(batch))
                               : build(batch) || take_down(batch);
  if (!done) return 0;
  asked_.emplace(++changes_, *batch);
  return changes_;
}

void RouteScene::answered(std::uint64_t change, std::uint64_t revision) {
  const auto asked = asked_.find(change);
  const v1::ChangeBatch& batch = asked->second;
  if (revision != 0) {
    for (const std::uint64_t id : batch.remove_obstacles()) ground_->reopen(id);
    for (const v1::GraphEdit& edit : batch.graph_edits()) {
      const Edge edge{edit.switch_edge().from(), edit.switch_edge().to()};
      if (edit.switch_edge().enabled()) ground_->reopen(edge);
      for (Live& live : live_) live.is_confirmed = live.is_confirmed || live.edge == edge;
    }
    for (const v1::Obstacle& obstacle : batch.upsert_obstacles())
      for (Live& live : live_) live.is_confirmed = live.is_confirmed || live.id == obstacle.id();
    if (options_.verify > 0) history_.emplace(revision, batch);
  }
  asked_.erase(asked);
}

void RouteScene::fill_query(bool is_short, v1::FindPathRequest* request) {
  const Place from = ground_->some_place(dice_);
  fill(from, request->mutable_from());
  fill(is_short ? ground_->place_near(from, dice_) : ground_->some_place(dice_),
       request->add_goals());
}

void RouteScene::keep(int squad, const v1::PathEvent& event) {
  const RouteSquad& owner = *squads_[static_cast<std::size_t>(squad)];
  const auto slot = owner.slot_of(event.agent_id());
  const bool has_path = event.type() == v1::EVENT_TYPE_NEW_PATH ||
                        event.type() == v1::EVENT_TYPE_REPLANNED ||
                        event.type() == v1::EVENT_TYPE_IMPROVED;
  if (!slot || !has_path || samples_.size() == kKeptRoutes) return;
  samples_.push_back({event, owner.goal(*slot), owner.last_goal(*slot)});
}

Checked RouteScene::check(Nanos until) {
  if (!model_) return {0, 0, samples_.size()};
  return check_routes(*model_, history_, samples_, until, dice_);
}

}  // namespace repath::load
