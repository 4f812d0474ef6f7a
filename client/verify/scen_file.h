// Scenario files: Moving AI version 1 (queries on one map) and version 2 (queries between patches
// that change the map). Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verify/shapes.h"

namespace repath::verify {

struct Query {
  CellXY from;
  CellXY to;
  std::optional<double> length;  // empty: no path exists
  double tolerance = 0;          // max(1e-4 of the length, half a unit of its last printed decimal)
};

struct PlacedPatch {
  int patch = 0;
  int x = 0;  // of its top left corner
  int y = 0;
};

// Patches that are laid together, and the queries that follow.
struct Stage {
  std::vector<PlacedPatch> patches;
  std::vector<Query> queries;
};

struct ScenFile {
  int version = 1;
  int width = 0;
  int height = 0;
  std::string patch_file;     // version 2: its name, beside the scenario
  std::vector<Stage> stages;  // version 1: one stage without patches
};

using Patch = std::vector<std::string>;  // rows of equal length

// Returns the scenario, or nothing with fault and line in `problem`.
std::optional<ScenFile> parse_scen(std::string_view text, std::string& problem);
std::optional<std::vector<Patch>> parse_patches(std::string_view text, std::string& problem);

// Returns the tolerance of a printed length: "2.82843" has five decimals.
double length_tolerance(std::string_view printed, double length);

}  // namespace repath::verify
