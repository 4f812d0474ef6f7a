#include "navmesh/import/recast_polygons.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "navmesh/import/recast_facets.h"
#include "navmesh/import/recast_heights.h"

namespace repath {
namespace {

using OwnedContours = RecastOwned<rcContourSet, rcFreeContourSet>;

constexpr std::uint64_t kUnitsPerSpanAgain = 100;  // of ground that is divided once more

// Notes whether Recast reported a fault.
class FaultNote : public rcContext {
 public:
  FaultNote() { enableTimer(false); }
  bool has_fault() const { return has_fault_; }

 private:
  void doLog(rcLogCategory category, const char* text, int length) override {
    const std::string_view report(text, static_cast<std::size_t>(length));
    // This one is about memory, of which Recast then takes more.
    if (report.starts_with("rcBuildContours: Expanding max contours")) return;
    has_fault_ = has_fault_ || category != RC_LOG_PROGRESS;
  }

  bool has_fault_ = false;
};

// Returns the number of spans of walkable ground that lack one of four neighbours.
std::uint64_t count_border(const rcCompactHeightfield& ground) {
  std::uint64_t count = 0;
  for (int i = 0; i < ground.spanCount; ++i) {
    if (ground.areas[i] == RC_NULL_AREA) continue;
    bool is_border = false;
    for (int side = 0; side < 4; ++side)
      is_border = is_border || rcGetCon(ground.spans[i], side) == RC_NOT_CONNECTED;
    count += is_border ? 1 : 0;
  }
  return count;
}

// Returns the work of cutting outlines into triangles and of joining these, pair by pair,
// repeatedly.
std::uint64_t units_of(const rcContourSet& contours) {
  std::uint64_t units = 0;
  std::uint64_t all = 0;
  for (int i = 0; i < contours.nconts; ++i) {
    const auto n = static_cast<std::uint64_t>(contours.conts[i].nverts);
    if (n > std::uint64_t{1} << 20) return ~std::uint64_t{0} >> 1;
    units += n * n * n + 8 * n * n;
    all += n;
  }
  return units + all * all / 2;
}

bool divide(Division division, const rcConfig& c, rcContext* context,
            rcCompactHeightfield* ground) {
  switch (division) {
    case Division::kWatershed:
      return rcBuildDistanceField(context, *ground) &&
             rcBuildRegions(context, *ground, c.borderSize, c.minRegionArea, c.mergeRegionArea);
    case Division::kLayers:
      return rcBuildLayerRegions(context, *ground, c.borderSize, c.minRegionArea);
    case Division::kMonotone:
      break;
  }
  return rcBuildRegionsMonotone(context, *ground, c.borderSize, c.minRegionArea, c.mergeRegionArea);
}

// Divides one tile, way by way.
class TileDivider {
 public:
  TileDivider(const rcConfig& config, rcCompactHeightfield* ground, WorkMeter* work)
      : config_(config), ground_(*ground), work_(*work) {}

  TileGround run(OwnedPolygons* polygons) {
    // Recast merges regions, and joins holes to their outlines, by trying pairs.
    const std::uint64_t border_spans = count_border(ground_);
    const std::uint64_t units_of_pairs = border_spans * border_spans / 8;
    if (!work_.spend(units_of_pairs)) return TileGround::kStopped;
    FaultNote shrinking;
    if (!rcErodeWalkableArea(&shrinking, config_.walkableRadius, ground_))
      return TileGround::kStopped;
    units_again_ =
        units_of_pairs + kUnitsPerSpanAgain * static_cast<std::uint64_t>(ground_.spanCount);
    is_far_.assign(static_cast<std::size_t>(ground_.spanCount), true);
    return choose_division(
        height_tolerance(config_), [this](const DivisionWay& way) { return divide_by(way); },
        [&] { *polygons = std::move(polygons_); });
  }

 private:
  using Outcome = DivisionResult::Outcome;

