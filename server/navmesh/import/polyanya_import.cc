#include "navmesh/import/polyanya_import.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.h"
#include "navmesh/import/mesh_error.h"
#include "navmesh/mesh/convex_split.h"

namespace repath {
namespace {

// Splits the text into words and knows the line of each.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  // Returns the next word; an empty one at the end of the text.
  std::string_view next() {
    while (!rest_.empty() && is_space(rest_.front())) {
      if (rest_.front() == '\n') ++line_;
      rest_.remove_prefix(1);
    }
    std::size_t n = 0;
    while (n < rest_.size() && !is_space(rest_[n])) ++n;
    const std::string_view word = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return word;
  }
  template <class Number>
  bool read(Number* number) {
    const std::string_view word = next();
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *number);
    return error == std::errc() && end == word.data() + word.size() && !word.empty();
  }
  std::size_t line() const { return line_; }
  std::size_t left() const { return rest_.size(); }

 private:
  static bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\v' || c == '\f';
  }
  std::string_view rest_;
  std::size_t line_ = 1;
};

class PolyanyaReader {
 public:
  PolyanyaReader(std::string_view text, WorkMeter* work) : words_(text), work_(*work) {}

  absl::StatusOr<MeshSource> run() {
    if (auto s = read_head(); !s.ok()) return s;
    if (auto s = read_vertices(); !s.ok()) return s;
    if (auto s = read_polygons(); !s.ok()) return s;
    if (!words_.next().empty())
      return mesh_error(words_.line(), "MESH_SYNTAX", "text after the last polygon");
    if (auto s = check_neighbours(); !s.ok()) return s;
    if (auto s = make_cells(); !s.ok()) return s;
    return std::move(source_);
  }

 private:
  struct Polygon {
    std::size_t line;
    std::size_t first;  // offset in corners_ and listed_
    std::uint32_t count;
  };

  absl::Status read_head() {
    if (words_.next() != "mesh") return mesh_error(1, "MESH_SYNTAX", "expected `mesh`");
    if (words_.next() != "2")
      return mesh_error(words_.line(), "MESH_SYNTAX", "expected `2`, the version that is read");
    if (!words_.read(&vertices_) || !words_.read(&polygon_count_) || vertices_ == 0 ||
        polygon_count_ == 0)
      return mesh_error(words_.line(), "MESH_SYNTAX", "expected `V P`, both at least 1");
    if (vertices_ > kNavVerticesMax || polygon_count_ > kNavCellsMax)
      return make_error(absl::StatusCode::kResourceExhausted, "MESH_TOO_LARGE", "",
                        "line " + std::to_string(words_.line()) + ": the limits are " +
                            std::to_string(kNavVerticesMax) + " vertices and " +
                            std::to_string(kNavCellsMax) + " polygons");
    // A vertex takes at least six bytes ("0 0 0" and a break), a polygon fourteen.
    if (words_.left() + 1 < vertices_ * 6 + polygon_count_ * 14)
      return mesh_error(words_.line(), "MESH_SYNTAX",
                        "the file is too short for " + std::to_string(vertices_) +
                            " vertices and " + std::to_string(polygon_count_) + " polygons");
    return absl::OkStatus();
  }

  absl::Status read_vertices() {
    source_.vertices.reserve(vertices_);
    for (std::size_t i = 0; i < vertices_; ++i) {
      double x = 0;
      double z = 0;
      std::uint32_t around = 0;
      if (!words_.read(&x) || !words_.read(&z) || !words_.read(&around))
        return mesh_error(words_.line(), "MESH_SYNTAX",
                          "vertex " + std::to_string(i) + ": expected `x y n`");
      if (!is_in_extent({x, z}))
        return mesh_error(
            words_.line(), "MESH_EXTENT",
            "coordinates must be within " + std::to_string(kLatticeExtent) + " units of 0");
      source_.vertices.push_back({to_lattice({x, z}), 0});
      for (std::uint32_t k = 0; k < around; ++k)
        if (auto s = read_index(polygon_count_, "polygon"); !s.ok()) return s.status();
    }
    return absl::OkStatus();
  }

  // Reads -1 or a number below `end`.
  absl::StatusOr<std::int64_t> read_index(std::size_t end, const char* of) {
    std::int64_t value = 0;
    if (!words_.read(&value))
      return mesh_error(words_.line(), "MESH_SYNTAX",
                        std::string("expected a ") + of + "'s number");
    if (value >= -1 && value < static_cast<std::int64_t>(end)) return value;
    return mesh_error(words_.line(), "MESH_INDEX",
                      "there is no " + std::string(of) + " " + std::to_string(value));
  }

