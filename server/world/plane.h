// A number for each cell that one team has of its own: a layer of influence (danger, losses), or
// the cells that the team has not seen yet. Cells that no edit covered are zero.
//
// Planes are kept in tiles of 64 x 64 cells. A tile whose cells are all equal is one number, so an
// empty plane and one that covers the whole map take 16 bytes a tile. Not thread-safe; part of
// World.
//   1. Content is a function of the edits in their order. A tile becomes one number again as soon
//      as its cells on the map are equal, so equal content has equal memory.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ids.h"
#include "grid/cells/cells.h"
#include "grid/cells/layer.h"

namespace repath {

using Level = std::uint16_t;

// A layer of influence makes a cell dearer by the factor 1 + level / kLevelsPerFactor, which is
// exact in doubles.
inline constexpr int kLevelsPerFactor = 64;
// The level of factor 1000.
inline constexpr Level kLevelMax = 999 * kLevelsPerFactor;
// Layers of influence of one team, numbered from 0.
inline constexpr int kInfluenceLayers = 16;

// The team and the plane: a layer of influence by its number, or kUnseen. Ascending by team.
struct PlaneKey {
  // Plane of cells hidden from the team: level 1 for a cell that the team has not seen.
  static constexpr std::uint8_t kUnseen = kInfluenceLayers;

  TeamId team{};
  std::uint8_t number = 0;
  auto operator<=>(const PlaneKey&) const = default;
};

// The effect of an edit on the level of each cell it covers.
struct LevelChange {
  enum class Kind : std::uint8_t { kAdd, kSet, kKeep };
  Kind kind = Kind::kAdd;
  // kAdd: [-kLevelMax, kLevelMax]; kSet: [0, kLevelMax]; kKeep: thousandths that stay, [0, 1000).
  std::int32_t amount = 0;

  // Returns the new level. Sums are held in [0, kLevelMax]. Decay rounds down, so that every level
  // ends at 0.
  Level apply(Level level) const;
  bool operator==(const LevelChange&) const = default;
};

// 64 cells of a row of one plane.
struct LevelRow {
  PlaneKey key;
  std::array<Level, kTileSide> levels{};
};

class Plane {
 public:
  // Makes a plane of zeros. O(tiles).
  Plane(std::int32_t width, std::int32_t height);

  // REQUIRES: the cell is on the map.
  Level at(std::int32_t x, std::int32_t y) const;
  // Copies row y of tile column tx. Returns false, with nothing copied, if the tile is all zero.
  // REQUIRES: the row is on the map.
  bool row(std::int32_t tx, std::int32_t y, std::array<Level, kTileSide>* levels) const;
  // Returns true if every level is 0. O(1).
  bool empty() const { return used_tiles_ == 0; }
  // Returns the cells of the rectangle whose level is not 0. REQUIRES: it lies on the map. O(tiles
  // + rows of used tiles).
  CellSpans used(const CellRect& within) const;

  // REQUIRES for both functions: the cells are on the map.
  // Applies the change to each cell. O(cells + tiles met x log).
  void apply(const CellSpans& cells, LevelChange change);
  // Sets the levels of a tile, row by row, or all of them to one level. REQUIRES: (x, y) is the
  // tile's first cell; `levels` has one level, or as many as the tile has cells on the map.
  void put_tile(std::int32_t x, std::int32_t y, std::span<const Level> levels);
  // Returns the tiles for which apply() needs kSplitBytes more each, ascending; tiles that are
  // split already are left out. O(tiles met x log).
  std::vector<std::uint32_t> to_split(const CellSpans& cells) const;
  // Returns the memory. O(1).
  std::uint64_t bytes() const;

  static constexpr std::uint64_t kSplitBytes = kTileSide * kTileSide * sizeof(Level);

 private:
  using Levels = std::array<Level, kTileSide * kTileSide>;
  struct PlaneTile {
    PlaneTile() = default;
    PlaneTile(PlaneTile&&) = default;
    PlaneTile& operator=(PlaneTile&&) = default;
    PlaneTile(const PlaneTile& other)
        : all(other.all),
          levels(other.levels ? std::make_unique<Levels>(*other.levels) : nullptr) {}

    Level all = 0;                   // the level of all cells, if there are no `levels`
    std::unique_ptr<Levels> levels;  // row-major
  };

  // The number of cells of a tile that an edit covers.
  struct Part {
    std::uint32_t tile;
    std::uint32_t cells;
  };

  static bool is_used(const PlaneTile& tile) { return tile.levels || tile.all != 0; }
  // Returns the index of row y in tile column tx.
  std::size_t tile_index(std::int32_t tx, std::int32_t y) const {
    return static_cast<std::size_t>(y >> kTileBits) * static_cast<std::size_t>(tiles_x_) +
           static_cast<std::size_t>(tx);
  }
  std::vector<Part> parts_of(const CellSpans& cells) const;
  std::uint32_t cells_of(std::uint32_t tile) const;
  void split(PlaneTile* tile);
  void unite(std::uint32_t tile);

  std::int32_t width_;
  std::int32_t height_;
  std::int32_t tiles_x_;
  std::vector<PlaneTile> tiles_;
  std::size_t used_tiles_ = 0;   // tiles that are not all zero
  std::size_t split_tiles_ = 0;  // tiles that have `levels`
};

}  // namespace repath
