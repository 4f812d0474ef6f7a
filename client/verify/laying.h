// From a picture of the ground to few terrain edits. Pure functions; any thread.
#pragma once

#include <vector>

#include "verify/world_model.h"

namespace repath::verify {

// Edits that turn `have` into `want` (classes row by row, width x height of them): rectangles of
// changed cells of one class, grown as far down and right as they go. They may also lay a cell anew
// with the class that it has.
std::vector<TerrainEdit> edits_between(const std::vector<int>& have, const std::vector<int>& want,
                                       int width, int height);

}  // namespace repath::verify
