// Reads Moving AI maps and scenarios, version 1, for tests of the grid room.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "grid/cells/layer.h"
#include "support/ascii_grid.h"
#include "support/shared_data.h"

namespace repath::test {

struct ScenQuery {
  std::string line;  // as in the file
  NodeId from{};
  NodeId to{};
  double length = 0;  // cells
};

// Ground and swamp are free at the same cost, all other classes are blocked, as in the scenarios.
inline GridLayer read_moving_ai_map(const std::filesystem::path& file) {
  std::istringstream text(read_file(file));
  std::vector<std::string> rows;
  bool is_map = false;
  for (std::string line; std::getline(text, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (is_map && !line.empty()) {
      for (char& c : line) c = c == '.' || c == 'G' || c == 'S' ? '.' : '#';
      rows.push_back(line);
    }
    is_map = is_map || line == "map";
  }
  return draw_layer({rows.begin(), rows.end()});
}

inline std::vector<ScenQuery> read_queries(const std::filesystem::path& file,
                                           const GridLayer& layer) {
  std::istringstream text(read_file(file));
  std::vector<ScenQuery> queries;
  ScenQuery query;
  std::getline(text, query.line);
  while (std::getline(text, query.line)) {
    std::istringstream fields(query.line);
    std::string bucket, name;
    std::int32_t width = 0, height = 0, sx = 0, sy = 0, gx = 0, gy = 0;
    if (!(fields >> bucket >> name >> width >> height >> sx >> sy >> gx >> gy >> query.length))
      break;
    query.from = layer.node_at(sx, sy);
    query.to = layer.node_at(gx, gy);
    queries.push_back(query);
  }
  return queries;
}

// Returns the scenarios of the test data whose map lies beside them, and those of the shared data
// if present.
inline std::vector<std::filesystem::path> scenarios() {
  std::vector<std::filesystem::path> files =
      files_in(std::filesystem::path(REPATH_SOURCE_DIR) / "tests" / "data" / "maps", ".scen");
  if (const auto shared = shared_data("grid"))
    for (const auto& file : files_in(*shared, ".scen")) files.push_back(file);
  std::erase_if(files, [](std::filesystem::path file) {
    return !std::filesystem::exists(file.replace_extension());
  });
  return files;
}

}  // namespace repath::test
