// Reads triangle soup from Wavefront OBJ: lines `v x y z` and `f a b c ...` (three corners or more,
// `a`, `a/b`, `a//c` or `a/b/c`, from 1, negative ones counted from the last vertex). All other
// lines are passed over. Lines may end in LF or CRLF.
//
// Metres, y up. Faces of more than three corners become fans. Pure function, safe on any thread.
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
  std::vector<std::int32_t> triangles;  // three places of vertices each
  std::size_t triangle_count() const { return triangles.size() / 3; }
};

// The triangles, or INVALID_ARGUMENT with reason OBJ_SYNTAX, OBJ_INDEX or OBJ_EXTENT, or
// RESOURCE_EXHAUSTED with MESH_TOO_LARGE; the message names the line, from 1. A soup without a
// triangle is refused. O(bytes), and takes no more memory than a few times the text.
absl::StatusOr<TriangleSoup> import_obj(std::string_view text);

}  // namespace repath
