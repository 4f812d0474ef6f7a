#include "load/grid_squad.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace repath::load {
namespace {

constexpr float kStands = std::numeric_limits<float>::max();
constexpr float kDiagonalStep = 1.41421356F;

int sign(int value) { return (value > 0) - (value < 0); }

// Returns whether `at` is on the straight run from `a` to `b`, both included.
bool is_between(Spot at, Spot a, Spot b) {
  const int dx = at.x - a.x;
  const int dy = at.y - a.y;
  const int run_x = b.x - a.x;
  const int run_y = b.y - a.y;
  const int steps = std::max(std::abs(run_x), std::abs(run_y));
  const int gone = std::max(std::abs(dx), std::abs(dy));
  return gone <= steps && dx == gone * sign(run_x) && dy == gone * sign(run_y);
}

void fill_cell(Spot spot, v1::Location* out) {
  out->mutable_cell()->set_x(spot.x);
  out->mutable_cell()->set_y(spot.y);
}

}  // namespace

GridSquad::GridSquad(GridGround& ground, int agents, const Errand& errand, const Stream& stream,
                     std::uint64_t ids, std::uint64_t first, std::uint64_t seed)
    : Squad(agents, errand, ids, first, seed), ground_(ground), stream_(stream) {
  const auto count = static_cast<std::size_t>(agents);
  left_.assign(count, kStands);
  ways_.resize(count);
  for (std::size_t slot = 0; slot < count; ++slot) {
    at_.push_back(some_start(slot));
    ground_.enter(at_.back());
  }
  if (errand.streams) {
    goals_ = stream.goals;
  } else {
    for (std::size_t group = 0; group < groups(); ++group)
      goals_.push_back(ground_.some_place(dice()));
  }
  last_goals_ = goals_;
}

Spot GridSquad::some_start(std::size_t slot) {
  if (!errand().streams || stream_.ways.empty()) return ground_.some_place(dice());
  const GridWay& way = dice().pick(stream_.ways[slot % stream_.goals.size()]);
  return way.empty() ? ground_.some_place(dice()) : dice().pick(way);
}

Spot GridSquad::goal(std::size_t slot) const {
  return goals_[errand().streams ? slot % goals_.size() : group_of(slot)];
}

Spot GridSquad::last_goal(std::size_t slot) const {
  return last_goals_[errand().streams ? slot % goals_.size() : group_of(slot)];
}

bool GridSquad::walks(std::size_t slot) const { return left_[slot] != kStands; }

void GridSquad::stop(std::size_t slot) { left_[slot] = kStands; }

void GridSquad::locate(std::size_t slot, v1::Location* out) const { fill_cell(at_[slot], out); }

void GridSquad::add_goals(std::size_t slot, v1::Agent* out) const {
  fill_cell(goal(slot), out->add_goals());
}

void GridSquad::begin_anew(std::size_t slot) {
  ground_.leave(at_[slot]);
  at_[slot] = dice().pick(stream_.entrances);
  ground_.enter(at_[slot]);
}

void GridSquad::change_goal(std::size_t group) {
  last_goals_[group] = goals_[group];
  goals_[group] = ground_.some_place(dice());
}

void GridSquad::follow(std::size_t slot, const v1::Path& path) {
  Way& way = ways_[slot];
  const bool was_walking = walks(slot);
  way.corners.clear();
  for (int i = 0; i + 1 < path.cells_size(); i += 2)
    way.corners.push_back(
        {static_cast<std::int16_t>(path.cells(i)), static_cast<std::int16_t>(path.cells(i + 1))});
  const Spot at = at_[slot];
  if (way.corners.size() == 1 && way.corners[0] == at && at == goal(slot)) return arrived(slot);
  for (std::size_t i = 0; i + 1 < way.corners.size(); ++i) {
    if (!is_between(at, way.corners[i], way.corners[i + 1])) continue;
    way.next = static_cast<std::uint32_t>(i + 1);
    if (at == way.corners[i + 1]) ++way.next;
    if (way.next == way.corners.size()) break;
    if (!was_walking) left_[slot] = 0;
    return head_on(slot);
  }
  ++counting().strays;
  stop(slot);
}

// Turns towards the next corner. An agent that turns in a cell keeps its share of the way to the
// next cell; only the length of the step changes.
void GridSquad::head_on(std::size_t slot) {
  Way& way = ways_[slot];
  const Spot to = way.corners[way.next];
  way.dx = static_cast<std::int8_t>(sign(to.x - at_[slot].x));
  way.dy = static_cast<std::int8_t>(sign(to.y - at_[slot].y));
  if (left_[slot] <= 0) left_[slot] += way.dx != 0 && way.dy != 0 ? kDiagonalStep : 1.0F;
}

void GridSquad::advance(double seconds) {
  const auto length = static_cast<float>(errand().speed * seconds);
  for (std::size_t slot = 0; slot < left_.size(); ++slot) {
    left_[slot] -= length;
    if (left_[slot] <= 0) step(slot);
  }
}

void GridSquad::step(std::size_t slot) {
  Way& way = ways_[slot];
  while (left_[slot] <= 0) {
    const Spot from = at_[slot];
    if (!ground_.is_step_open(from, way.dx, way.dy)) {
      ++counting().barred;
      left_[slot] = 0;
      return;
    }
    const Spot to{static_cast<std::int16_t>(from.x + way.dx),
                  static_cast<std::int16_t>(from.y + way.dy)};
    ground_.leave(from);
    ground_.enter(to);
    at_[slot] = to;
    ++counting().moves;
    moved(slot);
    if (to == way.corners[way.next] && ++way.next == way.corners.size()) {
      return to == goal(slot) ? arrived(slot) : stop(slot);
    }
    head_on(slot);
  }
}

std::vector<Spot> GridSquad::way_ahead(std::size_t slot, int skip, int most) const {
  std::vector<Spot> ahead;
  if (!walks(slot)) return ahead;
  const Way& way = ways_[slot];
  Spot at = at_[slot];
  for (std::size_t next = way.next; next < way.corners.size(); ++next) {
    const Spot to = way.corners[next];
    while (at != to) {
      at.x = static_cast<std::int16_t>(at.x + sign(to.x - at.x));
      at.y = static_cast<std::int16_t>(at.y + sign(to.y - at.y));
      if (skip-- > 0) continue;
      ahead.push_back(at);
      if (static_cast<int>(ahead.size()) == most) return ahead;
    }
  }
  return ahead;
}

}  // namespace repath::load
