#include "navmesh/import/recast_heights.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace repath {
namespace {

constexpr std::uint64_t kUnitsPerHeight = 8;  // of one column

// A polygon as the cell that is made of it: counterclockwise, from Recast's last corner. Voxels.
class TilePolygon {
 public:
  TilePolygon(const rcPolyMesh& polygons, int p) {
    const unsigned short* ring = &polygons.polys[2 * polygons.nvp * p];
    for (int k = polygons.nvp - 1; k >= 0; --k) {
      if (ring[k] == RC_MESH_NULL_IDX) continue;
      const unsigned short* v = &polygons.verts[3 * ring[k]];
      corners_.push_back({double(v[0]), double(v[1]), double(v[2])});
    }
  }

  // Calls visit(x, z, height) for each column whose centre the polygon covers.
  template <class Visit>
  void visit_columns(WorkMeter* work, Visit visit) const {
    if (corners_.size() < 3) return;
    const auto [top, bottom] = std::ranges::minmax(corners_, {}, &Corner::z);
    for (double z = top.z + 0.5; z < bottom.z; ++z) {
      double left = 1e9;
      double right = -1e9;
      for (std::size_t k = 0; k < corners_.size(); ++k) {
        const Corner& a = corners_[k];
        const Corner& b = corners_[(k + 1) % corners_.size()];
        if ((a.z < z) == (b.z < z)) continue;
        const double x = a.x + (z - a.z) / (b.z - a.z) * (b.x - a.x);
        left = std::min(left, x);
        right = std::max(right, x);
      }
      const double first = std::ceil(left - 0.5) + 0.5;
      if (!work->spend(kUnitsPerHeight *
                       static_cast<std::uint64_t>(std::max(right - first, 0.0) + 2)))
        return;
      for (double x = first; x <= right; ++x)
        visit(static_cast<int>(x), static_cast<int>(z), height_in_fan(x, z));
    }
  }

 private:
  struct Corner {
    double x, y, z;
  };

  static double cross(const Corner& o, const Corner& p, double x, double z) {
    return (p.x - o.x) * (z - o.z) - (p.z - o.z) * (x - o.x);
  }

  // As NavMesh::height_in_fan.
  double height_in_fan(double x, double z) const {
    const Corner& a = corners_[0];
    std::size_t k = 1;
    while (k + 2 < corners_.size() && cross(a, corners_[k + 1], x, z) > 0) ++k;
    const Corner& b = corners_[k];
    const Corner& c = corners_[k + 1];
    const double whole = cross(a, b, c.x, c.z);
    if (whole == 0) return a.y;
    const double to_b = -cross(a, c, x, z) / whole;
    const double to_c = cross(a, b, x, z) / whole;
    return a.y + to_b * (b.y - a.y) + to_c * (c.y - a.y);
  }

  std::vector<Corner> corners_;
};

}  // namespace

HeightErrors height_errors(const rcCompactHeightfield& ground, const rcPolyMesh& polygons,
                           WorkMeter* work) {
  constexpr float kUnknown = 1e9F;
  const auto spans = static_cast<std::size_t>(ground.spanCount);
  std::vector<float> own(spans, -1);           // the greatest, at polygons of the span's region
  std::vector<float> beside(spans, kUnknown);  // the least, at other polygons
  for (int p = 0; p < polygons.npolys && !work->is_over(); ++p) {
    TilePolygon(polygons, p).visit_columns(work, [&](int x, int z, double height) {
      const rcCompactCell& column =
          ground.cells[x + ground.borderSize + (z + ground.borderSize) * ground.width];
      const auto end = static_cast<std::size_t>(column.index + column.count);
      for (std::size_t i = column.index; i < end; ++i) {
        const auto off = static_cast<float>(std::abs(ground.spans[i].y - height));
        if (ground.spans[i].reg == polygons.regs[p])
          own[i] = std::max(own[i], off);
        else
          beside[i] = std::min(beside[i], off);
      }
    });
  }
  HeightErrors errors;
  errors.of_region.assign(std::size_t{ground.maxRegions} + 1, 0);
  for (std::size_t i = 0; i < spans; ++i) {
    const unsigned short region = ground.spans[i].reg;
    if (region == 0 || (region & RC_BORDER_REG) != 0) continue;
    // Where only another floor has polygons, the ground is not covered.
    if (own[i] < 0 && beside[i] >= static_cast<float>(ground.walkableHeight)) continue;
    const double off = own[i] < 0 ? beside[i] : own[i];
    errors.of_region[region] = std::max(errors.of_region[region], off);
    errors.most = std::max(errors.most, off);
  }
  return errors;
}

}  // namespace repath
