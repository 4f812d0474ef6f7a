// What a run must reach: a dotted key of its JSON object and a bound, as in
// "replanned_ms.p99<=33". Pure functions; any thread.
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

// Nothing if it is none; `problem` then says why.
std::optional<Objective> parse_objective(const std::string& text, std::string* problem);

// The number behind a dotted key; true is 1. Nothing if there is none, or it is null.
std::optional<double> number_at(const cli::Json& record, const std::string& dotted_key);

// What was not measured is not met.
bool is_met(const Objective& objective, const cli::Json& record);

// Adds `objectives`: [{"objective", "value", "met"}] and `objectives_met` to the record; returns
// the latter.
bool judge(const std::vector<Objective>& objectives, cli::Json& record);

}  // namespace repath::load
