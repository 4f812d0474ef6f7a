#include "verify/scen_file.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "verify/map_file.h"

namespace repath::verify {
namespace {

std::vector<std::string> words(std::string_view line) {
  std::vector<std::string> found;
  std::string word;
  for (const char c : line) {
    if (c != ' ' && c != '\t') {
      word += c;
    } else if (!word.empty()) {
      found.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) found.push_back(std::move(word));
  return found;
}

// Returns a whole number; empty if the word has anything else.
std::optional<int> number(const std::string& word) {
  char* end = nullptr;
  const long value = std::strtol(word.c_str(), &end, 10);
  if (word.empty() || *end != '\0' || value < -1 || value > 1'000'000) return std::nullopt;
  return static_cast<int>(value);
}

// The query in words[first .. first + 4]: from x, y, to x, y, length.
std::optional<Query> query(const std::vector<std::string>& line, std::size_t first) {
  if (line.size() < first + 5) return std::nullopt;
  int coordinates[4] = {};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto value = number(line[first + i]);
    if (!value || *value < 0) return std::nullopt;
    coordinates[i] = *value;
  }
  const std::string& printed = line[first + 4];
  char* end = nullptr;
  const double length = std::strtod(printed.c_str(), &end);
  if (*end != '\0' || !std::isfinite(length)) return std::nullopt;
  Query q{{coordinates[0], coordinates[1]}, {coordinates[2], coordinates[3]}, std::nullopt, 0};
  if (length >= 0) {
    q.length = length;
    q.tolerance = length_tolerance(printed, length);
  }
  return q;
}

std::string in_line(std::size_t line, const std::string& what) {
  return "line " + std::to_string(line + 1) + ": " + what;
}

std::optional<ScenFile> parse_version_1(const std::vector<std::string_view>& lines,
                                        std::string& problem) {
  ScenFile scen;
  scen.stages.emplace_back();
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> line = words(lines[i]);
    if (line.empty()) continue;
    const auto q = query(line, 4);
    if (!q) {
      problem = in_line(i, "not `bucket map width height start_x start_y goal_x goal_y length`");
      return std::nullopt;
    }
    scen.width = number(line[2]).value_or(0);
    scen.height = number(line[3]).value_or(0);
    scen.stages.back().queries.push_back(*q);
  }
  return scen;
}

// Takes one line of a version 2 header. Returns whether the commands begin after it.
bool take_header(const std::vector<std::string>& line, ScenFile& scen) {
  if (line.size() == 2 && line[0] == "height") scen.height = number(line[1]).value_or(0);
  if (line.size() == 2 && line[0] == "width") scen.width = number(line[1]).value_or(0);
  if (line.size() == 2 && line[0] == "patch") scen.patch_file = line[1];
  return line.size() == 1 && line[0] == "commands";
}

bool take_command(const std::vector<std::string>& line, ScenFile& scen) {
  if (line[0] == "Q") {
    const auto q = query(line, 2);
    if (q) scen.stages.back().queries.push_back(*q);
    return q.has_value();
  }
  if (line[0] != "P" || line.size() != 5) return false;
  const auto patch = number(line[2]);
  const auto x = number(line[3]);
  const auto y = number(line[4]);
  if (!patch || !x || !y) return false;
  if (!scen.stages.back().queries.empty()) scen.stages.emplace_back();
  scen.stages.back().patches.push_back({*patch, *x, *y});
  return true;
}

std::optional<ScenFile> parse_version_2(const std::vector<std::string_view>& lines,
                                        std::string& problem) {
  ScenFile scen;
  scen.version = 2;
  scen.stages.emplace_back();
  bool commands = false;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> line = words(lines[i]);
    if (line.empty()) continue;
    if (!commands) {
      commands = take_header(line, scen);
    } else if (!take_command(line, scen)) {
      problem = in_line(i, "neither `P bucket patch x y` nor `Q bucket x y x y cost`");
      return std::nullopt;
    }
  }
  if (scen.width < 1 || scen.height < 1 || scen.patch_file.empty()) {
    problem = "the header must name height, width and patch";
    return std::nullopt;
  }
  return scen;
}

}  // namespace

double length_tolerance(std::string_view printed, double length) {
  const std::size_t point = printed.find('.');
  const std::size_t decimals = point == std::string_view::npos ? 0 : printed.size() - point - 1;
  return std::max(1e-4 * length, 0.5 * std::pow(10.0, -static_cast<double>(decimals)));
}

std::optional<ScenFile> parse_scen(std::string_view text, std::string& problem) {
  const std::vector<std::string_view> lines = split_lines(text);
  const std::vector<std::string> first =
      lines.empty() ? std::vector<std::string>{} : words(lines[0]);
  if (first.size() != 2 || first[0] != "version") {
    problem = "line 1: must be `version 1` or `version 2`";
    return std::nullopt;
  }
  if (first[1] == "1" || first[1] == "1.0") return parse_version_1(lines, problem);
  if (first[1] == "2" || first[1] == "2.0") return parse_version_2(lines, problem);
  problem = "line 1: version " + first[1] + " is not known";
  return std::nullopt;
}

std::optional<std::vector<Patch>> parse_patches(std::string_view text, std::string& problem) {
  const std::vector<std::string_view> lines = split_lines(text);
  std::vector<Patch> patches;
  int height = 0;
  int width = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::vector<std::string> line = words(lines[i]);
    if (line.size() == 2 && line[0] == "height") height = number(line[1]).value_or(0);
    if (line.size() == 2 && line[0] == "width") width = number(line[1]).value_or(0);
    if (line.size() != 1 || line[0] != "map") continue;
    Patch patch;
    for (int y = 0; y < height; ++y) {
      if (++i >= lines.size() || lines[i].size() != static_cast<std::size_t>(width)) {
        problem = in_line(i, "a row of " + std::to_string(width) + " characters is missing");
        return std::nullopt;
      }
      patch.emplace_back(lines[i]);
    }
    patches.push_back(std::move(patch));
  }
  return patches;
}

}  // namespace repath::verify
