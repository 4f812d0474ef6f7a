#include "load/scene.h"

#include <algorithm>
#include <utility>

#include "verify/protocol.h"

namespace repath::load {
namespace {

constexpr int kEnds = 4;                   // entrances of a stream
constexpr int kPlacesLookedAt = 64;        // for an end near an edge of the map
constexpr std::size_t kFirstBatch = 1000;  // obstacles
constexpr int kShortTries = 64;
constexpr std::size_t kKeptMost = 200'000;  // verdicts to be checked

}  // namespace

int share_of(int agents, int sessions, int session) {
  return agents / sessions + (session < agents % sessions ? 1 : 0);
}

Errand errand_of(const LoadOptions& options, int agents) {
  const double goals = static_cast<double>(options.goals) * agents / options.agents;
  const int each = static_cast<int>(agents / std::max(1.0, goals) + 0.5);
  return {options.streams, std::max(1, each), options.speed, options.report_all};
}

GridScene::GridScene(const LoadOptions& options, std::unique_ptr<GridGround> ground,
                     const MadeMap& map, std::vector<verify::TerrainClass> classes,
                     std::uint64_t seed)
    : options_(options),
      map_(map),
      ground_(std::move(ground)),
      classes_(std::move(classes)),
      dice_(seed) {
  GridTrouble::Settings settings;
  settings.live_most = options.obstacles;
  settings.doors = map.doors;
  if (options.streams) {
    ends_ = choose_ends();
    settings.keep_clear = ends_.goals;
    settings.keep_clear.insert(settings.keep_clear.end(), ends_.entrances.begin(),
                               ends_.entrances.end());
  }
  trouble_ = std::make_unique<GridTrouble>(*ground_, std::move(settings), seed + 1);
  std::uint64_t first = 1;
  for (int session = 0; session < options.sessions; ++session) {
    const int agents = share_of(options.agents, options.sessions, session);
    squads_.push_back(std::make_unique<GridSquad>(*ground_, agents, errand_of(options, agents),
                                                  ends_, static_cast<std::uint64_t>(options.agents),
                                                  first,
                                                  seed + 2 + static_cast<std::uint64_t>(session)));
    first += static_cast<std::uint64_t>(agents);
  }
}

// Chooses entrances towards the left edge and goals towards the right one, spread from top to
// bottom.
GridSquad::Stream GridScene::choose_ends() {
  const auto outermost = [&](int number, int of, int sign) {
    const int band = ground_->height() / of;
    Spot best = ground_->some_place(dice_);
    const auto score = [&](Spot spot) {
      const int off = std::abs(spot.y - (number * band + band / 2));
      return sign * spot.x - std::max(0, off - band / 2);
    };
    for (int i = 1; i < kPlacesLookedAt; ++i) {
      const Spot other = ground_->some_place(dice_);
      if (score(other) > score(best)) best = other;
    }
    return best;
  };
  GridSquad::Stream ends;
  for (int i = 0; i < kEnds; ++i) ends.entrances.push_back(outermost(i, kEnds, -1));
  for (int i = 0; i < options_.goals; ++i) ends.goals.push_back(outermost(i, options_.goals, 1));
  ends.ways = ways_between(*ground_, ends.entrances, ends.goals);
  return ends;
}

// Returns batches that build half of the greatest number of obstacles.
std::vector<v1::ChangeBatch> GridScene::first_changes() {
  std::vector<v1::ChangeBatch> batches;
  verify::Batch batch;
  const auto put = [&] {
    if (batch.empty()) return;
    trouble_->confirm(batch);
    fill(batch, classes_, 1, batches.emplace_back());
    history_.emplace(batches.size() + 1, std::exchange(batch, {}));
  };
  for (int i = 0; i < options_.obstacles / 2; ++i) {
    const auto obstacle = trouble_->first();
    if (!obstacle) break;
    batch.upserts.push_back(*obstacle);
    if (batch.upserts.size() == kFirstBatch) put();
  }
  put();
  return batches;
}

std::uint64_t GridScene::next_change(v1::ChangeBatch* batch) {
  auto change = trouble_->next(squads_);
  if (!change) return 0;
  fill(*change, classes_, 1, *batch);
  asked_.emplace(++changes_, std::move(*change));
  return changes_;
}

void GridScene::answered(std::uint64_t change, std::uint64_t revision) {
  const auto asked = asked_.find(change);
  if (revision != 0) {
    trouble_->confirm(asked->second);
    if (options_.verify > 0) history_.emplace(revision, std::move(asked->second));
  }
  asked_.erase(asked);
}

Spot GridScene::place_within(Spot from, int reach) {
  for (int i = 0; i < kShortTries; ++i) {
    const int x = from.x + dice_.between(-reach, reach);
    const int y = from.y + dice_.between(-reach, reach);
    if (x < 0 || y < 0 || x >= ground_->width() || y >= ground_->height()) continue;
    if (ground_->is_open(x, y)) return {static_cast<std::int16_t>(x), static_cast<std::int16_t>(y)};
  }
  return from;
}

void GridScene::fill_query(bool is_short, v1::FindPathRequest* request) {
  const Spot from = ground_->some_place(dice_);
  const Spot to = is_short ? place_within(from, options_.short_query) : ground_->some_place(dice_);
  request->mutable_from()->mutable_cell()->set_x(from.x);
  request->mutable_from()->mutable_cell()->set_y(from.y);
  v1::Location* goal = request->add_goals();
  goal->mutable_cell()->set_x(to.x);
  goal->mutable_cell()->set_y(to.y);
}

void GridScene::keep(int squad, const v1::PathEvent& event) {
  const GridSquad& owner = *squads_[static_cast<std::size_t>(squad)];
  const auto slot = owner.slot_of(event.agent_id());
  const bool has_path = event.type() == v1::EVENT_TYPE_NEW_PATH ||
                        event.type() == v1::EVENT_TYPE_REPLANNED ||
                        event.type() == v1::EVENT_TYPE_IMPROVED;
  if (!slot || samples_.size() == kKeptMost) return;
  if (!has_path && event.type() != v1::EVENT_TYPE_UNREACHABLE) return;
  GridSample sample;
  sample.agent = event.agent_id();
  sample.revision = event.revision();
  sample.type = event.type();
  sample.at = {static_cast<std::int16_t>(event.cell().x()),
               static_cast<std::int16_t>(event.cell().y())};
  sample.goal = owner.goal(*slot);
  sample.cost = event.path().cost();
  sample.corners.assign(event.path().cells().begin(), event.path().cells().end());
  const Spot last = owner.last_goal(*slot);
  // Without a path it is unknown which of its two goals the verdict is about.
  if (!has_path && last != sample.goal) return;
  const std::size_t size = sample.corners.size();
  if (size >= 2 && sample.corners[size - 2] == last.x && sample.corners[size - 1] == last.y)
    sample.goal = last;
  samples_.push_back(std::move(sample));
}

Checked GridScene::check(Nanos until) {
  return check_grid(map_.file, classes_, history_, samples_, until, dice_);
}

}  // namespace repath::load
