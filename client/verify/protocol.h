// Between the checker's model and the messages of the API. Shapes of the model are in cells, those
// of the API in world units; the checker's worlds have cells of 1 unless said otherwise. Pure
// functions; any thread.
#pragma once

#include <vector>

#include "repath/v1/common.pb.h"
#include "repath/v1/world.pb.h"
#include "verify/world_model.h"

namespace repath::verify {

// The terrain classes of a world as the server tells them, in its order.
std::vector<TerrainClass> classes_of(const v1::World& world);

void fill(const Profile& profile, double cell_size, v1::Profile& message);
void fill(const Batch& batch, const std::vector<TerrainClass>& classes, double cell_size,
          v1::ChangeBatch& message);

// "INVALIDATED" of EVENT_TYPE_INVALIDATED: the part of `name` behind `prefix`.
std::string without(const std::string& name, const std::string& prefix);

}  // namespace repath::verify
