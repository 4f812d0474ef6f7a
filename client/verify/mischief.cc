#include "verify/mischief.h"

#include <algorithm>
#include <iterator>

#include "verify/random_shapes.h"

namespace repath::verify {
namespace {

constexpr std::size_t kObstaclesMany = 120;  // above this number opening is likelier than closing

bool names(const Batch& batch, std::uint64_t id) {
  return std::count(batch.removals.begin(), batch.removals.end(), id) > 0 ||
         std::any_of(batch.switches.begin(), batch.switches.end(),
                     [&](const auto& s) { return s.first == id; }) ||
         std::any_of(batch.upserts.begin(), batch.upserts.end(),
                     [&](const Obstacle& o) { return o.id == id; });
}

}  // namespace

Batch Mischief::next() {
  Batch batch;
  const int changes = dice_.chance(0.7) ? 1 : dice_.between(2, 6);
  while (batch.empty()) {
    for (int i = 0; i < changes; ++i) add_one(batch);
  }
  return batch;
}

void Mischief::add_one(Batch& batch) {
  if (options_.influence && dice_.chance(0.3)) return edit_influence(batch);
  if (options_.fog && dice_.chance(0.35)) return edit_fog(batch);
  if (options_.standing && dice_.chance(0.35)) return stand_or_walk(batch);
  if (options_.mass && dice_.chance(0.2)) return change_most(batch);
  const double open = world_.obstacles().size() > kObstaclesMany ? 0.6 : 0.3;
  const double turn = dice_.unit();
  if (turn < open) return open_something(batch);
  if (turn < open + 0.1) return alter_something(batch);
  if (turn < open + 0.13) return ring_a_goal(batch);
  if (turn < open + 0.2 && options_.terrain) return edit_terrain(batch);
  close_somewhere(batch);
}

const Agent* Mischief::some_agent() {
  if (agents_.empty()) return nullptr;
  return &std::next(agents_.begin(), dice_.below(static_cast<int>(agents_.size())))->second;
}

CellXY Mischief::hurting_place() {
  const Agent* agent = some_agent();
  const CellXY anywhere{dice_.below(world_.width()), dice_.below(world_.height())};
  if (agent == nullptr || dice_.chance(0.25)) return anywhere;
  const Ground& ground = world_.view(agent->spec.view).now();
  const std::vector<Cell>& path = agent->held.route.cells;
  const int length = static_cast<int>(path.size());
  const double turn = dice_.unit();
  if (turn < 0.04) return ground.at(agent->cell());
  if (length < 3) return anywhere;
  const auto here = agent->place().value_or(0);
  int index = dice_.between(here, length - 1);
  if (turn < 0.35) index = std::min(length - 1, here + dice_.between(1, 6));
  if (turn > 0.75) index = std::max(0, length - 1 - dice_.between(1, 6));
  const CellXY on_path = ground.at(path[static_cast<std::size_t>(index)]);
  const int off = dice_.chance(0.7) ? 0 : 2;
  return {std::clamp(on_path.x + dice_.between(-off, off), 0, world_.width() - 1),
          std::clamp(on_path.y + dice_.between(-off, off), 0, world_.height() - 1)};
}

Obstacle Mischief::obstacle(Shape shape) {
  Obstacle made;
  made.id = next_id_++;
  made.shape = std::move(shape);
  if (options_.terrain && dice_.chance(0.25)) {
    made.blocked = false;
    made.factor = dice_.chance(0.1) ? 1000 : 1 + 7 * dice_.unit();
  }
  if (options_.teams && dice_.chance(0.3))
    made.team_mask = static_cast<std::uint32_t>(dice_.between(1, 7));
  made.enabled = !dice_.chance(0.05);
  return made;
}

void Mischief::close_somewhere(Batch& batch) {
  for (;;) {
    Shape shape = random_shape(hurting_place(), dice_);
    const Coverage coverage = covered_cells(shape, world_.width(), world_.height());
    if (coverage.knife_edge || coverage.cells.empty()) continue;
    batch.upserts.push_back(obstacle(std::move(shape)));
    return;
  }
}

std::uint64_t Mischief::some_obstacle(const Batch& batch) {
  const auto& obstacles = world_.obstacles();
  if (obstacles.empty()) return 0;
  const auto found = std::next(obstacles.begin(), dice_.below(static_cast<int>(obstacles.size())));
  return names(batch, found->first) ? 0 : found->first;
}

void Mischief::open_something(Batch& batch) {
  const std::uint64_t id = some_obstacle(batch);
  if (id == 0) return;
  if (dice_.chance(0.5)) {
    batch.removals.push_back(id);
  } else {
    batch.switches.emplace_back(id, !world_.obstacles().at(id).enabled);
  }
}

// Moves an obstacle, or gives it another effect: rises and falls in one revision.
void Mischief::alter_something(Batch& batch) {
  const std::uint64_t id = some_obstacle(batch);
  if (id == 0) return;
  Obstacle changed = world_.obstacles().at(id);
  if (dice_.chance(0.5)) {
    Batch other;
    close_somewhere(other);
    changed.shape = other.upserts.front().shape;
  } else {
    const Obstacle other = obstacle(changed.shape);
    changed.blocked = other.blocked;
    changed.factor = other.factor;
    changed.team_mask = other.team_mask;
  }
  batch.upserts.push_back(std::move(changed));
}

// Makes most of the map dearer or cheaper. On maps of 200 x 200 cells and more that is more than
// the server remembers of its changes.
void Mischief::change_most(Batch& batch) {
  if (most_id_ != 0 && names(batch, most_id_)) return;
  const auto margin = [this](int side) { return dice_.below(side / 16 + 1); };
  Obstacle made = obstacle(Rect{margin(world_.width()), margin(world_.height()),
                                world_.width() - margin(world_.width()),
                                world_.height() - margin(world_.height())});
  if (most_id_ == 0) most_id_ = made.id;
  made.id = most_id_;
  made.blocked = false;
  made.factor = dice_.chance(0.3) ? 1 : 1 + 3 * dice_.unit();
  batch.upserts.push_back(std::move(made));
}

// Builds four walls around a goal, or covers it.
void Mischief::ring_a_goal(Batch& batch) {
  const Agent* agent = some_agent();
  if (agent == nullptr) return;
  const CellXY goal = world_.view(agent->spec.view).now().at(dice_.pick(agent->spec.goals));
  if (dice_.chance(0.3)) {
    batch.upserts.push_back(obstacle(Rect{goal.x, goal.y, goal.x + 1, goal.y + 1}));
    return;
  }
  const int r = dice_.between(2, 5);
  const Rect walls[] = {{goal.x - r, goal.y - r, goal.x + r + 1, goal.y - r + 1},
                        {goal.x - r, goal.y + r, goal.x + r + 1, goal.y + r + 1},
                        {goal.x - r, goal.y - r, goal.x - r + 1, goal.y + r + 1},
                        {goal.x + r, goal.y - r, goal.x + r + 1, goal.y + r + 1}};
  for (const Rect& wall : walls) {
    if (covered_cells(wall, world_.width(), world_.height()).cells.empty()) continue;
    Obstacle made = obstacle(wall);
    made.blocked = true;
    batch.upserts.push_back(std::move(made));
  }
}

void Mischief::edit_terrain(Batch& batch) {
  const CellXY place = hurting_place();
  const Rect cells{place.x, place.y, std::min(world_.width(), place.x + dice_.between(1, 4)),
                   std::min(world_.height(), place.y + dice_.between(1, 4))};
  const int classes = static_cast<int>(world_.classes().size());
  batch.terrain.push_back({cells, dice_.chance(0.5) ? 0 : dice_.below(classes)});
}

std::uint32_t Mischief::some_team() {
  return options_.teams ? static_cast<std::uint32_t>(dice_.below(3)) : 0;
}

// Returns a rectangle or a circle that covers some cell.
Shape Mischief::patch_about(CellXY place, int most) {
  for (;;) {
    Shape shape = Rect{place.x - dice_.below(most), place.y - dice_.below(most),
                       place.x + 1 + dice_.below(most), place.y + 1 + dice_.below(most)};
    if (dice_.chance(0.5)) {
      shape = Circle{{place.x + dice_.unit(), place.y + dice_.unit()}, 0.3 + most * dice_.unit()};
    }
    const Coverage coverage = covered_cells(shape, world_.width(), world_.height());
    if (!coverage.knife_edge && !coverage.cells.empty()) return shape;
  }
}

// Lets an agent stand where it is or where it is in the way, or walk on. Each agent once in a
// batch.
void Mischief::stand_or_walk(Batch& batch) {
  const std::uint64_t strangers = 1'000'000;  // ids of no agents
  std::uint64_t id = static_cast<std::uint64_t>(dice_.between(1, 2 * static_cast<int>(kStanders)));
  if (id > kStanders) id += strangers;
  const bool named = std::count(batch.walk_on.begin(), batch.walk_on.end(), id) > 0 ||
                     std::any_of(batch.stand.begin(), batch.stand.end(),
                                 [&](const Body& b) { return b.agent == id; });
  if (named) return;
  if (world_.bodies().contains(id) && dice_.chance(0.5)) {
    batch.walk_on.push_back(id);
    return;
  }
  const auto agent = agents_.find(id);
  CellXY place = hurting_place();
  if (agent != agents_.end() && dice_.chance(0.7))
    place = world_.view(agent->second.spec.view).now().at(agent->second.cell());
  Shape shape = Rect{place.x, place.y, place.x + 1, place.y + 1};
  if (dice_.chance(0.4)) shape = patch_about(place, 3);
  batch.stand.push_back({id, std::move(shape)});
}

// Reveals cells around an agent; sometimes hides a part from a team.
void Mischief::edit_fog(Batch& batch) {
  const bool hidden = dice_.chance(0.2);
  batch.fog.push_back({some_team(), patch_about(hurting_place(), hidden ? 20 : 10), hidden});
}

// Adds or removes influence where an agent walks; sometimes lets a layer decay.
void Mischief::edit_influence(Batch& batch) {
  const std::uint32_t team = some_team();
  const auto layer = static_cast<std::uint32_t>(dice_.below(2) * 15);
  if (dice_.chance(0.25)) {
    Decay step{team, layer, dice_.chance(0.2) ? 0 : dice_.between(300, 990), {}};
    const CellXY place = hurting_place();
    if (dice_.chance(0.3)) step.cells = Rect{place.x - 9, place.y - 9, place.x + 9, place.y + 9};
    batch.decays.push_back(step);
    return;
  }
  InfluenceEdit edit{team, layer, patch_about(hurting_place(), 6), 0, dice_.chance(0.6)};
  edit.level = dice_.chance(0.1) ? 63936 : dice_.between(edit.adds ? -200 : 0, 500);
  batch.influence.push_back(edit);
}

}  // namespace repath::verify
