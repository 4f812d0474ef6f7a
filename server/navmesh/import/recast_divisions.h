// The ways to divide the walkable ground of one tile, and how one of them is chosen.
//
// Recast has three ways to divide ground into regions. Watersheds come first, for they make the
// roundest polygons. But a watershed's region may lie above itself where a ramp leads over the
// ground that it begins on. Recast reports that and goes on: ground is then missing, or lies in the
// air between two floors. So a division with a report does not count. Layers and monotone strips do
// not lie above themselves.
//
// The heights of a cell are those of its corners. Where a cell spans a floor and a ramp, ground in
// its middle can be metres away from it. So a division counts as good only if heights are within a
// tolerance. If they are not, the ground is divided into facets first (recast_facets.h), which
// become the plainer the less `reach` they have.
#pragma once

#include <cstddef>
#include <optional>

namespace repath {

enum class Division { kWatershed, kLayers, kMonotone };
enum class FacetsOf {
  kNothing,
  kFarRegions,  // whose heights are off in the division without facets; else as kAllGround
  kAllGround,
};

struct DivisionWay {
  Division division;
  FacetsOf facets = FacetsOf::kNothing;
  double reach = 0;             // of facets, in tolerances
  std::size_t crumb_spans = 0;  // facets with less ground join others
  bool operator==(const DivisionWay&) const = default;
};

// In the order in which they are tried. Layers would join facets again.
inline constexpr DivisionWay kDivisionWays[] = {
    {Division::kWatershed},
    {Division::kLayers},
    {Division::kMonotone},
    {Division::kWatershed, FacetsOf::kFarRegions, 1. / 2, 64},
    {Division::kWatershed, FacetsOf::kFarRegions, 1. / 2, 12},
    {Division::kWatershed, FacetsOf::kFarRegions, 1. / 3, 12},
    {Division::kMonotone, FacetsOf::kFarRegions, 1. / 3, 12},
    {Division::kWatershed, FacetsOf::kAllGround, 1. / 3, 12},
    {Division::kMonotone, FacetsOf::kAllGround, 1. / 3, 12},
    {Division::kWatershed, FacetsOf::kAllGround, 1. / 6, 4},
};

struct DivisionResult {
  enum class Outcome {
    kDivided,
    kFault,    // Recast reported one
    kFailed,   // Recast is out of memory, or its numbers overflow
    kTooDear,  // more work or more cells than the heights are worth
    kStopped,  // the meter is over
  };
  Outcome outcome = Outcome::kFailed;
  double height_error = 0;  // of kDivided, in the unit of the tolerance
};

enum class TileGround {
  kBuilt,
  kStopped,  // the meter is over, Recast is out of memory, or its numbers overflow
  kFolded,   // Recast reported a fault whichever way the ground was divided
};

// Calls divide(way), which returns a DivisionResult, for one way after another until the heights
// are within the tolerance. One division without facets is enough. Calls keep() after each division
// that is better than those before it. Returns kBuilt if it called keep().
template <class Divide, class Keep>
TileGround choose_division(double tolerance, Divide divide, Keep keep) {
  using Outcome = DivisionResult::Outcome;
  std::optional<double> least;
  bool has_fault = false;
  for (const DivisionWay& way : kDivisionWays) {
    if (least && way.facets == FacetsOf::kNothing) continue;
    const DivisionResult result = divide(way);
    if (result.outcome == Outcome::kStopped) return TileGround::kStopped;
    if (result.outcome == Outcome::kTooDear) break;
    has_fault = has_fault || result.outcome == Outcome::kFault;
    if (result.outcome != Outcome::kDivided) continue;
    if (!least || result.height_error < *least) {
      least = result.height_error;
      keep();
    }
    if (*least <= tolerance) break;
  }
  if (least) return TileGround::kBuilt;
  return has_fault ? TileGround::kFolded : TileGround::kStopped;
}

}  // namespace repath
