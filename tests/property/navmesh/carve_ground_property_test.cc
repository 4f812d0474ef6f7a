// Obstacles that change the ground they cover. Fragments are compared with the rings that hold
// their middles and with Clipper's areas, and neighbours with each other.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <polyclipping/clipper.hpp>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "navmesh/carve/carve.h"
#include "support/carve_scenes.h"
#include "support/carved_worlds.h"
#include "support/mesh_model.h"
#include "support/seed.h"

namespace repath {
namespace {

// In lattice steps; so far from a ring rounding has no effect.
constexpr double kSure = 3 * kCarveAttraction;

struct Scene {
  LatticeRing cell;
  std::vector<LatticeRing> rings;
  std::vector<CarveObstacle> obstacles;  // some with several rings

  void add(ObstacleId id, const std::vector<LatticeRing>& pieces, const CarveEffect& effect) {
    for (const LatticeRing& piece : pieces) {
      rings.push_back(piece);
      obstacles.push_back({id, 0, {}, effect});
    }
  }
  void link() {
    for (std::size_t i = 0; i < rings.size(); ++i) obstacles[i].ring = rings[i];
  }
};

Scene random_scene(Random* random, std::uint32_t most) {
  Scene scene;
  scene.cell = test::random_convex(random, 6 * kLatticePerUnit, 3 + random->below(6));
  for (std::uint32_t k = random->below(most + 1); k > 0; --k) {
    std::vector<LatticeRing> pieces;
    for (std::uint32_t n = 1 + random->below(2); n > 0; --n)
      pieces.push_back(test::random_obstacle(random, 6, 0.5 * random->below(2)));
    scene.add(ObstacleId{20 - k}, pieces,
              random->below(3) == 0 ? CarveEffect{} : test::random_soft_effect(random));
  }
  scene.link();
  return scene;
}

// Returns how deep the point is inside the ring; below 0 if it is outside.
double depth(const LatticeRing& ring, double x, double z) {
  double least = 1e12;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const LatticePoint a = ring[i];
    const LatticePoint b = ring[(i + 1) % ring.size()];
    const double dx = b.x - a.x;
    const double dz = b.z - a.z;
    least = std::min(least, (dx * (z - a.z) - dz * (x - a.x)) / std::hypot(dx, dz));
  }
  return least;
}

struct Expected {
  bool is_sure = true;
  bool is_blocked = false;
  FragmentGround ground;
};

// Counts each obstacle once, in ascending order of ids.
Expected expected_at(const Scene& scene, double x, double z) {
  Expected expected;
  std::map<ObstacleId, CarveEffect> over;
  for (const CarveObstacle& o : scene.obstacles) {
    const double in = depth({o.ring.begin(), o.ring.end()}, x, z);
    expected.is_sure &= std::abs(in) > kSure;
    if (in > 0) over[o.id] = o.effect;
  }
  double factor = 1;
  for (const auto& [id, effect] : over) {
    expected.is_blocked |= effect.blocks;
    if (effect.blocks) continue;
    factor = std::min(1000.0, std::ceil(factor * effect.factor - 1e-9) / 1000);
    if (effect.area) expected.ground.area = effect.area;
  }
  expected.ground.factor = static_cast<std::uint32_t>(std::lround(factor * 1000));
  return expected;
}

LatticeRing fragment_of(const Carving& carving, std::size_t f) {
  LatticeRing ring;
  for (std::uint32_t e = f == 0 ? 0 : carving.fragment_ends[f - 1]; e < carving.fragment_ends[f];
       ++e)
    ring.push_back(carving.edges[e].from);
  return ring;
}

FragmentGround ground_of(const Carving& carving, std::size_t f) {
  return carving.grounds.empty() ? FragmentGround{} : carving.grounds[f];
}

// Checks that each seam has its counterpart in a fragment of other ground. Returns their number.
std::size_t check_seams(const Carving& carving) {
  using Side = std::pair<LatticePoint, LatticePoint>;
  std::map<Side, FragmentGround> seams;
  std::uint32_t begin = 0;
  for (std::size_t f = 0; f < carving.fragment_ends.size(); ++f) {
    const std::uint32_t end = carving.fragment_ends[f];
    for (std::uint32_t e = begin; e < end; ++e) {
      if (carving.edges[e].kind != FragmentEdgeKind::kSeam) continue;
      const LatticePoint to = carving.edges[e + 1 == end ? begin : e + 1].from;
      const bool is_new = seams.insert({{carving.edges[e].from, to}, ground_of(carving, f)}).second;
      EXPECT_TRUE(is_new);
    }
    begin = end;
  }
  for (const auto& [side, ground] : seams) {
    const auto other = seams.find({side.second, side.first});
    EXPECT_TRUE(other != seams.end() && other->second != ground);
  }
  return seams.size();
}

TEST(CarveGround, FragmentsAreOfTheGroundThatThePlainModelSays) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  Carver carver;
  Carving carving;
  std::size_t sure = 0;
  std::size_t changed = 0;
  std::size_t seams = 0;
  for (int i = 0; i < 2'000; ++i) {
    const Scene scene = random_scene(&random, 5);
    carver.carve(scene.cell, scene.obstacles, &carving);
    seams += check_seams(carving);
    ASSERT_FALSE(HasFailure()) << "scene " << i;
    for (std::size_t f = 0; f < carving.fragment_ends.size(); ++f) {
      const LatticeRing ring = fragment_of(carving, f);
      ASSERT_TRUE(is_convex_ring(ring)) << "scene " << i;
      for (int tries = 0; tries < 4; ++tries) {
        double x = 0;
        double z = 0;
        double sum = 0;
        for (const LatticePoint p : ring) {
          const double w = 0.01 + random.unit();
          x += w * p.x;
          z += w * p.z;
          sum += w;
        }
        const Expected expected = expected_at(scene, x / sum, z / sum);
        if (!expected.is_sure) continue;
        ++sure;
        ASSERT_FALSE(expected.is_blocked) << "scene " << i;
        ASSERT_TRUE(expected.ground == ground_of(carving, f)) << "scene " << i << " fragment " << f;
        changed += expected.ground.is_changed() ? 1 : 0;
      }
    }
  }
  EXPECT_GT(sure, 15'000u);
  EXPECT_GT(changed, 6'000u);
  EXPECT_GT(seams, 5'000u);
}

double clipped_area(const Scene& scene) {
  ClipperLib::Clipper clipper;
  const auto path = [](const auto& ring) {
    ClipperLib::Path made;
    for (const LatticePoint p : ring) made.push_back({p.x, p.z});
    return made;
  };
  clipper.AddPath(path(scene.cell), ClipperLib::ptSubject, true);
  for (const CarveObstacle& o : scene.obstacles)
    if (o.effect.blocks) clipper.AddPath(path(o.ring), ClipperLib::ptClip, true);
  ClipperLib::Paths left;
  clipper.Execute(ClipperLib::ctDifference, left, ClipperLib::pftNonZero, ClipperLib::pftNonZero);
  double twice = 0;
  for (const auto& one : left) twice += 2 * ClipperLib::Area(one);
  return twice;
}

double area_of(const Carving& carving) {
  double twice = 0;
  for (std::size_t f = 0; f < carving.fragment_ends.size(); ++f)
    twice += static_cast<double>(twice_area(fragment_of(carving, f)));
  return twice;
}

double length_of(const Scene& scene) {
  double sum = 0;
  const auto add = [&sum](const auto& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i)
      sum += std::sqrt(static_cast<double>(distance_squared(ring[i], ring[(i + 1) % ring.size()])));
  };
  add(scene.cell);
  for (const LatticeRing& ring : scene.rings) add(ring);
  return sum;
}

TEST(CarveGround, OnlyWhatBlocksTakesGround) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  Carver carver;
  Carving carving;
  for (int i = 0; i < 1'000; ++i) {
    const Scene scene = random_scene(&random, 6);
    carver.carve(scene.cell, scene.obstacles, &carving);
    ASSERT_NEAR(area_of(carving), clipped_area(scene), 4 * length_of(scene)) << "scene " << i;
  }
}

// Cells and obstacles of a few millimetres: every kind of touching.
TEST(CarveGround, NothingIsTooSmallToBeCut) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  Carver carver;
  Carving carving;
  for (int i = 0; i < 10'000; ++i) {
    Scene scene;
    scene.cell = test::random_convex(&random, static_cast<std::int32_t>(20 + random.below(400)),
                                     3 + random.below(4));
    if (random.below(2) == 0)
      for (LatticePoint& p : scene.cell) p = {p.x * 16, p.z * 16};
    for (std::uint32_t k = random.below(7); k > 0; --k)
      scene.add(
          ObstacleId{20 - k},
          {test::random_speck(
              &random, scene.cell[random.below(static_cast<std::uint32_t>(scene.cell.size()))],
              static_cast<std::int32_t>(1 + random.below(30)))},
          random.below(3) == 0 ? CarveEffect{} : test::random_soft_effect(&random));
    scene.link();
    carver.carve(scene.cell, scene.obstacles, &carving);
    check_seams(carving);
    ASSERT_FALSE(HasFailure()) << "scene " << i;
    ASSERT_NEAR(area_of(carving), clipped_area(scene), 4 * length_of(scene) * kCarveAttraction)
        << "scene " << i;
  }
}

