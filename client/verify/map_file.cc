#include "verify/map_file.h"

#include <charconv>

namespace repath::verify {
namespace {

// Returns the number after `key` and a blank, as in "height 512".
std::optional<int> header_number(std::string_view line, std::string_view key) {
  if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != ' ') {
    return std::nullopt;
  }
  line.remove_prefix(key.size() + 1);
  int number = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (error != std::errc{} || number < 1) return std::nullopt;
  return number;
}

std::optional<MapFile> take_rows(const std::vector<std::string_view>& lines, std::size_t first,
                                 MapFile map, std::string& problem) {
  for (int y = 0; y < map.height; ++y) {
    const std::size_t line = first + static_cast<std::size_t>(y);
    if (line >= lines.size()) {
      problem = "the map ends before row " + std::to_string(y);
      return std::nullopt;
    }
    if (lines[line].size() != static_cast<std::size_t>(map.width)) {
      problem = "line " + std::to_string(line + 1) + " has " + std::to_string(lines[line].size()) +
                " characters, not " + std::to_string(map.width);
      return std::nullopt;
    }
    map.rows.emplace_back(lines[line]);
  }
  return map;
}

}  // namespace

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::optional<MapFile> parse_map(std::string_view text, std::string& problem) {
  std::vector<std::string_view> lines = split_lines(text);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  if (lines.empty()) {
    problem = "the file is empty";
    return std::nullopt;
  }
  MapFile map;
  if (!lines[0].starts_with("type")) {
    map.width = static_cast<int>(lines[0].size());
    map.height = static_cast<int>(lines.size());
    return take_rows(lines, 0, std::move(map), problem);
  }
  if (lines.size() < 4 || lines[3] != "map") {
    problem = "the header must be `type`, `height`, `width`, `map`, one on each line";
    return std::nullopt;
  }
  const auto height = header_number(lines[1], "height");
  const auto width = header_number(lines[2], "width");
  if (!height || !width) {
    problem = "lines 2 and 3 must be `height H` and `width W`";
    return std::nullopt;
  }
  map.width = *width;
  map.height = *height;
  return take_rows(lines, 4, std::move(map), problem);
}

}  // namespace repath::verify
