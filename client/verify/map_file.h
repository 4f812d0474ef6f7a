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

// The map in `text`; without one, `problem` says what is wrong and in which line. O(text).
std::optional<MapFile> parse_map(std::string_view text, std::string& problem);

// All lines of `text` without their line ends. A last line end begins no further line.
std::vector<std::string_view> split_lines(std::string_view text);

// A whole file. Nothing if it cannot be read.
std::optional<std::string> read_file(const std::string& path);

}  // namespace repath::verify
