// Between the checker's model and the messages of the API. Shapes of the model are in cells, those
// of the API in world units; the checker's worlds have cells of 1 unless stated otherwise. Pure
// functions; any thread.
#pragma once

#include <vector>

#include "repath/v1/common.pb.h"
#include "repath/v1/world.pb.h"
#include "verify/world_model.h"

namespace repath::verify {

// Returns the terrain classes of a world in the server's order.
std::vector<TerrainClass> classes_of(const v1::World& world);

// Fills in the shape. `cell_size`: world units of one unit of the shape.
void fill(const Shape& shape, double cell_size, v1::Obstacle& message);
// Returns a blocking obstacle that covers all within `reach` of a line, in world units.
v1::Obstacle thick_line(Point from, Point to, double reach);
void fill(const Profile& profile, double cell_size, v1::Profile& message);
void fill(const Batch& batch, const std::vector<TerrainClass>& classes, double cell_size,
          v1::ChangeBatch& message);

// Returns the part of `name` after `prefix`: "INVALIDATED" of EVENT_TYPE_INVALIDATED.
std::string without(const std::string& name, const std::string& prefix);

}  // namespace repath::verify
