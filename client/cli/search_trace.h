// Writes a search as a trace of Posthoc, the visualiser of searches (search-trace format 1.4.0), in
// YAML.
//
// Events, in order: `source` and `destination`; for each expansion `expanding` the node,
// `generating` the nodes that were reached from it, `closing` it; `end` at the node in which the
// path ends, if there is one. An event has id, pId (the parent's id), g, h, f, and x and y: cells,
// or world units on the plane.
//
// Thread rule: free functions.
#pragma once

#include <ostream>

#include "cli/search_film.h"
#include "repath/v1/debug.pb.h"

namespace repath::cli {

// Writes the trace of `film`, which was made of `answer`. O(nodes + steps).
void write_trace(std::ostream& out, const v1::ExplainPathResponse& answer, const SearchFilm& film);

}  // namespace repath::cli
