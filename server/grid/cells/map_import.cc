#include "grid/cells/map_import.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/error.h"

namespace repath {
namespace {

// Returns an error at a place of the text.
template <class... Parts>
absl::Status at(std::size_t line, std::size_t column, const char* reason, const Parts&... what) {
  return invalid_field(reason, "", absl::StrCat("line ", line, ", column ", column, ": ", what...));
}

// Returns a character as messages show it.
std::string shown(char c) {
  if (c > ' ' && c < 0x7f) return std::string("'") + c + "'";
  return absl::StrCat("the byte ", static_cast<unsigned char>(c));
}

// Reads lines without their LF or CRLF, counted from 1.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}

  // Returns the next line; empty at the end of the text.
  std::optional<std::string_view> next() {
    if (rest_.empty()) return std::nullopt;
    ++line_;
    const std::size_t end = rest_.find('\n');
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
  }
  // Number of the line last read.
  std::size_t line() const { return line_; }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  std::size_t line_ = 0;
};

// Maps characters to terrain classes.
class Symbols {
 public:
  explicit Symbols(const TerrainTable& classes) {
    class_of_.fill(kUnknown);
    for (std::size_t i = 0; i < classes.size(); ++i)
      entry(classes[i].symbol) = static_cast<std::int16_t>(i);
    alias('G', '.');
    alias(' ', '.');
    alias('O', '@');
  }

  // Appends the classes of the row to `cells`. Returns the column, counted from 0, of the first
  // unknown symbol if there is one.
  std::optional<std::size_t> append_row(std::string_view row, std::vector<TerrainId>* cells) {
    for (std::size_t x = 0; x < row.size(); ++x) {
      const std::int16_t found = entry(row[x]);
      if (found == kUnknown) return x;
      cells->push_back(static_cast<TerrainId>(found));
    }
    return std::nullopt;
  }

 private:
  static constexpr std::int16_t kUnknown = -1;

  std::int16_t& entry(char symbol) { return class_of_[static_cast<unsigned char>(symbol)]; }
  void alias(char symbol, char meaning) {
    if (entry(symbol) == kUnknown) entry(symbol) = entry(meaning);
  }

  std::array<std::int16_t, 256> class_of_;
};

absl::Status check_size(std::uint64_t width, std::uint64_t height, const ImportLimits& limits) {
  const auto too_large = [](const auto&... what) {
    return make_error(absl::StatusCode::kResourceExhausted, "MAP_TOO_LARGE", "",
                      absl::StrCat(what...));
  };
  const auto side_max = static_cast<std::uint64_t>(limits.side_max);
  if (width > side_max || height > side_max)
    return too_large("the map is ", width, " x ", height, " cells; a side has at most ", side_max);
  if (width * height > limits.cells_max)
    return too_large("the map has ", width * height, " cells; the limit is ", limits.cells_max);
  return absl::OkStatus();
}

// Reads map->height rows of map->width symbols.
absl::Status read_rows(LineReader* lines, GridMap* map) {
  const auto width = static_cast<std::size_t>(map->width);
  const std::size_t cells = width * static_cast<std::size_t>(map->height);
  if (lines->rest().size() < cells) {
    return at(lines->line() + 1, 1, "MAP_SYNTAX", "the rows are too few or too short for ",
              map->width, " x ", map->height, " cells");
  }
  map->cells.reserve(cells);
  Symbols symbols(map->classes);
  for (std::int32_t y = 0; y < map->height; ++y) {
    const auto row = lines->next();
    if (!row) {
      return at(lines->line() + 1, 1, "MAP_SYNTAX", "the file ends after ", y, " of ", map->height,
                " rows");
    }
    if (row->size() != width) {
      return at(lines->line(), std::min(row->size(), width) + 1, "MAP_SYNTAX", "the row has ",
                row->size(), " cells instead of ", width);
    }
    if (const auto unknown = symbols.append_row(*row, &map->cells)) {
      return at(lines->line(), *unknown + 1, "MAP_SYMBOL", shown((*row)[*unknown]),
                " is the symbol of no terrain class");
    }
  }
  while (const auto line = lines->next()) {
    if (!line->empty()) {
      return at(lines->line(), 1, "MAP_SYNTAX", "text after the last of ", map->height, " rows");
    }
  }
  return absl::OkStatus();
}

// Reads `WORD number`, with the number in [1, 2^31).
std::optional<std::int32_t> header_number(std::string_view line, std::string_view word) {
  if (line.substr(0, word.size()) != word) return std::nullopt;
  line.remove_prefix(word.size());
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  const bool whole = std::all_of(end, line.data() + line.size(), [](char c) { return c == ' '; });
  if (error != std::errc() || !whole || value < 1) return std::nullopt;
  return value;
}

absl::StatusOr<GridMap> import_moving_ai(std::string_view text, const TerrainTable& classes,
                                         const ImportLimits& limits) {
  LineReader lines(text);
  const auto type = lines.next();
  if (!type || type->substr(0, 5) != "type ") {
    return at(1, 1, "MAP_SYNTAX", "expected `type octile`");
  }
  GridMap map{.width = 0, .height = 0, .cells = {}, .classes = classes};
  for (int i = 0; i < 2; ++i) {
    const std::string_view line = lines.next().value_or("");
    if (const auto height = header_number(line, "height "); height && map.height == 0) {
      map.height = *height;
    } else if (const auto width = header_number(line, "width "); width && map.width == 0) {
      map.width = *width;
    } else {
      return at(static_cast<std::size_t>(i) + 2, 1, "MAP_SYNTAX",
                "expected `height H` and `width W`, each once, with a number from 1 to ",
                limits.side_max);
    }
  }
  if (lines.next().value_or("").substr(0, 3) != "map") {
    return at(4, 1, "MAP_SYNTAX", "expected `map`");
  }
  if (auto s = check_size(static_cast<std::uint64_t>(map.width),
                          static_cast<std::uint64_t>(map.height), limits);
      !s.ok()) {
    return s;
  }
  if (auto s = read_rows(&lines, &map); !s.ok()) return s;
  return map;
}

absl::StatusOr<GridMap> import_text(std::string_view text, const TerrainTable& classes,
                                    const ImportLimits& limits) {
  const std::size_t width = LineReader(text).next().value_or("").size();
  if (width == 0) return at(1, 1, "MAP_SYNTAX", "the map has no cells");
  auto height = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  if (text.back() != '\n') ++height;
  if (auto s = check_size(width, height, limits); !s.ok()) return s;
  GridMap map{.width = static_cast<std::int32_t>(width),
              .height = static_cast<std::int32_t>(height),
              .cells = {},
              .classes = classes};
  LineReader lines(text);
  if (auto s = read_rows(&lines, &map); !s.ok()) return s;
  return map;
}

}  // namespace

absl::StatusOr<GridMap> import_map(std::string_view text, MapFormat format,
                                   const TerrainTable& classes, const ImportLimits& limits) {
  const bool moving_ai = format == MapFormat::kMovingAi ||
                         (format == MapFormat::kAuto && text.substr(0, 5) == "type ");
  return moving_ai ? import_moving_ai(text, classes, limits) : import_text(text, classes, limits);
}

}  // namespace repath
