// Objectives of a run: a dotted key of its JSON object and a bound, as in "replanned_ms.p99<=33".
// Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/context.h"

namespace repath::load {

struct Objective {
  std::string text;
  std::string key;
  std::string relation;  // <=, <, >=, >, ==
  double bound = 0;
};

// Returns the objective, or nothing with the reason in `problem`.
std::optional<Objective> parse_objective(const std::string& text, std::string* problem);

// Returns the number at a dotted key; true is 1. Empty if there is no number.
std::optional<double> number_at(const cli::Json& record, const std::string& dotted_key);

// Whether the record meets the objective; false if the figure was not measured.
bool is_met(const Objective& objective, const cli::Json& record);

// Adds `objectives`: [{"objective", "value", "met"}] and `objectives_met` to the record; returns
// the latter.
bool judge(const std::vector<Objective>& objectives, cli::Json& record);

}  // namespace repath::load
