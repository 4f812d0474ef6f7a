#include "navmesh/import/recast_polygons.h"

#include <cstdint>
#include <string_view>

namespace repath {
namespace {

using OwnedContours = RecastOwned<rcContourSet, rcFreeContourSet>;

enum class Division { kWatershed, kLayers, kMonotone };

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

// Sets *polygons from the regions of `ground`. Returns false if the meter is over or Recast is out
// of memory.
bool outline(const rcConfig& c, rcContext* context, rcCompactHeightfield* ground, WorkMeter* work,
             rcPolyMesh* polygons) {
  const OwnedContours contours(rcAllocContourSet());
  if (!contours ||
      !rcBuildContours(context, *ground, c.maxSimplificationError, c.maxEdgeLen, *contours))
    return false;
  if (contours->nconts == 0) return true;
  return work->spend(units_of(*contours)) &&
         rcBuildPolyMesh(context, *contours, c.maxVertsPerPoly, *polygons);
}

}  // namespace

TileGround polygons_of(const rcConfig& config, rcCompactHeightfield* ground, WorkMeter* work,
                       OwnedPolygons* polygons) {
  // Recast merges regions, and joins holes to their outlines, by trying pairs.
  const std::uint64_t border_spans = count_border(*ground);
  const std::uint64_t units_of_pairs = border_spans * border_spans / 8;
  if (!work->spend(units_of_pairs)) return TileGround::kStopped;
  FaultNote shrinking;
  if (!rcErodeWalkableArea(&shrinking, config.walkableRadius, *ground)) return TileGround::kStopped;
  const std::uint64_t units_again =
      units_of_pairs + kUnitsPerSpanAgain * static_cast<std::uint64_t>(ground->spanCount);
  for (const Division division : {Division::kWatershed, Division::kLayers, Division::kMonotone}) {
    if (division != Division::kWatershed && !work->spend(units_again)) return TileGround::kStopped;
    FaultNote note;
    polygons->reset(rcAllocPolyMesh());
    if (!*polygons || !divide(division, config, &note, ground) ||
        !outline(config, &note, ground, work, polygons->get()))
      return TileGround::kStopped;
    if (!note.has_fault()) return TileGround::kBuilt;
  }
  return TileGround::kFolded;
}

}  // namespace repath
