// `repath-bench report DIR`: one HTML page with plots of the other commands' results, and the JSON
// it was made from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace repath::bench {

struct ReportOptions {
  std::string folder;               // created if missing
  std::vector<std::string> from{};  // JSON that the commands printed; empty: the commands run now
  std::string map{};                // for static, dynamic and field, which only run if it is given
  std::string scen{};               // for static and dynamic
  std::int32_t max_side = 2048;     // for scale
  std::vector<std::int32_t> sides{200, 300, 500};  // for compare
};

// Returns 0, 1 if an answer was wrong, or 2 if a file cannot be read or written.
int run_report(const ReportOptions& options);

}  // namespace repath::bench
