// Which free cells of a layer hang together: two cells are of one component exactly if steps lead
// from one to the other, under 4 and 8 neighbours and both corner rules (a diagonal step needs a
// free flank, so the 4-connected components are those of every rule), or on hexagons.
//
// The map is cut into bands of 64 x 16 cells; what hangs together within a band is a part, parts
// that meet at a border are joined, and parts that hang together bear the number of one group. An
// edit labels its bands anew. If the same parts are joined as before, no group changes. Else only
// what is around is looked at: where parts come together the smaller group is renumbered; where
// they come apart, searches go out from all sides in turns, until all but one have met or ended,
// and those that ended are groups of their own. Sources: grid/components/run_labels.h; the
// interleaved search is that of Y. Shiloach, S. Even, "An on-line edge-deletion problem", JACM
// 1981. Many bands at once, and what a single search cannot settle in the units given, are grouped
// anew, in slices. Memory: 160 bytes a band, 2 a run, 8 a part, 4 a joint. Not thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"
#include "grid/cells/layer.h"
#include "grid/cells/topology.h"
#include "grid/components/run_labels.h"

namespace repath {

inline constexpr std::int32_t kBandHeight = 16;
inline constexpr std::int32_t kBandsInTile = 4;

// What a band sees of its tile.
using BandRows = RunRows<kBandHeight>;
using BandLabels = RunLabels<kBandHeight>;

class Components {
 public:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;  // of a blocked cell
  static constexpr std::size_t kBandsAtOnce = 64;  // of more touched ones all groups are made anew

  // Knows nothing of any band yet. `topology`: only whether the cells are hexagons. O(bands).
  explicit Components(const GridLayer& layer, Topology topology = Topology::k8);

  // The cell was blocked or freed. REQUIRES: a node of the layer. O(1).
  void touch(NodeId cell);
  // Goes on until the groups are those of `layer`, for at most `*units` work units, and takes off
  // what it used. True if it got there. REQUIRES: every change since the last call was touched.
  // Units: kUnitsToLabel for a band and its borders, one for each part that a search comes to.
  bool update(const GridLayer& layer, WorkUnits* units);
  static constexpr WorkUnits kUnitsToLabel = 4;
  // About what update() would take; 0: nothing was touched since it returned true. O(1).
  WorkUnits units_behind() const {
    return touched_.size() * kUnitsToLabel + (is_grouping_ ? bands_.size() : 0);
  }

  // The cell's component; equal for two cells exactly if they hang together. REQUIRES: update()
  // returned true for `layer` and nothing was touched since. O(1).
  std::uint32_t component_of(const GridLayer& layer, NodeId cell) const;

  std::uint64_t bytes() const;

 private:
  static constexpr std::size_t kNoBand = ~std::size_t{0};

  struct Part {
    std::uint32_t group = kNone;
    std::uint32_t mark = 0;  // what came to it last, see marks_
  };
  struct Band {
    BandLabels labels;
    std::vector<Part> parts;  // by label
    std::vector<Joint> right;
    std::vector<Joint> below;
  };
  struct PartAt {
    std::uint32_t band = 0;
    std::uint32_t part = 0;
  };
  enum class Side : std::uint8_t { kRight, kBelow, kCorner };  // kCorner: below to the right
  class Repair;
  class Parting;
  struct Border {
    std::size_t band = 0;
    Side side = Side::kRight;
    std::vector<Joint> before;
  };
  // What a repair works in, kept from one to the next for its memory alone.
  struct RepairMemory {
    std::vector<std::uint32_t> bands;
    std::vector<std::vector<Part>> parts_before;  // by bands, and more
    std::vector<bool> is_changed;                 // by bands
    std::vector<std::size_t> region;              // of bands, those that changed
    std::vector<Border> borders;                  // the first borders_used
    std::size_t borders_used = 0;
    std::vector<PartAt> clusters;         // a part of each cluster of the region, by mark
    std::vector<std::size_t> cluster_of;  // those that meet around it count as one; union-find
    std::vector<PartAt> cluster;          // one of them, whole
    std::vector<PartAt> around;           // and what it meets
    std::vector<PartAt> seeds;  // one at least in each piece that a group may have come to

    void clear();
  };

  // Where bands meet: of squares not at corners.
  std::span<const Side> sides() const {
    static constexpr std::array kSides{Side::kRight, Side::kBelow, Side::kCorner};
    return std::span(kSides).first(is_hex_ ? 3 : 2);
  }
  // The band beside; kNoBand at the rim.
  std::size_t beside(std::size_t band, Side side) const;
  std::size_t before(std::size_t band, Side side) const;
  BandRows rows_of(const GridLayer& layer, std::size_t band) const;
  const std::vector<Joint>& joints(std::size_t band, Side side) const {
    if (side == Side::kCorner) return corners_[band];
    return side == Side::kRight ? bands_[band].right : bands_[band].below;
  }
  std::vector<Joint>& joints(std::size_t band, Side side) {
    if (side == Side::kCorner) return corners_[band];
    return side == Side::kRight ? bands_[band].right : bands_[band].below;
  }
  void label(const GridLayer& layer, std::size_t band);
  void find_joints(const GridLayer& layer, std::size_t band, Side side);
  Part& part(PartAt at) { return bands_[at.band].parts[at.part]; }
  // Calls visit(PartAt) for each part that is joined to this one.
  template <class Visit>
  void for_each_neighbour(PartAt at, Visit&& visit) const;

  // False if there are not as many left.
  static bool spend(WorkUnits* units, WorkUnits cost) {
    if (*units < cost) return false;
    *units -= cost;
    return true;
  }
  // What an edit to a few bands needs (components_repair.cc). False if the units did not suffice;
  // the groups are then of no use. REQUIRES: no grouping is on.
  bool repair(const GridLayer& layer, WorkUnits* units);
  std::uint32_t new_group();
  void leave_group(std::uint32_t group);
  void forget_marks();
  bool group_anew(const GridLayer& layer, WorkUnits* units);
  bool label_touched(const GridLayer& layer, WorkUnits* units);
  bool flood(WorkUnits* units);

  std::int32_t width_;
  std::size_t bands_x_;
  bool is_hex_;
  std::vector<Band> bands_;
  std::vector<std::vector<Joint>> corners_;  // by band; of hexagons only
  std::vector<std::uint32_t> touched_;
  std::vector<bool> is_touched_;      // by band
  std::vector<std::uint32_t> sizes_;  // parts by group
  std::vector<std::uint32_t> free_groups_;
  // Each search that visits parts takes marks of its own, greater than all before.
  std::uint32_t marks_ = 0;
  // All parts are grouped anew: bands whose joints are old, the band that is looked at, and parts
  // that have been come to and not gone on from. Those with mark `marks_` are in their group.
  bool is_grouping_ = true;
  std::vector<std::uint32_t> old_joints_;
  std::size_t next_band_ = 0;
  std::vector<PartAt> open_;
  RepairMemory memory_;
};

template <class Visit>
void Components::for_each_neighbour(PartAt at, Visit&& visit) const {
  for (const Side side : sides()) {
    for (const Joint& joint : joints(at.band, side))
      if (joint.own == at.part)
        visit(PartAt{static_cast<std::uint32_t>(beside(at.band, side)), joint.other});
    const std::size_t other = before(at.band, side);
    if (other == kNoBand) continue;
    for (const Joint& joint : joints(other, side))
      if (joint.other == at.part) visit(PartAt{static_cast<std::uint32_t>(other), joint.own});
  }
}

}  // namespace repath
