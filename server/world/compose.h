// Composes a view's tile from the obstacles of the tile: the steps shared by building a whole view
// and working out a batch. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "grid/cells/cells.h"
#include "grid/cells/layer.h"
#include "world/batch.h"
#include "world/obstacle.h"
#include "world/sight.h"

namespace repath {

// One enabled obstacle, its cells borrowed.
struct Cover {
  ObstacleId id{};
  const CellSpans* cells = nullptr;
  Effect effect;
  TeamMask teams = kAllTeams;
  std::optional<AgentId> body = {};  // the agent whose body it is
};

// Converts the obstacle to a cover. Borrows its cells. REQUIRES: enabled.
Cover cover_of(const Obstacle& obstacle, bool is_body);

// Returns the cells of row y in [64 tx, 64 tx + 64), bit 0 the leftmost. O(log spans + spans of the
// row).
std::uint64_t bits_in_row(const CellSpans& cells, std::int32_t tx, std::int32_t y);

// Fills `row` with the covers that have a cell in that row of that tile, in the same order.
void covers_in_row(std::span<const Cover> covers, std::int32_t tx, std::int32_t y,
                   std::vector<CoverBits>* row);

// Returns the cells whose state or factor differs from the tile's row `ly`, in [0, 64).
std::uint64_t changed_bits(const Tile& tile, std::size_t ly, const RowState& row);

// Appends the nodes of the set bits, bit 0 being `first`.
void append_nodes(std::uint64_t bits, NodeId first, std::vector<NodeId>* nodes);

// Writes the row into the tile. After the last row, trim must be called once.
void write_row(const RowState& row, std::size_t ly, Tile* tile);
// Drops factors that are all kFactorOne (invariant 2 of grid/cells/layer.h).
void trim(Tile* tile);

}  // namespace repath
