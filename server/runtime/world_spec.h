// The plain data that a world is made of, for each kind of world.
#pragma once

#include <variant>

#include "routes/graph_world.h"
#include "routes/nav_world.h"
#include "world/world.h"
#include "world/world_content.h"

namespace repath {

// The ground of a world of any kind, and what a world file puts on it.
struct FiledWorld {
  std::variant<WorldSpec, NavWorld::Source, GraphWorld::Source> ground;
  RestoredContent content;
};
// The content of a world; the variant gives its kind.
using AnyWorldSpec = std::variant<WorldSpec, NavWorld::Source, GraphWorld::Source, FiledWorld>;

}  // namespace repath
