// Maps made from a seed: the kinds of ground on which searches are compared. Equal arguments give
// equal maps on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grid/cells/terrain.h"

namespace repath::bench {

// "forest": single cells; "lakes": discs of side / 40 to side / 12; "cubicles": closed boxes with
// one gap, of thicker walls where more is to be blocked; "obstacle": one big square in the middle;
// "rooms": square rooms with a door in each wall, of the size and with the walls that come nearest
// to the density.
const std::vector<std::string>& scape_names();
// Scapes that have a density of their own. "rooms8": rooms of 8 x 8 cells with a gap of one cell in
// each wall. "halls": a chessboard of such quarters and of halls of 64 x 64 cells with doors of 8.
const std::vector<std::string>& fixed_scape_names();

// Makes a map with `density` of its cells blocked, [0, 0.6], or a little more or less: at most 0.02
// from 128 cells a side on, for a density of at most 0.5. REQUIRES: a name of
// scape_names() or fixed_scape_names(); side in [16, 16384]. O(cells).
GridMap make_scape(std::string_view name, std::int32_t side, double density, std::uint64_t seed);

// Makes rooms of a fixed size: walls one cell thick every `room` cells, and in each wall of a room
// a door of `door` cells at a random place. REQUIRES: 0 < door < room.
GridMap make_rooms(std::int32_t side, std::int32_t room, std::int32_t door, std::uint64_t seed);

}  // namespace repath::bench
