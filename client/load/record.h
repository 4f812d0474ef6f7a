// A run as one JSON object: its options, its figures and its seconds. Reports and comparisons need
// nothing else.
#pragma once

#include "cli/context.h"
#include "load/check.h"
#include "load/options.h"
#include "load/run.h"

namespace repath::load {

cli::Json record_of(const LoadOptions& options, const Run& run, const Checked& checked);

// {"p50", "p90", "p99", "p999", "max"} of a histogram, its values divided by `unit`; null if it is
// empty.
cli::Json spread(const Histogram& histogram, double unit);

}  // namespace repath::load
