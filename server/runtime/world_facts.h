// A world's settings, and its other facts. Plain values.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "agents/agent.h"
#include "agents/route.h"
#include "runtime/frame_pacer.h"
#include "world/profile.h"
#include "world/world_content.h"

namespace repath {

// The settings of a world; every default is filled in.
struct WorldSettings {
  FrameOptions frame;
  bool lockstep = false;
  Strategy strategy = Strategy::kAuto;
  std::uint64_t history_revisions = 10'000;
  std::uint64_t memory_mb = 4096;
  std::uint64_t first_leg_cells = std::uint64_t{1} << 20;
};

// The facts that stay the same for a world's whole life; any thread may read them.
struct WorldFacts {
  std::string name;
  WorldKind kind = WorldKind::kGrid;
  std::int32_t width = 0;
  std::int32_t height = 0;
  double cell_size = 1;
  TerrainTable terrain;
  Topology default_topology = Topology::k8;  // of the default profile
  std::string epoch;
  WorldSettings settings;
  RouteBox bounds = {};    // meshes and graphs only
  double base_radius = 0;  // of a mesh, see NavWorld::Source
  // WORLD_DAMAGED if the store's description of the world cannot be read; the facts are then empty,
  // apart from name and epoch.
  absl::Status damage = {};
  bool is_grid() const { return kind == WorldKind::kGrid; }
};

}  // namespace repath
