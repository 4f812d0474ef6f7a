// `repath-bench studies`: the experiments of published studies, run again with our searches on maps
// made by code, with each claim checked.
#pragma once

#include <cstdint>

#include "CLI/CLI.hpp"
#include "bench/study_report.h"

namespace repath::bench {

struct StudiesOptions {
  std::uint32_t pair_cells = 5377;  // free cells of the map of all pairs
  std::int32_t list_side = 500;     // side of the largest map of heap and list, cells
  int passes = 3;                   // of each search; the least time counts
  bool json = false;
};

CLI::App* add_studies(CLI::App* app, StudiesOptions* options);
// Returns 0, or 1 if an answer was wrong. A claim that does not hold is no fault.
int run_studies(const StudiesOptions& options);

// The parts. Each adds one study to the report.
void study_obstacles(const StudiesOptions& options, StudyReport* report);
void study_grids(const StudiesOptions& options, StudyReport* report);
void study_all_pairs(const StudiesOptions& options, StudyReport* report);
void study_meshes(StudyReport* report);
void study_lists(const StudiesOptions& options, StudyReport* report);

}  // namespace repath::bench
