// Whether a batch may be applied to a world, as far as that can be told without working it out.
// Pure functions.
#pragma once

#include "absl/status/status.h"
#include "world/batch.h"
#include "world/world.h"

namespace repath {

// Checks sizes, ids, shapes, factors, rectangles and profiles of the whole batch; the first fault
// found, in the order of ChangeBatch's lists, is returned as World::stage documents. Allocates only
// for the ids. O(n log n).
absl::Status check_batch(const ChangeBatch& batch, const World& world);

}  // namespace repath
