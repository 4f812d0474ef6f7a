// The line of an agent that keeps a turning radius over the cells of the plain model.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/map_point.h"
#include "property/engine/turn_radius.h"
#include "sim/engine/model.h"

namespace repath::test {

inline MapPoint model_centre(const ModelView& v, NodeId n) {
  return {v.x_of(n) + 0.5, v.y_of(n) + 0.5};
}

// Returns whether every sample of the line lies in a free cell. Points on borders count for the
// free one of the cells there.
inline bool is_line_open(const ModelView& v, const std::vector<MapPoint>& line) {
  constexpr double kBorder = 1e-6;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const MapPoint a = line[i - 1];
    const MapPoint b = line[i];
    const int samples = 1 + static_cast<int>(std::hypot(b.x - a.x, b.y - a.y) * 50);
    for (int k = 0; k <= samples; ++k) {
      const double share = static_cast<double>(k) / samples;
      const double x = a.x + (b.x - a.x) * share;
      const double y = a.y + (b.y - a.y) * share;
      bool is_free = false;
      for (const double dx : {-kBorder, kBorder})
        for (const double dy : {-kBorder, kBorder})
          is_free |=
              v.is_free(static_cast<int>(std::floor(x + dx)), static_cast<int>(std::floor(y + dy)));
      if (!is_free) return false;
    }
  }
  return true;
}

// Returns the part of the line from beside the point on, the last that is so near to it; the whole
// line if none is.
inline std::vector<MapPoint> line_from(const std::vector<MapPoint>& line, MapPoint centre,
                                       double beside = 0.75) {
  for (std::size_t i = line.size(); i-- > 1;) {
    const MapPoint a = line[i - 1];
    const MapPoint b = line[i];
    const double length = squared_distance(a, b);
    double share =
        length > 0 ? ((centre.x - a.x) * (b.x - a.x) + (centre.y - a.y) * (b.y - a.y)) / length : 0;
    share = std::clamp(share, 0.0, 1.0);
    const MapPoint on{a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
    if (squared_distance(on, centre) > beside * beside) continue;
    std::vector<MapPoint> rest{on};
    rest.insert(rest.end(), line.begin() + static_cast<std::ptrdiff_t>(i), line.end());
    return rest;
  }
  return line;
}

}  // namespace repath::test
