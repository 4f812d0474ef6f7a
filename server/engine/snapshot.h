// The view of one (profile, team) at one revision: immutable, cheap to copy (it shares tiles), and
// safe to read on any thread while the engine goes on. Queries (engine/queries.h) read nothing
// else.
#pragma once

#include <memory>
#include <optional>

#include "base/ids.h"
#include "grid/cells/graph.h"
#include "grid/cells/layer.h"
#include "grid/components/component_map.h"
#include "grid/hpa/hpa_map.h"
#include "grid/jps/jump_map.h"
#include "routes/query_ground.h"

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
  double turning_radius = 0;          // the walker's, cells
  // The layer of an agent without a radius. Set only if the agent's radius bars it from free cells
  // too; otherwise `layer` is that layer.
  std::optional<GridLayer> ground = {};
  std::optional<HpaMap> clusters = {};          // of the layer, unless its cells are hexagons
  std::optional<ComponentMap> components = {};  // of the layer

  // Borrows the snapshot.
  GridGraph graph() const { return GridGraph(&layer, topology, corner_rule); }
};

// A snapshot of a world of any kind.
struct AnySnapshot {
  Revision revision{};
  bool is_final = true;                       // else a later one of the same revision has more
  std::shared_ptr<const Snapshot> grid;       // null: a mesh or a graph
  std::shared_ptr<const QueryGround> routes;  // null: a grid
  double turning_radius = 0;                  // the walker's on a mesh, world units

  // Calls `question` with the Snapshot or the QueryGround. Queries of one name answer for both.
  template <class Question>
  auto ask(Question question) const {
    return grid != nullptr ? question(*grid) : question(*routes);
  }
};

}  // namespace repath
