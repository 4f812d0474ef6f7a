// The world of the runtime's tests: two rooms, a wall between them, and a door in the wall.
#pragma once

#include <string>

#include "agents/agent.h"
#include "base/check.h"
#include "grid/cells/map_import.h"
#include "world/world.h"

namespace repath::test {

inline constexpr char kSquare[] =
    "..........\n"
    "..........\n"
    "####.#####\n"
    "..........\n"
    "..........\n";

inline WorldSpec square_spec(const std::string& name = "square") {
  auto map = import_map(kSquare, MapFormat::kText, default_terrain(), ImportLimits{});
  REPATH_CHECK(map.ok());
  WorldSpec spec;
  spec.name = name;
  spec.map = *std::move(map);
  return spec;
}

// Returns an agent that goes from the upper room to the lower one.
inline AgentSpec walker(std::uint64_t id) {
  AgentSpec spec;
  spec.id = AgentId{id};
  spec.position = {0.5 + static_cast<double>(id % 10), 0.5};
  spec.goals = {{4.5, 4.5}};
  return spec;
}

// Shuts the wall's door, as obstacle 1.
inline ChangeBatch shut_door() {
  ChangeBatch batch;
  batch.upsert_obstacles.push_back(
      {ObstacleId{1}, CellRect{4, 2, 5, 3}, Effect{}, kAllTeams, true});
  return batch;
}

inline ChangeBatch open_door() {
  ChangeBatch batch;
  batch.remove_obstacles.push_back(ObstacleId{1});
  return batch;
}

}  // namespace repath::test