using Shapes = std::map<ObstacleId, CarveShape>;

void apply_all(const Shapes& shapes, CarvedMesh* carved) {
  std::vector<CarveEdit> edits;
  for (const auto& [id, shape] : shapes) edits.push_back({CarveEdit::Kind::kUpsert, id, shape});
  ASSERT_TRUE(carved->apply(edits).ok());
}

// Counts the grounds of each kind from scratch.
CarvedGround::ChangedGrounds count_grounds(const CarvedMesh& carved) {
  CarvedGround::ChangedGrounds counts;
  for (std::uint32_t c = 0; c < carved.mesh().cells_end(); ++c) {
    if (!carved.mesh().is_live(c)) continue;
    const NavMesh::Cell& cell = carved.mesh().cell(c);
    const NavMesh::Cell& base = carved.base().cell(carved.base_of(c));
    if (cell.area != base.area || cell.factor != base.factor) ++counts[{cell.area, cell.factor}];
  }
  return counts;
}

TEST(CarvedMeshGround, EveryEditLeavesAMeshAsIfBuiltAnewAndNothingRemains) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  std::size_t changed = 0;
  for (int round = 0; round < 40; ++round) {
    const MeshSource source = test::two_floors(&random, 4, 4);
    CarvedMesh carved = *CarvedMesh::make(source, 1.7);
    const std::uint64_t empty = carved.content_hash();
    Shapes shapes;
    for (int step = 0; step < 15; ++step) {
      SCOPED_TRACE("round " + std::to_string(round) + " step " + std::to_string(step));
      ASSERT_TRUE(carved.apply(test::random_edits(&random, 12, 6, &shapes, true)).ok());
      test::expect_as_built(carved.mesh());
      // An area type over the same area type makes no visible change on the mesh.
      for (const auto& [ground, count] : count_grounds(carved)) {
        const auto known = carved.ground().changed_grounds().find(ground);
        ASSERT_TRUE(known != carved.ground().changed_grounds().end());
        ASSERT_GE(known->second, count);
        changed += count;
      }
      if (HasFatalFailure()) return;
    }
    CarvedMesh other = *CarvedMesh::make(source, 1.7);
    apply_all(shapes, &other);
    ASSERT_EQ(other.content_hash(), carved.content_hash()) << "round " << round;
    ASSERT_EQ(other.ground().changed_grounds(), carved.ground().changed_grounds());
    std::vector<CarveEdit> all;
    for (const auto& [id, shape] : shapes) all.push_back({CarveEdit::Kind::kRemove, id, {}});
    ASSERT_TRUE(carved.apply(all).ok());
    ASSERT_EQ(carved.content_hash(), empty) << "round " << round;
    ASSERT_TRUE(carved.ground().changed_grounds().empty());
  }
  EXPECT_GT(changed, 2'000u);
}

