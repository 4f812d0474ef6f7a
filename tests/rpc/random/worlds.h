// Small worlds of every kind for random calls, and the facts that a caller needs to ask sensible
// things.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/random.h"
#include "repath/v1/world.pb.h"

namespace repath::test {

enum class WorldKind { kGrid8, kGrid4, kHex, kPlan, kMesh, kGraph };
inline constexpr int kWorldKinds = 6;
inline bool is_grid(WorldKind kind) { return kind <= WorldKind::kHex; }

// The source of a world: a header, and the file's bytes.
struct WorldSource {
  WorldKind kind{};
  v1::ImportWorldRequest::Header header;
  std::string file;
};

// A world as the caller knows it.
struct KnownWorld {
  std::string name;
  WorldKind kind{};
  bool lockstep = false;
  double low_x = 0, low_z = 0, high_x = 0, high_z = 0;  // world units
  double floor = 0;  // height of an upper floor; 0: only one floor
  std::vector<std::string> profiles;
  std::uint32_t nodes = 0;  // graphs: ids 1 to `nodes`
};

inline std::string read_file(const std::string& path) {
  std::ifstream in(std::string(REPATH_SOURCE_DIR) + "/" + path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// Returns ground with walls, swamp and dear cells: rooms whose walls have gaps.
inline std::string random_map(Random& random, std::uint32_t side) {
  std::string text;
  for (std::uint32_t y = 0; y < side; ++y) {
    for (std::uint32_t x = 0; x < side; ++x) {
      const bool is_wall = (x % 9 == 8 || y % 11 == 10) && random.below(5) != 0;
      const std::uint32_t dice = random.below(40);
      text += is_wall ? '#' : dice == 0 ? '@' : dice == 1 ? '3' : dice == 2 ? 'S' : '.';
    }
    text += '\n';
  }
  return text;
}

inline void add_profiles(Random& random, WorldKind kind, v1::CreateWorldRequest* world) {
  const bool grid = is_grid(kind);
  v1::Profile* usual = world->add_profiles();
  usual->set_name("default");
  if (kind == WorldKind::kGrid4) usual->set_topology(v1::TOPOLOGY_4);
  if (kind == WorldKind::kHex) usual->set_topology(v1::TOPOLOGY_HEX);
  v1::Profile* wide = world->add_profiles();
  wide->set_name("wide");
  wide->set_topology(usual->topology());
  if (kind != WorldKind::kGraph)
    wide->set_radius(grid ? 0.8 + random.unit() : 0.2 + 0.3 * random.unit());
  v1::Profile* other = world->add_profiles();
  other->set_name("other");
  other->set_topology(usual->topology());
  if (grid) {
    other->set_corner_rule(v1::CORNER_RULE_ONE);
    auto* rule = other->add_terrain_rules();
    rule->set_terrain_class("swamp");
    rule->set_factor(1 + 3 * random.unit());
    if (kind != WorldKind::kHex) other->set_turning_radius(0.3 + 2 * random.unit());
  } else {
    if (kind != WorldKind::kGraph) other->set_turning_radius(0.5 + random.unit());
    other->set_exclude_flags(2);
    auto* cost = other->add_area_costs();
    cost->set_area(3);
    cost->set_factor(1 + 3 * random.unit());
  }
}

inline WorldSource random_world(Random& random, WorldKind kind, const std::string& name) {
  WorldSource source;
  source.kind = kind;
  v1::CreateWorldRequest* world = source.header.mutable_world();
  world->set_name(name);
  v1::WorldOptions* options = world->mutable_options();
  options->set_lockstep(random.below(2) == 0);
  options->set_frame_rate_hz(200);
  options->set_frame_budget_work_units(500 + random.below(20'000));
  options->set_strategy(static_cast<v1::Strategy>(random.below(6)));
  options->set_history_revisions(100'000);
  if (is_grid(kind) && random.below(4) == 0) options->set_first_leg_cells(1);
  add_profiles(random, kind, world);
  switch (kind) {
    case WorldKind::kGrid8:
    case WorldKind::kGrid4:
    case WorldKind::kHex:
      source.file = random_map(random, 24 + random.below(40));
      source.header.set_format(v1::MAP_FORMAT_TEXT);
      break;
    case WorldKind::kPlan:
      source.file = read_file("deploy/maps/house.json");
      source.header.set_format(v1::MAP_FORMAT_FLOOR_PLAN);
      break;
    case WorldKind::kMesh:
      source.file = read_file("tests/data/meshes/courtyard.mesh");
      source.header.set_format(v1::MAP_FORMAT_POLYANYA);
      break;
    case WorldKind::kGraph:
      source.file = read_file("deploy/maps/streets.json");
      source.header.set_format(v1::MAP_FORMAT_GRAPH);
      break;
  }
  if ((kind == WorldKind::kPlan || kind == WorldKind::kMesh) && random.below(2) == 0)
    source.header.set_base_radius(0.5 * random.unit());
  return source;
}

inline KnownWorld facts_of(const WorldSource& source, const v1::World& world) {
  KnownWorld facts;
  facts.name = world.name();
  facts.kind = source.kind;
  facts.lockstep = world.options().lockstep();
  if (is_grid(source.kind)) {
    facts.high_x = world.width() * world.cell_size();
    facts.high_z = world.height() * world.cell_size();
  } else {
    facts.low_x = world.bounds_min().x();
    facts.low_z = world.bounds_min().z();
    facts.high_x = world.bounds_max().x();
    facts.high_z = world.bounds_max().z();
  }
  if (source.kind == WorldKind::kPlan) facts.floor = 4;
  if (source.kind == WorldKind::kGraph) facts.nodes = 108;
  for (const v1::Profile& profile : world.profiles()) facts.profiles.push_back(profile.name());
  return facts;
}

}  // namespace repath::test
