// Meshes that Recast builds from random floors, ramps and platforms, against the surfaces
// themselves: all ground that an agent can surely stand on has a cell near its height, and ground
// that is connected stays so.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.h"
#include "navmesh/import/recast_build.h"
#include "navmesh/mesh/cell_finder.h"
#include "support/seed.h"

namespace repath {
namespace {

constexpr double kGrid = 0.5;  // distance of sampled places
constexpr double kSureCosine =
    0.75;  // least cosine of a slope that counts as sure, about 41 degrees

// A rectangle, turned about its middle, whose height goes from `low` to `high` along its length.
struct Slab {
  double x, z;  // middle
  double cos, sin;
  double length, width;
  double low, high;

  // Returns the height of the surface at a point of the plane.
  std::optional<double> height(double px, double pz) const {
    const double along = (px - x) * cos + (pz - z) * sin;
    const double across = (pz - z) * cos - (px - x) * sin;
    if (std::abs(along) > length / 2 || std::abs(across) > width / 2) return std::nullopt;
    return low + (high - low) * (along / length + 0.5);
  }
  double cosine() const { return length / std::hypot(length, high - low); }
  void append_to(TriangleSoup* soup) const {
    const auto first = static_cast<std::int32_t>(soup->vertices.size() / 3);
    for (const auto& [a, b] : {std::pair(-1, -1), std::pair(-1, 1), std::pair(1, 1), {1, -1}}) {
      const double along = a * length / 2;
      const double across = b * width / 2;
      for (const double c :
           {x + along * cos - across * sin, a < 0 ? low : high, z + along * sin + across * cos})
        soup->vertices.push_back(static_cast<float>(c));
    }
    for (const std::int32_t k : {0, 1, 2, 0, 2, 3}) soup->triangles.push_back(first + k);
  }
};

struct RandomLevel {
  explicit RandomLevel(Random* random) {
    const auto within = [random](double a, double b) { return a + (b - a) * random->unit(); };
    width = within(20, 50);
    depth = within(20, 40);
    slabs.push_back({width / 2, depth / 2, 1, 0, width, depth, 0, 0});
    for (std::uint32_t k = 1 + random->below(5); k > 0; --k) {
      const double angle = random->below(2) == 0 ? 0 : within(0, 6.28);
      Slab slab{within(4, width - 4), within(4, depth - 4), std::cos(angle), std::sin(angle),
                within(4, 16),        within(3, 14),        within(0, 5),    0};
      if (random->below(3) > 0) slab.low = 0;  // a ramp begins on the floor
      slab.high = slab.low + (random->below(3) == 0 ? 0 : within(-0.8, 0.8) * slab.length);
      slabs.push_back(slab);
    }
  }

  // Returns the numbers of the slabs with ground at a point on which an agent surely stands: around
  // it the slab goes on, and nothing else is above it or less than a headroom below it. The floor
  // around may also be that of a ramp that begins there.
  std::vector<std::size_t> sure_ground(double x, double z, const RecastParameters& p) const {
    std::vector<std::size_t> sure;
    for (std::size_t s = 0; s < slabs.size(); ++s) {
      const auto y = slabs[s].height(x, z);
      if (y && slabs[s].cosine() > kSureCosine && is_clear(x, z, *y, p)) sure.push_back(s);
    }
    return sure;
  }

  std::vector<Slab> slabs;
  double width = 0;
  double depth = 0;

 private:
  bool is_clear(double x, double z, double y, const RecastParameters& p) const {
    const double far = p.agent_radius + 4 * p.cell_size;
    for (int k = 0; k <= 96; ++k) {  // eight circles
      const double away = far * ((k + 11) / 12) / 8;
      const double px = x + away * std::cos(k * 6.2832 / 12);
      const double pz = z + away * std::sin(k * 6.2832 / 12);
      bool has_ground = false;
      for (const Slab& slab : slabs) {
        const auto other = slab.height(px, pz);
        if (!other) continue;
        const double up = *other - y;
        // A slope rises by as much as the circle is wide.
        if (std::abs(up) <= 0.9 * away + 0.1 && slab.cosine() > kSureCosine && std::abs(up) < 0.35)
          has_ground = true;
        else if (up > -1.5 && up < p.agent_height + 1.2)
          return false;
      }
      if (!has_ground) return false;
    }
    return true;
  }
};

struct Count {
  int places = 0;
  int lost = 0;
  int parted = 0;  // from a place beside them
};

// Looks at the places of a grid. `reach` is how far heights may be off.
Count look(const RandomLevel& level, const NavMesh& mesh, const RecastParameters& p, double reach) {
  const CellFinder finder(mesh);
  Count count;
  std::map<std::array<int, 3>, std::uint32_t> component_of;  // by column, row and slab
  for (int i = 0; i * kGrid < level.width; ++i) {
    for (int j = 0; j * kGrid < level.depth; ++j) {
      const double x = i * kGrid;
      const double z = j * kGrid;
      for (const std::size_t s : level.sure_ground(x, z, p)) {
        ++count.places;
        const auto place = finder.find_cell({x, z}, *level.slabs[s].height(x, z), reach);
        if (!place) {
          ++count.lost;
          continue;
        }
        const int slab = static_cast<int>(s);
        const std::uint32_t component = mesh.component_of(place->cell);
        component_of[{i, j, slab}] = component;
        for (const auto& before : {std::array{i - 1, j, slab}, std::array{i, j - 1, slab}}) {
          const auto found = component_of.find(before);
          count.parted += found != component_of.end() && found->second != component ? 1 : 0;
        }
      }
    }
  }
  return count;
}

TEST(RecastHeights, SureGroundHasACellNearItsHeight) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int places = 0;
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    RecastParameters p;
    if (random.below(3) == 0) p.cell_size = 0.2;
    if (random.below(3) == 0) p.cell_height = 0.1;
    if (random.below(3) == 0) p.tile_voxels = 32 << random.below(3);
    if (random.below(3) == 0) p.agent_climb = 0.6;
    const RandomLevel level(&random);
    TriangleSoup soup;
    for (const Slab& slab : level.slabs) slab.append_to(&soup);
    const auto source = build_with_recast(soup, p);
    ASSERT_TRUE(source.ok()) << source.status();
    const auto mesh = NavMesh::build(*source);
    ASSERT_TRUE(mesh.ok()) << mesh.status();
    const double voxel = p.cell_height + p.cell_size / 2;  // the rise within a voxel, at 45 degrees
    const Count count = look(level, *mesh, p, p.agent_height / 2 + voxel);
    EXPECT_EQ(count.lost, 0) << "of " << count.places;
    EXPECT_EQ(count.parted, 0) << "of " << count.places;
    places += count.places;
  }
  EXPECT_GT(places, 50'000);
}

}  // namespace
}  // namespace repath