// If an agent could walk somewhere before ground was made dearer, it still can.
TEST(CarvedMeshGround, OtherGroundIsNoWall) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  std::size_t compared = 0;
  for (int round = 0; round < 60; ++round) {
    CarvedMesh blocked = *CarvedMesh::make(test::two_floors(&random, 4, 4), 1.7);
    Shapes shapes;
    for (int step = 0; step < 8; ++step)
      ASSERT_TRUE(blocked.apply(test::random_edits(&random, 8, 6, &shapes)).ok());
    CarvedMesh soft = blocked.clone();
    Shapes more;
    for (std::uint64_t id = 100; id < 106; ++id) {
      more[ObstacleId{id}] = test::random_carve_shape(&random, 6);
      more[ObstacleId{id}].effect = test::random_soft_effect(&random);
    }
    apply_all(more, &soft);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> components;
    for (int i = 0; i < 60; ++i) {
      const Point at{0.05 + 5.9 * random.unit(), 0.05 + 5.9 * random.unit()};
      const double y = 4.0 * random.below(2);
      const auto before = blocked.find_cell(at, y, 0.5);
      const auto after = soft.find_cell(at, y, 0.5);
      if (!before || !after) continue;
      components.emplace_back(blocked.mesh().component_of(before->cell),
                              soft.mesh().component_of(after->cell));
    }
    for (std::size_t i = 1; i < components.size(); ++i) {
      ASSERT_EQ(components[i].first == components[0].first,
                components[i].second == components[0].second)
          << "round " << round;
      ++compared;
    }
  }
  EXPECT_GT(compared, 500u);
}

}  // namespace
}  // namespace repath
