// Turns a picture of the ground into few terrain edits. Pure functions; any thread.
#pragma once

#include <vector>

#include "verify/world_model.h"

namespace repath::verify {

// Returns edits that turn `have` into `want` (width x height classes, row by row). They are
// rectangles of changed cells of one class, grown as far down and right as possible. An edit may
// also cover a cell that has the class already.
std::vector<TerrainEdit> edits_between(const std::vector<int>& have, const std::vector<int>& want,
                                       int width, int height);

}  // namespace repath::verify
