#include "verify/agents.h"

#include <algorithm>
#include <cmath>

namespace repath::verify {

std::vector<Cell> goal_set(const Ground& ground, const std::vector<Cell>& goals, double radius) {
  std::vector<Cell> cells;
  const int reach = static_cast<int>(std::floor(radius));
  for (const Cell goal : goals) {
    const CellXY g = ground.at(goal);
    for (int dy = -reach; dy <= reach; ++dy) {
      for (int dx = -reach; dx <= reach; ++dx) {
        const bool near = dx * dx + dy * dy <= radius * radius;
        if (near && ground.on_map(g.x + dx, g.y + dy))
          cells.push_back(ground.cell(g.x + dx, g.y + dy));
      }
    }
  }
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

bool ask_the_same(const AgentSpec& a, const AgentSpec& b) {
  return a.view == b.view && a.goals == b.goals && a.radius == b.radius && a.ratio == b.ratio &&
         a.partial == b.partial && a.snap == b.snap && a.clearing.penalty == b.clearing.penalty &&
         a.clearing.radius == b.clearing.radius && a.clearing.max_detour == b.clearing.max_detour &&
         a.curves == b.curves;
}

const Position& Agent::position_at(std::uint64_t sequence) const {
  const Position* found = &positions.front();
  for (const Position& position : positions) {
    if (position.sequence > sequence) break;
    found = &position;
  }
  return *found;
}

std::optional<int> Agent::place_at(std::uint64_t sequence) const {
  const Position& last = position_at(sequence);
  std::optional<int> place;
  int walked = held.walked;
  for (const Position& position : positions) {
    place = held.route.index_of(position.cell, walked);
    walked = place.value_or(walked);
    if (&position == &last) break;
  }
  return place;
}

std::vector<int> Agent::places_in(Cell cell) const {
  std::vector<int> places;
  for (const Position& position : positions) {
    if (position.cell != cell) continue;
    if (const auto place = place_at(position.sequence)) places.push_back(*place);
  }
  return places;
}

void Agent::forget_before(std::uint64_t sequence) {
  held.walked = place_at(sequence).value_or(held.walked);
  while (positions.size() > 1 && positions[1].sequence <= sequence) positions.pop_front();
}

}  // namespace repath::verify
