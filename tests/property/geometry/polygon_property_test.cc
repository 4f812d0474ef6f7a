// Whether a polygon is simple, against every pair of edges.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "base/error.h"
#include "base/random.h"
#include "geometry/point.h"
#include "geometry/shapes.h"
#include "support/seed.h"

namespace repath {
namespace {

// Returns the name of the corner at the first pair of edges that meet; empty if there is none.
std::string first_meeting(const Polygon& polygon) {
  const auto& p = polygon.points;
  const std::size_t n = p.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 2; j < n; ++j) {
      if (i == 0 && j + 1 == n) continue;
      if (segments_meet(p[i], p[i + 1], p[j], p[(j + 1) % n]))
        return "xz[" + std::to_string(2 * i) + "]";
    }
  }
  return "";
}

TEST(PolygonModel, AgreesOnWhichPolygonsAreSimple) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int simple = 0;
  int crossed = 0;
  for (int i = 0; i < 20'000; ++i) {
    // Uses few coordinates, so that corners meet edges and edges lie on each other.
    Polygon polygon;
    const std::uint32_t corners = 4 + random.below(5);
    for (std::uint32_t k = 0; k < corners; ++k)
      polygon.points.push_back({double(random.below(12)), double(random.below(12))});
    const absl::Status status = check_polygon(polygon);
    const bool same_corner = status.message().find("meets the edge") == std::string::npos;
    if (!status.ok() && same_corner) continue;  // rejected before pairs of edges were compared
    const std::string expected = first_meeting(polygon);
    ASSERT_EQ(status.ok() ? "" : error_field(status), expected);
    ++(expected.empty() ? simple : crossed);
  }
  EXPECT_GT(simple, 500);
  EXPECT_GT(crossed, 500);
}

}  // namespace
}  // namespace repath
