// Reads triangle soup from Wavefront OBJ: lines `v x y z` and `f a b c ...`. A face has three
// corners or more, each `a`, `a/b`, `a//c` or `a/b/c`, counted from 1 or, if negative, from the
// last vertex. All other lines are ignored. Lines may end in LF or CRLF.
//
// Units are metres; y is up. Faces with more than three corners become fans. Pure function, safe on
// any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace repath {

inline constexpr std::size_t kSoupVerticesMax = std::size_t{1} << 24;
inline constexpr std::size_t kSoupTrianglesMax = std::size_t{1} << 24;

struct TriangleSoup {
  std::vector<float> vertices;          // x, y, z
  std::vector<std::int32_t> triangles;  // three indexes of vertices each
  std::size_t triangle_count() const { return triangles.size() / 3; }
};

// Returns the triangles. Errors name the line, from 1: INVALID_ARGUMENT with reason OBJ_SYNTAX,
// OBJ_INDEX or OBJ_EXTENT, or RESOURCE_EXHAUSTED with reason MESH_TOO_LARGE. A soup without a
// triangle is an error. O(bytes); takes at most a few times the memory of the text.
absl::StatusOr<TriangleSoup> import_obj(std::string_view text);

}  // namespace repath
