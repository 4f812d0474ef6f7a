// Putting the content of a world file into a world that was made of the file's ground.
#pragma once

#include "absl/status/status.h"
#include "base/work_meter.h"
#include "routes/route_world.h"
#include "world/world.h"
#include "world/world_content.h"

namespace repath {

// Applies the batches in their order, and sets the revision. A batch that is too large as a whole
// is applied in parts. INVALID_ARGUMENT with reason WORLD_FILE_HASH if the world then has another
// state hash; IMPORT_TOO_LARGE if the work exceeds the meter; the errors of commits, with the
// field's place in its batch. On an error the world is of no use. REQUIRES: the world is new.
absl::Status restore(const RestoredContent& content, World* world, WorkMeter* work);
absl::Status restore(const RestoredContent& content, RouteWorld* world, WorkMeter* work);

}  // namespace repath
