// Where a tower of w x h cells may stand so that no agent is cut off: an answer for each anchor of
// a region. A tower is an obstacle that blocks its cells for all teams, and an anchor is the cell
// of the tower with the least column and row. The answers are those that TestChanges gives for each
// anchor (engine/tried_changes.h).
//
// The agents come from the world's strand (placement_capture.cc), O(agents). All else is done on a
// query thread, for each anchor and each view that has agents. The open cells around what the tower
// bars are its ring. If steps within the ring join all of it, every way through the tower has a way
// around it, and nothing is parted (engine/tower_print.h). Otherwise the ring has several pieces.
// Searches run from all of them in turns, until all have met or all but one have ended
// (engine/ring_floods.h). A search that ended has found a small part of the ground. Only small
// parts are looked through for agents and goals. An agent is cut off if the tower bars all goals
// that it can reach, or if they all are in other parts.
//
// Pure function of its arguments, safe on any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "base/map_point.h"
#include "engine/queries.h"
#include "engine/tower_print.h"
#include "grid/cells/clearance.h"
#include "grid/cells/goals.h"
#include "grid/cells/layer.h"
#include "grid/cells/place.h"
#include "grid/components/component_map.h"

namespace repath {

// Greatest number of anchors in one answer, and greatest side of a tower.
inline constexpr std::int64_t kPlacementAnchorsMax = std::int64_t{1} << 20;
inline constexpr std::int32_t kTowerSideMax = 64;

// The numbers are those of repath.v1.Placement. The first that applies counts. An anchor is
// kUnknown only if none of kGround, kAgent and kCutsOff is known for it.
enum class Placement : std::uint8_t {
  kFree = 1,     // a tower may stand here
  kGround = 2,   // one of its cells is off the map or not free
  kAgent = 3,    // an agent with a path to a goal would stand in the tower, and would have none
  kCutsOff = 4,  // another agent with a path to a goal would have none
  kUnknown = 5,  // the limits of the query were reached before this was known
};

// An agent, as far as placements depend on it.
struct PlacementAgent {
  NodeId node{};            // where it is
  MapPoint point;           // free ground is looked for around it if the node is blocked
  bool snaps = false;       // the nearest free cell may stand in for a blocked one
  std::uint32_t goals = 0;  // index into PlacementView::goals
};

// Cells of a box that a team has not seen: a tower there would be unknown to it.
class UnseenCells {
 public:
  explicit UnseenCells(const PlaceBox& box)
      : box_(box),
        words_((static_cast<std::size_t>(box.x1 - box.x0) >> 6) + 1),
        bits_(words_ * static_cast<std::size_t>(box.y1 - box.y0 + 1)) {}
  // REQUIRES for both: the cell is in the box.
  void add(Place p) { bits_[word_of(p)] |= bit_of(p); }
  bool contains(Place p) const { return (bits_[word_of(p)] & bit_of(p)) != 0; }
  const PlaceBox& box() const { return box_; }

 private:
  std::size_t word_of(Place p) const {
    return static_cast<std::size_t>(p.y - box_.y0) * words_ +
           (static_cast<std::size_t>(p.x - box_.x0) >> 6);
  }
  std::uint64_t bit_of(Place p) const { return std::uint64_t{1} << ((p.x - box_.x0) & 63); }

  PlaceBox box_;
  std::size_t words_;  // of a row
  std::vector<std::uint64_t> bits_;
};

// A view that agents use.
struct PlacementView {
  GridLayer layer;
  Topology topology{};
  Disc disc;
  std::optional<ComponentMap> components = {};     // of the layer, if they are kept already
  std::shared_ptr<const UnseenCells> unseen = {};  // null: the team sees all cells
  std::vector<std::shared_ptr<const Goals>> goals = {};
  std::vector<PlacementAgent> agents = {};
};

// All that placements depend on, as it is at one revision.
struct PlacementGround {
  Revision revision{};
  GridLayer ground;  // free where the query's walker could be without its radius
  std::vector<PlacementView> views = {};
};

struct PlacementQuery {
  PlaceBox anchors;  // on the map, not empty; at most kPlacementAnchorsMax
  TowerSize size;    // each side in [1, kTowerSideMax]
};

// Returns the cells of the map that some tower of the query would cover.
PlaceBox cells_covered(const PlacementQuery& query, std::int32_t width, std::int32_t height);

struct PlacementAnswer {
  std::vector<Placement> placements;  // of each anchor, row by row
  std::uint64_t expanded = 0;         // cells reached by floods, and 1 for 64 cells looked at
};
PlacementAnswer find_placements(const PlacementGround& ground, const PlacementQuery& query,
                                const QueryLimits& limits);

}  // namespace repath
