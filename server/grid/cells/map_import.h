// Reads grid maps from text: Moving AI (.map) and plain rows. Lines may end in LF or CRLF; the last
// line break is optional.
//
// Moving AI: `type octile` (any word), `height H`, `width W`, `map`, then H rows of W characters.
// Plain text: rows of equal length; their number and length give the size. Each character is the
// symbol of a class of the table. If the table has no such symbol, 'G' and ' ' mean '.', and 'O'
// means '@'. Row 0 is the top row. Pure functions, safe on any thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "grid/cells/terrain.h"

namespace repath {

inline constexpr std::int32_t kMapSideMax = 16384;

enum class MapFormat : std::uint8_t {
  kAuto,
  kMovingAi,
  kText
};  // kAuto: Moving AI iff the first line starts with "type "

struct ImportLimits {
  std::int32_t side_max = kMapSideMax;
  std::uint64_t cells_max = std::uint64_t{kMapSideMax} * kMapSideMax;  // one byte for each cell
};

// Returns the map. Errors: INVALID_ARGUMENT with reason MAP_SYNTAX or MAP_SYMBOL, naming line and
// column (both from 1), or RESOURCE_EXHAUSTED with reason MAP_TOO_LARGE. Sizes are checked before
// memory is allocated for them. `classes` must be a valid table. O(bytes).
absl::StatusOr<GridMap> import_map(std::string_view text, MapFormat format,
                                   const TerrainTable& classes, const ImportLimits& limits);

}  // namespace repath
