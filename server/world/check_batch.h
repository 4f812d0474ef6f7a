// Checks whether a batch may be applied to a world, as far as possible without working it out. Pure
// functions.
#pragma once

#include "absl/status/status.h"
#include "world/batch.h"
#include "world/world.h"

namespace repath {

// Checks sizes, ids, shapes, factors, rectangles and profiles of the whole batch. Returns the first
// fault in the order of ChangeBatch's lists, as documented at World::stage. Allocates memory only
// for the ids. O(n log n).
absl::Status check_batch(const ChangeBatch& batch, const World& world);

}  // namespace repath