  DivisionResult divide_by(const DivisionWay& way) {
    const bool has_facets = way.facets != FacetsOf::kNothing;
    if (has_facets && !is_worth(units_again_)) return {Outcome::kTooDear};
    const std::uint64_t before = work_.spent();
    // The caller has counted the first division.
    if (!(way == kDivisionWays[0]) && !work_.spend(units_again_)) return {Outcome::kStopped};
    const DivisionResult result = measure(way, has_facets);
    if (has_facets) spent_on_heights_ += work_.spent() - before;
    return result;
  }

  // Returns whether closer heights are worth so many more units. If there is no other division,
  // they always are.
  bool is_worth(std::uint64_t units) const {
    return !has_base_ || (spent_on_heights_ + units <= kHeightWork * units_again_ &&
                          work_.spent() + units <= work_.limit() / 2);
  }

  DivisionResult measure(const DivisionWay& way, bool has_facets) {
    if (has_facets && !mark(way)) return {Outcome::kStopped};
    FaultNote note;
    polygons_.reset(rcAllocPolyMesh());
    if (!polygons_ || !divide(way.division, config_, &note, &ground_)) return {Outcome::kFailed};
    if (const Outcome o = outline(has_facets, &note); o != Outcome::kDivided) return {o};
    if (note.has_fault()) return {Outcome::kFault};
    if (has_facets && has_base_ && polygons_->npolys > cells_max_) return {Outcome::kTooDear};
    const HeightErrors errors = height_errors(ground_, *polygons_, &work_);
    if (work_.is_over()) return {Outcome::kStopped};
    if (!has_facets) note_base(errors);
    return {Outcome::kDivided, errors.most};
  }

  // Marks the facets that a way asks for. Monotone strips take those of the watersheds before them.
  bool mark(const DivisionWay& way) {
    if (way.division == Division::kMonotone) return true;
    const std::vector<bool> all(is_far_.size(), true);
    return mark_facets(way.reach * height_tolerance(config_), way.crumb_spans,
                       way.facets == FacetsOf::kAllGround ? all : is_far_, config_.borderSize,
                       &ground_, &work_);
  }

  // Sets *polygons_ from the regions of the ground.
  Outcome outline(bool has_facets, rcContext* context) {
    const OwnedContours contours(rcAllocContourSet());
    if (!contours || !rcBuildContours(context, ground_, config_.maxSimplificationError,
                                      config_.maxEdgeLen, *contours))
      return Outcome::kFailed;
    if (contours->nconts == 0) return Outcome::kDivided;
    const std::uint64_t units = units_of(*contours);
    if (has_facets && !is_worth(units)) return Outcome::kTooDear;
    if (!work_.spend(units)) return Outcome::kStopped;
    return rcBuildPolyMesh(context, *contours, config_.maxVertsPerPoly, *polygons_)
               ? Outcome::kDivided
               : Outcome::kFailed;
  }

  // Notes which ground is off in the division without facets, and how many cells facets may take.
  void note_base(const HeightErrors& errors) {
    const double tolerance = height_tolerance(config_);
    for (std::size_t i = 0; i < is_far_.size(); ++i) {
      const unsigned short region = ground_.spans[i].reg;
      is_far_[i] = (region & RC_BORDER_REG) == 0 && errors.of_region[region] > tolerance;
    }
    has_base_ = true;
    cells_max_ = polygons_->npolys + config_.tileSize * config_.tileSize / kColumnsPerCell;
  }

  const rcConfig& config_;
  rcCompactHeightfield& ground_;
  WorkMeter& work_;
  std::uint64_t units_again_ = 0;  // of a division, without outlines
  OwnedPolygons polygons_;         // of the last division
  bool has_base_ = false;          // whether a division without facets succeeded
  std::vector<bool> is_far_;       // by span: its region is off in that division
  std::uint64_t spent_on_heights_ = 0;
  int cells_max_ = 0;
};

}  // namespace

double height_tolerance(const rcConfig& config) {
  return std::max(config.walkableHeight / 2.0, double(config.walkableClimb));
}

TileGround polygons_of(const rcConfig& config, rcCompactHeightfield* ground, WorkMeter* work,
                       OwnedPolygons* polygons) {
  return TileDivider(config, ground, work).run(polygons);
}

}  // namespace repath
