// Random shapes of obstacles, every kind of them. The same dice give the same shapes. Pure
// functions of their arguments and the dice.
#pragma once

#include "verify/dice.h"
#include "verify/shapes.h"

namespace repath::verify {

// Returns a shape on or beside a cell of a grid, in cells. It may lie beyond the map in part.
Shape random_shape(CellXY place, Dice& dice);

// Returns a shape about a place on a mesh, in world units. It has no cells.
Shape random_mesh_shape(Point place, Dice& dice);

}  // namespace repath::verify
