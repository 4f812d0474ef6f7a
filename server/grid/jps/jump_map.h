// Jump facts of a layer for jump point search, for every cell and direction at once, kept up to
// date under edits.
//
// Source: grid/jps/jump_tile.h. Facts are in tiles of 64 x 64 cells, tiles in pages, as in
// GridLayer. Copying a map shares all of them (O(pages)); changing a tile copies it if it is
// shared, so a copy is an immutable snapshot. Thread rule: that of GridLayer.
// 1. Once made, and after update(layer, touched), all facts are those of `layer` under the corner
//    rule. Equal layers make equal maps, whatever edits led there, also between two steps of the
//    making.
// 2. A rim of blocked tiles lies around the map, so that scans and runs need not check where it
//    ends.
// 3. Bit i of beyond(slot).corner[h]: a scan that leaves the tile by heading h in line i ends at a
//    corner of another tile. So an edit changes these bits of distant tiles, but not the tiles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/check.h"
#include "base/ids.h"
#include "grid/cells/cow.h"
#include "grid/cells/layer.h"
#include "grid/cells/topology.h"
#include "grid/jps/jump_tile.h"

namespace repath {

class JumpMap {
 public:
  // Where scans end that leave a tile: bit i of a word stands for line i.
  struct Beyond {
    std::array<std::uint64_t, 4> corner{};    // by heading
    std::array<std::uint64_t, 2> mirrored{};  // of kSouth and kNorth, in reverse
    bool operator==(const Beyond&) const = default;
  };

  // Makes a map without cells.
  JumpMap() = default;
  // O(cells): about 12 us for each tile that is neither all free nor all blocked.
  JumpMap(const GridLayer& layer, CornerRule rule) : JumpMap(layer, rule, Unmade{}) {
    std::size_t steps = kStepsPerTile * slots_;
    REPATH_CHECK(make(layer, &steps));
  }
  // Makes a map whose facts are still to be made. O(tiles / 32).
  struct Unmade {};
  JumpMap(const GridLayer& layer, CornerRule rule, Unmade);
  // Continues making the facts, for at most `*steps` steps, and subtracts the steps used. A tile
  // takes kStepsPerTile steps of about 4 us each. Returns true once all facts are made. Until then
  // the only other function to call is update(), for every change of the layer. REQUIRES: `layer`
  // is the constructor's, in its present state.
  bool make(const GridLayer& layer, std::size_t* steps);
  static constexpr std::size_t kStepsPerTile = 3;
  bool is_made() const { return next_step_ == kStepsPerTile * slots_; }

  // Takes over changes: cells of `layer` were blocked or freed. Each of them is in `touched`, in
  // any order, repeats allowed. REQUIRES: the size has not changed. O(lines of cells that were
  // touched or lie beside them); copies tiles that snapshots share.
  void update(const GridLayer& layer, std::span<const NodeId> touched);

  CornerRule corner_rule() const { return rule_; }
  std::int32_t width() const { return width_; }
  std::int32_t height() const { return height_; }

  // Returns the slot of a cell's tile; one tile further in y is stride() slots further. REQUIRES
  // for these: the cell is on the map or at most 64 cells off.
  std::size_t slot_of(std::int32_t x, std::int32_t y) const {
    return static_cast<std::size_t>((y >> kTileBits) + 1) * stride_ +
           static_cast<std::size_t>((x >> kTileBits) + 1);
  }
  std::size_t stride() const { return stride_; }
  const JumpTile& tile(std::size_t slot) const {
    return *pages_[slot / kPageTiles]->tiles[slot % kPageTiles];
  }
  const Beyond& beyond(std::size_t slot) const {
    return pages_[slot / kPageTiles]->beyond[slot % kPageTiles];
  }
  // All facts of a tile. Valid as long as the map does not change.
  struct View {
    std::size_t slot = 0;
    const JumpTile* tile = nullptr;
    const Beyond* beyond = nullptr;
  };
  View view(std::size_t slot) const {
    const Page& page = *pages_[slot / kPageTiles];
    return {slot, page.tiles[slot % kPageTiles].get(), &page.beyond[slot % kPageTiles]};
  }
  bool is_free(std::int32_t x, std::int32_t y) const {
    return (tile(slot_of(x, y)).rows[static_cast<std::size_t>(y & kTileMask)].free >>
                (x & kTileMask) &
            1) != 0;
  }
  // Returns the 3 x 3 free bits around a cell of the tile, as GridLayer::free_around does.
  unsigned free_around(const View& at, std::int32_t x, std::int32_t y) const {
    const std::int32_t lx = x & kTileMask;
    const std::int32_t ly = y & kTileMask;
    if (lx == 0 || lx == kTileMask || ly == 0 || ly == kTileMask) return free_around_border(x, y);
    const JumpTile::Line* row = &at.tile->rows[static_cast<std::size_t>(ly)];
    const int shift = lx - 1;
    return static_cast<unsigned>((row[-1].free >> shift & 7u) | (row[0].free >> shift & 7u) << 3 |
                                 (row[1].free >> shift & 7u) << 6);
  }

