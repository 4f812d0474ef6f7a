// `repath-bench report DIR`: one HTML page with plots of what the other commands printed, and the
// JSON it was made from beside it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace repath::bench {

struct ReportOptions {
  std::string folder;               // made if it is not there
  std::vector<std::string> from{};  // JSON that the commands printed; empty: they are run
  std::string map{};                // for static, dynamic and field, which are not run without it
  std::string scen{};               // for static and dynamic
  std::int32_t max_side = 2048;     // of scale
  std::vector<std::int32_t> sides{200, 300, 500};  // of compare
};

// 0; 1 if an answer was wrong; 2 if a file cannot be read or written.
int run_report(const ReportOptions& options);

}  // namespace repath::bench
