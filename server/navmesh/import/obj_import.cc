#include "navmesh/import/obj_import.h"

#include <charconv>
#include <cmath>
#include <string>

#include "base/error.h"
#include "navmesh/import/mesh_error.h"
#include "navmesh/mesh/mesh_source.h"

namespace repath {
namespace {

// Returns the next word of the line; an empty one at its end.
std::string_view take_word(std::string_view* line) {
  const std::size_t begin = line->find_first_not_of(" \t");
  if (begin == std::string_view::npos) {
    *line = {};
    return {};
  }
  line->remove_prefix(begin);
  const std::string_view word = line->substr(0, line->find_first_of(" \t"));
  line->remove_prefix(word.size());
  return word;
}

class ObjReader {
 public:
  absl::StatusOr<TriangleSoup> run(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      const std::size_t end = text.find('\n');
      std::string_view line = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      if (auto s = read(line); !s.ok()) return s;
    }
    if (soup_.triangles.empty()) return mesh_error(line_, "OBJ_SYNTAX", "there is no face");
    return std::move(soup_);
  }

 private:
  absl::Status read(std::string_view line) {
    const std::string_view word = take_word(&line);
    if (word == "v") return read_vertex(line);
    if (word == "f") return read_face(line);
    return absl::OkStatus();
  }

  absl::Status read_vertex(std::string_view line) {
    if (soup_.vertices.size() / 3 == kSoupVerticesMax)
      return make_error(absl::StatusCode::kResourceExhausted, "MESH_TOO_LARGE", "",
                        "at most " + std::to_string(kSoupVerticesMax) + " vertices");
    for (int axis = 0; axis < 3; ++axis) {
      const std::string_view word = take_word(&line);
      double value = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (word.empty() || error != std::errc() || end != word.data() + word.size())
        return mesh_error(line_, "OBJ_SYNTAX", "expected `v x y z`");
      const double max = axis == 1 ? kHeightMax : kLatticeExtent;
      if (!(std::abs(value) <= max))
        return mesh_error(line_, "OBJ_EXTENT",
                          "the coordinate must be within " + std::to_string(max) + " of 0");
      soup_.vertices.push_back(static_cast<float>(value));
    }
    return absl::OkStatus();
  }

  absl::Status read_face(std::string_view line) {
    const auto known = static_cast<std::int64_t>(soup_.vertices.size() / 3);
    std::int32_t corner[3] = {0, 0, 0};
    std::size_t corners = 0;
    for (std::string_view word = take_word(&line); !word.empty(); word = take_word(&line)) {
      word = word.substr(0, word.find('/'));
      std::int64_t place = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), place);
      if (word.empty() || error != std::errc() || end != word.data() + word.size())
        return mesh_error(line_, "OBJ_SYNTAX", "expected `f` and numbers of vertices");
      if (place == 0 || place > known || place < -known)
        return mesh_error(line_, "OBJ_INDEX",
                          "there is no vertex " + std::to_string(place) + " yet; there are " +
                              std::to_string(known));
      corner[corners < 2 ? corners : 2] =
          static_cast<std::int32_t>(place > 0 ? place - 1 : known + place);
      if (++corners < 3) continue;
      if (soup_.triangle_count() == kSoupTrianglesMax)
        return make_error(absl::StatusCode::kResourceExhausted, "MESH_TOO_LARGE", "",
                          "at most " + std::to_string(kSoupTrianglesMax) + " triangles");
      soup_.triangles.insert(soup_.triangles.end(), {corner[0], corner[1], corner[2]});
      corner[1] = corner[2];
    }
    if (corners < 3) return mesh_error(line_, "OBJ_SYNTAX", "a face has three corners or more");
    return absl::OkStatus();
  }

  TriangleSoup soup_;
  std::size_t line_ = 0;
};

}  // namespace

absl::StatusOr<TriangleSoup> import_obj(std::string_view text) { return ObjReader().run(text); }

}  // namespace repath
