#include "verify/laying.h"

namespace repath::verify {

std::vector<TerrainEdit> edits_between(const std::vector<int>& have, const std::vector<int>& want,
                                       int width, int height) {
  std::vector<TerrainEdit> edits;
  std::vector<bool> laid(want.size(), false);
  const auto index = [&](int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  };
  const auto row_is = [&](int x0, int x1, int y, int terrain_class) {
    for (int x = x0; x < x1; ++x) {
      if (want[index(x, y)] != terrain_class) return false;
    }
    return true;
  };
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int terrain_class = want[index(x, y)];
      if (have[index(x, y)] == terrain_class || laid[index(x, y)]) continue;
      int x1 = x + 1;
      while (x1 < width && want[index(x1, y)] == terrain_class) ++x1;
      int y1 = y + 1;
      while (y1 < height && row_is(x, x1, y1, terrain_class)) ++y1;
      for (int v = y; v < y1; ++v) {
        for (int u = x; u < x1; ++u) laid[index(u, v)] = true;
      }
      edits.push_back({{x, y, x1, y1}, terrain_class});
    }
  }
  return edits;
}

}  // namespace repath::verify
