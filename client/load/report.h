// Reports for people: a page with plots, a table of seconds, a few lines of text. Each is made from
// a run's record (record.h) alone, so an older record will do too.
#pragma once

#include <string>

#include "cli/context.h"

namespace repath::load {

// One HTML page that needs nothing else: headline figures, objectives, plots, what was run.
std::string html_of(const cli::Json& record);

// Its first plot, latencies over time, as an SVG file; empty if nothing was measured for a second.
std::string plot_of(const cli::Json& record);

// A line for each second, with a line of names above.
std::string csv_of(const cli::Json& record);

// Returns a summary for a terminal.
std::string text_of(const cli::Json& record);

// False if the file cannot be written.
bool write_file(const std::string& path, const std::string& contents);

}  // namespace repath::load