  // Returns the memory. Tiles shared with copies of the map count each time; the tiles that are all
  // free or all blocked count once. O(1).
  std::uint64_t bytes() const {
    const std::uint64_t shared = pages_.empty() ? 0 : 2;
    return (own_tiles_ + shared) * sizeof(JumpTile) +
           pages_.size() * (sizeof(Page) + sizeof(void*));
  }
  // Returns the most that bytes() can be for a layer of this size. O(1).
  static std::uint64_t bytes_max(const GridLayer& layer) {
    const auto across = static_cast<std::uint64_t>(layer.tiles_x());
    const auto down = static_cast<std::uint64_t>(layer.tiles_y());
    const std::uint64_t pages = ((across + 2) * (down + 2) + kPageTiles - 1) / kPageTiles;
    return (across * down + 2) * sizeof(JumpTile) + pages * (sizeof(Page) + sizeof(void*));
  }

  // Compares word by word. O(tiles).
  bool operator==(const JumpMap& other) const;

 private:
  static constexpr std::size_t kPageTiles = 32;
  struct Page : CowCounted {
    std::array<Cow<JumpTile>, kPageTiles> tiles;
    std::array<Beyond, kPageTiles> beyond{};
  };
  // The facts of a line before an edit.
  struct OldLine {
    std::size_t slot = 0;
    std::int32_t i = 0;
    bool is_row = false;
    LineFacts facts;
    StepFacts steps;  // of rows only
  };

  unsigned free_around_border(std::int32_t x, std::int32_t y) const;
  bits::Strip strip(std::size_t slot, std::int32_t line, bool is_row) const;
  StripTriple triple(std::size_t slot, std::int32_t line, bool is_row) const;
  bool is_shared(const JumpTile* tile) const {
    return tile == free_tile_.get() || tile == blocked_tile_.get();
  }
  void put(std::size_t slot, const Cow<JumpTile>& tile);
  JumpTile& writable(std::size_t slot) {
    Cow<JumpTile>& place = pages_[slot / kPageTiles].writable().tiles[slot % kPageTiles];
    own_tiles_ += is_shared(place.get()) ? 1 : 0;
    return place.writable();
  }
  void read(const GridLayer& layer, std::size_t slot);
  void make_facts(std::size_t slot);
  void change_tile(std::size_t slot, const bits::Matrix& free);
  std::vector<OldLine> old_lines(std::size_t slot, std::uint64_t rows, std::uint64_t columns,
                                 bool but_its_own) const;
  void look_again(std::span<const OldLine> lines, bool is_changed);
  void carry_changed(std::size_t slot, const std::array<JumpTile::Entry, 4>& before) {
    for (const Heading h : kHeadings)
      if (!(tile(slot).entries[index(h)] == before[index(h)])) carry(slot, h);
  }
  void carry(std::size_t slot, Heading h);
  bool is_rim(std::size_t slot) const {
    const std::size_t column = slot % stride_;
    return slot < stride_ || slot >= slots_ - stride_ || column == 0 || column == stride_ - 1;
  }

  CornerRule rule_ = CornerRule::kNone;
  std::int32_t width_ = 0;
  std::int32_t height_ = 0;
  std::size_t stride_ = 0;  // slots in a row of tiles, including the rim
  std::size_t slots_ = 0;
  std::size_t next_step_ = 0;  // by phase, then slot: reading cells, making facts, carrying
  std::size_t own_tiles_ = 0;  // number of tiles other than the two shared ones
  Cow<JumpTile> free_tile_;    // all cells free, also around it
  Cow<JumpTile> blocked_tile_;
  std::vector<Cow<Page>> pages_;
};

}  // namespace repath
