#include "cli/walkers.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace repath::cli {
namespace {

// Lets the walker follow `way` from its cell. A walker beside the way waits for a path from its
// cell.
void follow(Walker& walker, std::vector<client::Cell> way) {
  walker.way = std::move(way);
  const auto here = std::find(walker.way.begin(), walker.way.end(), walker.at);
  if (here == walker.way.end()) walker.way.clear();
  walker.step = walker.way.empty() ? 0 : static_cast<std::size_t>(here - walker.way.begin());
}

}  // namespace

void Ground::turn(Piece& piece, bool enabled) {
  if (piece.enabled == enabled) return;
  piece.enabled = enabled;
  for (std::int32_t y = piece.cells.y0; y < piece.cells.y1; ++y) {
    for (std::int32_t x = piece.cells.x0; x < piece.cells.x1; ++x) {
      int& times = covered_[{x, y}];
      times += enabled ? 1 : -1;
      if (times == 0) covered_.erase({x, y});
    }
  }
}

void Ground::change(const client::ChangeBatch& batch) {
  for (const std::uint64_t id : batch.remove) {
    turn(pieces_[id], false);
    pieces_.erase(id);
  }
  for (const client::ObstacleSwitch& door : batch.switches) turn(pieces_[door.id], door.enabled);
  for (const client::Obstacle& obstacle : batch.upsert) {
    Piece& piece = pieces_[obstacle.id];
    turn(piece, false);
    piece.cells = std::get<client::CellRect>(obstacle.shape);
    turn(piece, obstacle.enabled);
  }
}

void Walkers::set(std::uint64_t id, client::Cell at, std::vector<client::Cell> goals) {
  Walker& walker = walkers_[id];
  walker.at = at;
  walker.goals = std::move(goals);
  walker.way.clear();
  walker.step = 0;
  walker.arrived = false;
}

void Walkers::put(std::uint64_t id, client::Cell at) {
  Walker& walker = walkers_.at(id);
  walker.at = at;
  follow(walker, std::move(walker.way));
}

void Walkers::take(const client::PathEvent& event) {
  const auto at = walkers_.find(event.agent_id);
  if (at == walkers_.end()) return;
  Walker& walker = at->second;
  switch (event.type) {
    case client::EventType::kNewPath:
    case client::EventType::kReplanned:
    case client::EventType::kImproved:
    case client::EventType::kPartial:
      walker.version = event.path_version;
      follow(walker, client::cells_of(event.path));
      break;
    case client::EventType::kInvalidated:
    case client::EventType::kUnreachable:
    case client::EventType::kStartBlocked:
    case client::EventType::kRemoved:
      walker.way.clear();
      break;
    case client::EventType::kUnspecified:
    case client::EventType::kCostChanged:
    case client::EventType::kConfirmed:
      break;
  }
}

std::vector<std::uint64_t> Walkers::step(const Ground& ground) {
  std::vector<std::uint64_t> arrivals;
  for (auto& [id, walker] : walkers_) {
    if (walker.arrived || walker.way.empty()) continue;
    if (walker.step + 1 < walker.way.size()) {
      if (ground.blocked(walker.way[walker.step + 1])) continue;  // Its verdict has not come yet.
      walker.at = walker.way[++walker.step];
    }
    if (std::find(walker.goals.begin(), walker.goals.end(), walker.at) != walker.goals.end()) {
      walker.arrived = true;
      arrivals.push_back(id);
    }
  }
  return arrivals;
}

std::vector<client::AgentPosition> Walkers::positions() const {
  std::vector<client::AgentPosition> positions;
  positions.reserve(walkers_.size());
  for (const auto& [id, walker] : walkers_) positions.push_back({id, walker.at, walker.version});
  return positions;
}

std::size_t Walkers::walking() const {
  return static_cast<std::size_t>(std::count_if(
      walkers_.begin(), walkers_.end(), [](const auto& entry) { return !entry.second.arrived; }));
}

double rest_of_way(const Walker& walker) {
  double length = 0;
  for (std::size_t i = walker.step; i + 1 < walker.way.size(); ++i) {
    const bool diagonal =
        walker.way[i].x != walker.way[i + 1].x && walker.way[i].y != walker.way[i + 1].y;
    length += diagonal ? std::sqrt(2.0) : 1.0;
  }
  return length;
}

}  // namespace repath::cli
