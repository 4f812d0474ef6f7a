// Which free cells of a layer hang together: two cells are of one component exactly if steps lead
// from one to the other, under 4 and 8 neighbours and both corner rules (a diagonal step needs a
// free flank, so the 4-connected components are those of every rule).
//
// Kept by tiles: each tile's runs of free cells get labels of their own, and each border knows
// which labels meet across it. An edit relabels the tiles it touches and looks at their borders
// again; only if other labels meet there than before are all borders' labels united anew. Sources:
// union-find with path halving, R. Tarjan, J. van Leeuwen, "Worst-case analysis of set union
// algorithms", 1984; labels by runs, L. He, Y. Chao, K. Suzuki, "A run-based two-scan labeling
// algorithm", 2008. Memory: 196 bytes a tile, 2 a run, 4 a component of a tile and a pair that
// meets. Not thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "grid/layer.h"

namespace repath {

class Components {
 public:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;  // of a blocked cell
  static constexpr std::size_t kTilesPerUnit = 16;

  // Knows nothing of any tile yet. O(tiles).
  explicit Components(const GridLayer& layer);

  // The cell was blocked or freed. REQUIRES: a node of the layer. O(1).
  void touch(NodeId cell);
  // Goes on until the labels are those of `layer`, for at most `*units` work units, and takes off
  // what it used. True if it got there. REQUIRES: every change since the last call was touched.
  // Units: two for a tile relabelled, one for a tile whose borders are looked at, one for uniting
  // the labels of kTilesPerUnit tiles.
  bool update(const GridLayer& layer, WorkUnits* units);

  // The cell's component; equal for two cells exactly if they hang together. REQUIRES: update()
  // returned true for `layer` and nothing was touched since. O(1).
  std::uint32_t component_of(const GridLayer& layer, NodeId cell) const;

  std::uint64_t bytes() const;

 private:
  // A label of a tile and one of its neighbour that meet at their border.
  struct Joint {
    std::uint16_t own = 0;
    std::uint16_t other = 0;
    bool operator==(const Joint&) const = default;
  };
  struct TileLabels {
    std::array<std::uint16_t, kTileSide> first{};  // number of the first run of each row
    std::vector<std::uint16_t> labels;             // by run, in [0, count)
    std::uint16_t count = 0;
    std::uint16_t right_joints = 0;
    std::vector<Joint>
        joints;  // right_joints with the right neighbour, the rest with the one below
  };
  // Tiles to be worked on, each once.
  struct Pending {
    std::vector<std::uint32_t> tiles;
    std::vector<bool> has;
    void add(std::size_t tile);
    std::size_t take();  // REQUIRES: not empty
  };

  static void label_runs(const Tile& tile, TileLabels* out);
  static std::uint16_t label_at(const TileLabels& labels, std::uint64_t row, std::int32_t x,
                                std::int32_t y);
  void relabel(const GridLayer& layer, std::size_t tile);
  void find_joints(const GridLayer& layer, std::size_t tile);
  bool unite(WorkUnits* units);
  void number_tiles();
  void join(std::uint32_t a, std::uint32_t b);
  std::uint32_t root_of(std::uint32_t label);

  std::int32_t width_;
  std::int32_t tiles_x_;
  std::vector<TileLabels> tiles_;
  Pending to_relabel_;
  Pending to_look_at_;                  // borders to the right and below
  std::vector<std::uint32_t> first_;    // by tile: the number of its label 0 among all
  std::vector<std::uint32_t> parents_;  // of all tiles' labels; of roots themselves
  std::size_t next_to_unite_ = 0;       // tiles before it are united with their neighbours
};

}  // namespace repath
