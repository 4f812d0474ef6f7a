// The output of every command of repath-bench: rows as a table, or one JSON object on one line,
// with the machine that measured them and a hash of the computed results.
#pragma once

#include <string>
#include <vector>

#include "nlohmann/json.hpp"

namespace repath::bench {

using Json = nlohmann::ordered_json;

// Returns processor, compiler, flags, and the machine's load over the last minute.
Json describe_machine();

// Prints rows with the same keys as a table.
void print_rows(const Json& rows);
// Prints the figures and the machine. `figures` holds "results" (a list of rows with the same keys)
// and single values. A null value prints as "-".
void print(Json figures, bool as_json);

// Returns sixteen hexadecimal digits, because hashes do not fit a JSON number.
std::string hex(std::uint64_t hash);

}  // namespace repath::bench
