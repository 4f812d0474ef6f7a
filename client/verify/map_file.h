// Map files, read by the checker's own parser: Moving AI (`type octile` ...) and plain text (rows
// of equal length). Lines may end in CRLF. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace repath::verify {

struct MapFile {
  int width = 0;
  int height = 0;
  std::vector<std::string> rows;  // height rows of width characters; row 0 is the top
};

// Returns the map in `text`, or nothing with fault and line in `problem`. O(text).
std::optional<MapFile> parse_map(std::string_view text, std::string& problem);

// Returns all lines of `text` without their ends. A line end at the end of the text begins no
// further line.
std::vector<std::string_view> split_lines(std::string_view text);

}  // namespace repath::verify
