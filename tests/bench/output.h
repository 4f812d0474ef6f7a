// What every command of repath-bench prints: rows as a table, or one JSON object on one line, with
// the machine they were measured on and a hash of what was computed.
#pragma once

#include <string>
#include <vector>

#include "nlohmann/json.hpp"

namespace repath::bench {

using Json = nlohmann::ordered_json;

// Processor, compiler, flags, and the machine's load over the last minute.
Json describe_machine();

// `figures` holds "results" (a list of rows with the same keys) and single values; the machine is
// added. A value that is null prints as "-".
void print(Json figures, bool as_json);

// Sixteen hexadecimal digits: hashes do not fit a JSON number.
std::string hex(std::uint64_t hash);

}  // namespace repath::bench
