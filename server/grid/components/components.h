// The connected components of a layer's free cells. Two cells are of one component iff steps lead
// from one to the other. The components are the same under 4 and 8 neighbours and both corner
// rules, because a diagonal step needs a free flank. On hexagons they are computed separately.
//
// The map is cut into bands of 64 x 16 cells. Connected cells of a band are a part, parts that meet
// at a border are joined, and connected parts have the number of one group. An edit labels its
// bands again. If the same parts are joined as before, the groups stay. Otherwise only the
// surroundings are examined. Where parts come together, the smaller group is renumbered. Where they
// come apart, searches run from all sides in turns until all but one have met or ended; each search
// that ended has found a group of its own. If an edit touches many bands, or the units given do not
// suffice for the searches, all groups are made again, in slices. Memory: 160 bytes for each band,
// 2 for each run, 8 for each part, 4 for each joint. Not thread-safe.
//
// Sources: grid/components/run_labels.h; the interleaved search is that of Y. Shiloach, S. Even,
// "An on-line edge-deletion problem", JACM 1981.
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

// The rows of a tile that belong to a band.
using BandRows = RunRows<kBandHeight>;
using BandLabels = RunLabels<kBandHeight>;

class Components {
 public:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;  // component of a blocked cell
  // If more bands are touched, all groups are made again.
  static constexpr std::size_t kBandsAtOnce = 64;

  // Makes components in which every band is touched. `topology` only matters in that the cells may
  // be hexagons. O(bands).
  explicit Components(const GridLayer& layer, Topology topology = Topology::k8);

  // Reports that a cell was blocked or freed. REQUIRES: a node of the layer. O(1).
  void touch(NodeId cell);
  // Works until the groups are those of `layer`, for at most `*units` work units, and subtracts the
  // units used. Returns true if it finished. REQUIRES: every change since the last call was
  // touched. Units: kUnitsToLabel for a band and its borders, one for each part that a search
  // reaches.
  bool update(const GridLayer& layer, WorkUnits* units);
  static constexpr WorkUnits kUnitsToLabel = 4;
  // Returns the approximate cost of update(); 0 if no cell was touched since it returned true.
  // O(1).
  WorkUnits units_behind() const {
    return touched_.size() * kUnitsToLabel + (is_grouping_ ? bands_.size() : 0);
  }

  // Returns the cell's component; equal for two cells iff they are connected. REQUIRES: update()
  // returned true for `layer`, and no cell was touched since. O(1).
  std::uint32_t component_of(const GridLayer& layer, NodeId cell) const;

  std::uint64_t bytes() const;

 private:
  static constexpr std::size_t kNoBand = ~std::size_t{0};

  struct Part {
    std::uint32_t group = kNone;
    std::uint32_t mark = 0;  // the search that last reached it; see marks_
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
  using Side = StackSide;
  class Repair;
  class Parting;
  struct Border {
    std::size_t band = 0;
    Side side = Side::kRight;
    std::vector<Joint> before;
  };
  // The working memory of repairs, kept from one repair to the next to save allocations.
  struct RepairMemory {
    std::vector<std::uint32_t> bands;
    std::vector<std::vector<Part>> parts_before;  // by index in `bands`; may be longer
    std::vector<bool> is_changed;                 // by index in `bands`
    std::vector<std::size_t> region;              // indexes in `bands` of the bands that changed
    std::vector<Border> borders;                  // the first borders_used are in use
    std::size_t borders_used = 0;
    std::vector<PartAt> clusters;  // a part of each cluster of the region, by mark
    // Union-find: clusters that meet around the region count as one.
    std::vector<std::size_t> cluster_of;
    std::vector<PartAt> cluster;  // all parts of one cluster
    std::vector<PartAt> around;   // the parts that it meets
    std::vector<PartAt> seeds;  // at least one part in each piece that a group may have split into

    void clear();
  };

  // Returns the sides where bands meet; squares do not meet at corners.
  std::span<const Side> sides() const {
    static constexpr std::array kSides{Side::kRight, Side::kBelow, Side::kCorner};
    return std::span(kSides).first(is_hex_ ? 3 : 2);
  }
  // Return the neighbouring band; kNoBand at the rim.
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
  void label(const GridLayer& layer, std::size_t band) {
    bands_[band].labels.label(rows_of(layer, band), is_hex_);
    bands_[band].parts.assign(bands_[band].labels.count(), Part{});
  }
  void find_joints(const GridLayer& layer, std::size_t band, Side side);
  Part& part(PartAt at) { return bands_[at.band].parts[at.part]; }
  // Calls visit(PartAt) for each part that is joined to this one.
  template <class Visit>
  void for_each_neighbour(PartAt at, Visit&& visit) const {
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

  // Returns false if fewer than `cost` units are left.
  static bool spend(WorkUnits* units, WorkUnits cost) {
    if (*units < cost) return false;
    *units -= cost;
    return true;
  }
  // Repairs the groups after an edit to a few bands (components_repair.cc). Returns false if the
  // units did not suffice; the groups are then unusable. REQUIRES: group_anew() is not in progress.
  bool repair(const GridLayer& layer, WorkUnits* units);
  std::uint32_t new_group();
  // Reduces the group by one part.
  void leave_group(std::uint32_t group) {
    if (--sizes_[group] == 0) free_groups_.push_back(group);
  }
  void forget_marks();
  bool group_anew(const GridLayer& layer, WorkUnits* units);
  bool label_touched(const GridLayer& layer, WorkUnits* units);
  bool flood(WorkUnits* units);

  std::int32_t width_;
  std::size_t bands_x_;
  bool is_hex_;
  std::vector<Band> bands_;
  std::vector<std::vector<Joint>> corners_;  // by band; hexagons only
  std::vector<std::uint32_t> touched_;
  std::vector<bool> is_touched_;      // by band
  std::vector<std::uint32_t> sizes_;  // number of parts by group
  std::vector<std::uint32_t> free_groups_;
  // Each search that visits parts takes marks of its own, greater than all earlier ones.
  std::uint32_t marks_ = 0;
  // State of making all groups again: bands whose joints are outdated, the band being examined, and
  // parts that have been reached and not continued from. Parts with mark `marks_` are in their
  // group.
  bool is_grouping_ = true;
  std::vector<std::uint32_t> old_joints_;
  std::size_t next_band_ = 0;
  std::vector<PartAt> open_;
  RepairMemory memory_;
};

}  // namespace repath