  absl::Status read_polygons() {
    polygons_.reserve(polygon_count_);
    for (std::size_t i = 0; i < polygon_count_; ++i) {
      std::uint32_t count = 0;
      const bool is_number = words_.read(&count);
      if (!is_number || count < 3 || count > kPolyanyaCornersMax)
        return mesh_error(words_.line(), "MESH_SYNTAX",
                          "polygon " + std::to_string(i) + ": expected 3 to " +
                              std::to_string(kPolyanyaCornersMax) + " corners");
      if (count > kNavEdgesMax - corners_.size())
        return make_error(absl::StatusCode::kResourceExhausted, "MESH_TOO_LARGE", "",
                          "line " + std::to_string(words_.line()) + ": the limit is " +
                              std::to_string(kNavEdgesMax) + " corners of all polygons together");
      polygons_.push_back({words_.line(), corners_.size(), count});
      for (std::uint32_t k = 0; k < count; ++k) {
        const auto vertex = read_index(vertices_, "vertex");
        if (!vertex.ok()) return vertex.status();
        if (*vertex < 0) return mesh_error(words_.line(), "MESH_INDEX", "there is no vertex -1");
        corners_.push_back(static_cast<std::uint32_t>(*vertex));
      }
      for (std::uint32_t k = 0; k < count; ++k) {
        const auto polygon = read_index(polygon_count_, "polygon");
        if (!polygon.ok()) return polygon.status();
        listed_.push_back(static_cast<std::int32_t>(*polygon));
      }
    }
    return absl::OkStatus();
  }

  // Finds for each corner, by shared vertices, the polygon across the edge that begins there.
  absl::StatusOr<std::vector<std::int32_t>> neighbours() const {
    struct Side {
      std::uint32_t low, high, polygon;
      std::size_t place;
    };
    std::vector<Side> sides;
    sides.reserve(corners_.size());
    for (std::uint32_t p = 0; p < polygons_.size(); ++p)
      for (std::uint32_t k = 0; k < polygons_[p].count; ++k) {
        const std::uint32_t u = corners_[polygons_[p].first + k];
        const std::uint32_t w = corners_[polygons_[p].first + (k + 1) % polygons_[p].count];
        sides.push_back({std::min(u, w), std::max(u, w), p, polygons_[p].first + k});
      }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
      return std::tie(a.low, a.high, a.place) < std::tie(b.low, b.high, b.place);
    });
    std::vector<std::int32_t> across(corners_.size(), -1);
    for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
      const Side& a = sides[i];
      const Side& b = sides[i + 1];
      if (a.low != b.low || a.high != b.high) continue;
      if (across[a.place] != -1 || corners_[a.place] == corners_[b.place])
        return mesh_error(polygons_[b.polygon].line, "MESH_NEIGHBOUR",
                          "an edge belongs to two polygons on one side");
      across[a.place] = static_cast<std::int32_t>(b.polygon);
      across[b.place] = static_cast<std::int32_t>(a.polygon);
    }
    return across;
  }

  absl::Status check_neighbours() const {
    const auto across = neighbours();
    if (!across.ok()) return across.status();
    // First wrong line, for each of the two ways in which the list of neighbours may begin.
    std::size_t wrong[2] = {0, 0};
    for (const Polygon& polygon : polygons_)
      for (std::uint32_t k = 0; k < polygon.count; ++k)
        for (std::uint32_t begin = 0; begin < 2; ++begin)
          if (wrong[begin] == 0 &&
              (*across)[polygon.first + k] != listed_[polygon.first + (k + begin) % polygon.count])
            wrong[begin] = polygon.line;
    if (wrong[0] == 0 || wrong[1] == 0) return absl::OkStatus();
    return mesh_error(std::max(wrong[0], wrong[1]), "MESH_NEIGHBOUR",
                      "the neighbours listed are not those that share two vertices");
  }

  absl::Status make_cells() {
    std::vector<std::vector<std::uint32_t>> pieces;
    for (std::uint32_t p = 0; p < polygons_.size(); ++p) {
      pieces.clear();
      const auto begin = corners_.begin() + static_cast<std::ptrdiff_t>(polygons_[p].first);
      const std::vector<std::uint32_t> corners(begin, begin + polygons_[p].count);
      if (!append_convex(source_.vertices, corners, &pieces, &work_)) return no_cells(p, corners);
      for (const auto& piece : pieces) source_.add_cell(piece);
    }
    return absl::OkStatus();
  }

  // Returns the error that says why polygon p cannot be cut into convex cells.
  absl::Status no_cells(std::uint32_t p, const std::vector<std::uint32_t>& corners) {
    const std::string at = "polygon " + std::to_string(p);
    const auto crossing = find_crossing(source_.vertices, corners, &work_);
    if (work_.is_over())
      return work_.error("line " + std::to_string(polygons_[p].line) + ": " + at);
    if (crossing)
      return mesh_error(polygons_[p].line, "MESH_POLYGON",
                        at + " crosses itself: its edges " + std::to_string(crossing->first) +
                            " and " + std::to_string(crossing->second) +
                            " meet (on a lattice of 1/16 mm; edge k begins at corner k)");
    return mesh_error(polygons_[p].line, "MESH_POLYGON",
                      at + " is not counterclockwise or, on a lattice of 1/16 mm, has no area");
  }

  Words words_;
  WorkMeter& work_;
  std::size_t vertices_ = 0;
  std::size_t polygon_count_ = 0;
  std::vector<Polygon> polygons_;
  std::vector<std::uint32_t> corners_;
  std::vector<std::int32_t> listed_;
  MeshSource source_;
};

}  // namespace

absl::StatusOr<MeshSource> import_polyanya(std::string_view text, WorkMeter* work) {
  WorkMeter own({}, text.size());
  return PolyanyaReader(text, work == nullptr ? &own : work).run();
}

}  // namespace repath
