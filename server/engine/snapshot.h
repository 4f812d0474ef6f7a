// What one (profile, team) sees of a world at one revision: immutable, cheap to copy (it shares
// tiles), and safe to read on any thread while the engine goes on. Queries (engine/queries.h) read
// nothing else.
#pragma once

#include <optional>

#include "base/ids.h"
#include "grid/cells/graph.h"
#include "grid/cells/layer.h"
#include "grid/components/component_map.h"
#include "grid/hpa/hpa_map.h"
#include "grid/jps/jump_map.h"

namespace repath {

struct Snapshot {
  Revision revision{};
  GridLayer layer;
  Topology topology{};
  CornerRule corner_rule{};
  double cell_size = 1;               // world units
  std::optional<JumpMap> jumps = {};  // of the layer, if the world keeps one
  bool has_jumps_to_come = false;     // being made: a later snapshot of the same revision has them
  double radius = 0;                  // the walker's, cells
  // What a point would see, if the radius bars the walker from free cells too; else it is the
  // layer.
  std::optional<GridLayer> ground = {};
  std::optional<HpaMap> clusters = {};          // of the layer, unless its cells are hexagons
  std::optional<ComponentMap> components = {};  // of the layer

  // Borrows the snapshot.
  GridGraph graph() const { return GridGraph(&layer, topology, corner_rule); }
};

}  // namespace repath
