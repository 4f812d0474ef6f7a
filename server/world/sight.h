// Computes how one (profile, team) sees cells: from terrain and the obstacles that cover them to
// free bits and factors of tiles. Invariant 1 of world/world.h is computed only here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"
#include "grid/cells/cells.h"
#include "grid/cells/costs.h"
#include "grid/cells/layer.h"
#include "grid/cells/terrain.h"
#include "world/batch.h"
#include "world/obstacle_index.h"
#include "world/plane.h"
#include "world/profile.h"

namespace repath {

// The part of an enabled obstacle's cells that lies in one row of 64 cells.
struct CoverBits {
  std::uint64_t bits = 0;
  Effect effect;
  TeamMask teams = kAllTeams;
  std::optional<AgentId> body = {};  // the agent whose body it is
};

// One row of 64 cells as a view sees it.
struct RowState {
  std::uint64_t free = 0;
  bool weighted = false;  // some free cell's factor is not kFactorOne
  std::array<Factor, kTileSide>
      factors{};  // of all cells if weighted, kFactorOne for blocked ones; else of no meaning
};

class Sight {
 public:
  // Makes the sight of one (profile, team). The body of `without` does not count. REQUIRES:
  // check_profile(profile, classes) is OK.
  Sight(const TerrainTable& classes, const Profile& profile, TeamId team,
        std::optional<AgentId> without);

  TeamId team() const { return team_; }
  std::optional<AgentId> without() const { return without_; }
  bool sees(TeamMask teams, std::optional<AgentId> body) const {
    return concerns(teams, team_) && (!body || body != without_);
  }

  // Returns the row as seen. `terrain`: the row's cells on the map, 1 to 64; cells beyond are
  // blocked. `covers`: ascending by obstacle id; `levels`: by key. O(64 + covers + levels).
  RowState look(std::span<const TerrainId> terrain, std::span<const CoverBits> covers,
                std::span<const LevelRow> levels) const;

 private:
  bool is_influence(const LevelRow& level) const {
    return level.key.team == team_ && level.key.number != PlaneKey::kUnseen;
  }
  std::uint64_t unseen_bits(std::span<const LevelRow> levels) const;
  void weigh(std::span<const TerrainId> terrain, std::span<const CoverBits> covers,
             std::span<const LevelRow> levels, RowState* row) const;

  TeamId team_;
  std::optional<AgentId> without_;
  std::array<bool, kTerrainClassesMax> forbidden_{};
  std::array<double, kTerrainClassesMax> factor_{};
  std::array<bool, kTerrainClassesMax> weighs_{};  // walkable, with a factor other than 1
};

// ---- steps of building a whole view and of working out a batch ----
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

// The covers of a tile by the rows that they reach into, so that a row costs what lies on it. Keeps
// its memory from tile to tile.
class TileCovers {
 public:
  // Takes the enabled obstacles of the tile. Borrows the covers. O(covers + rows they reach into).
  void set(std::span<const Cover> covers, std::int32_t tx, std::int32_t ty);
  // Fills `row` with the covers that have a cell in row y of the tile, in their order.
  void read_row(std::int32_t y, std::vector<CoverBits>* row) const;

 private:
  std::span<const Cover> covers_;
  std::int32_t tx_ = 0;
  std::array<std::vector<std::uint32_t>, kTileSide> rows_;  // places in covers_
};

// Returns the cells whose state or factor differs from the tile's row `ly`, in [0, 64).
std::uint64_t changed_bits(const Tile& tile, std::size_t ly, const RowState& row);

// Appends the nodes of the set bits, bit 0 being `first`.
void append_nodes(std::uint64_t bits, NodeId first, std::vector<NodeId>* nodes);

// Writes the row into the tile. After the last row, trim must be called once.
void write_row(const RowState& row, std::size_t ly, Tile* tile);
// Drops factors that are all kFactorOne (invariant 2 of grid/cells/layer.h).
void trim(Tile* tile);

}  // namespace repath
