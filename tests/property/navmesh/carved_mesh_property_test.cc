// Carved meshes under random edits, against meshes built from scratch, Clipper's areas, other
// histories, the plain visibility graph, and a plain flood.
#include "navmesh/carve/carved_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <polyclipping/clipper.hpp>
#include <string>
#include <utility>

#include "navmesh/mesh/mesh_ray.h"
#include "navmesh/search/any_angle.h"
#include "navmesh/search/corridor.h"
#include "support/carved_worlds.h"
#include "support/mesh_ends.h"
#include "support/mesh_model.h"
#include "support/plain_mesh.h"
#include "support/seed.h"

namespace repath {
namespace {

using Shapes = std::map<ObstacleId, CarveShape>;

ClipperLib::Path path_of(const NavMesh& mesh, std::uint32_t cell) {
  ClipperLib::Path path;
  for (const NavMesh::Edge& e : mesh.edges_of(cell))
    path.push_back({static_cast<ClipperLib::cInt>(e.x), static_cast<ClipperLib::cInt>(e.z)});
  return path;
}

bool meets_height(const NavMesh& base, std::uint32_t cell, const CarveShape& shape) {
  double low = 1e9;
  double high = -1e9;
  for (const NavMesh::Edge& e : base.edges_of(cell)) {
    low = std::min(low, base.vertex(e.vertex).y);
    high = std::max(high, base.vertex(e.vertex).y);
  }
  return shape.enabled && shape.y0 <= high && shape.y1 >= low;
}

// Returns twice the area of a base cell less the obstacles of its floor.
double model_area(const NavMesh& base, std::uint32_t cell, const Shapes& shapes) {
  ClipperLib::Clipper clipper;
  clipper.AddPath(path_of(base, cell), ClipperLib::ptSubject, true);
  for (const auto& [id, shape] : shapes) {
    if (!meets_height(base, cell, shape)) continue;
    for (const LatticeRing& ring : shape.pieces) {
      ClipperLib::Path path;
      for (const LatticePoint p : ring) path.push_back({p.x, p.z});
      clipper.AddPath(path, ClipperLib::ptClip, true);
    }
  }
  ClipperLib::Paths left;
  clipper.Execute(ClipperLib::ctDifference, left, ClipperLib::pftNonZero, ClipperLib::pftNonZero);
  double twice = 0;
  for (const auto& path : left) twice += 2 * ClipperLib::Area(path);
  return twice;
}

double area_of(const NavMesh& mesh, std::span<const std::uint32_t> cells) {
  double twice = 0;
  for (const std::uint32_t c : cells) twice += 2 * ClipperLib::Area(path_of(mesh, c));
  return twice;
}

void expect_areas(const CarvedMesh& carved, const Shapes& shapes) {
  for (std::uint32_t c = 0; c < carved.base().cells_end(); ++c) {
    const double left = area_of(carved.mesh(), carved.cells_of(c));
    // A step along every edge, and half a millimetre where an edge is attracted to a corner.
    ASSERT_NEAR(left, model_area(carved.base(), c, shapes), 4 * 16'000. * 60 * kCarveAttraction)
        << "base cell " << c;
    for (const std::uint32_t cell : carved.cells_of(c)) ASSERT_EQ(carved.base_of(cell), c);
  }
}

// The corners of each live cell, by its index.
using LiveCells = std::map<std::uint32_t, std::vector<std::pair<double, double>>>;

LiveCells live_cells(const NavMesh& mesh) {
  LiveCells live;
  for (std::uint32_t c = 0; c < mesh.cells_end(); ++c)
    for (const NavMesh::Edge& e : mesh.edges_of(c)) live[c].push_back({e.x, e.z});
  return live;
}

// Checks that the cells in the delta are right and that nothing else changed.
void expect_delta(LiveCells before, const LiveCells& after, const CarveDelta& delta) {
  for (const std::uint32_t cell : delta.gone) ASSERT_EQ(before.erase(cell), 1u);
  for (const std::uint32_t cell : delta.come) {
    ASSERT_TRUE(after.contains(cell));
    ASSERT_TRUE(before.insert({cell, after.at(cell)}).second);
  }
  ASSERT_EQ(before, after);
}

void apply_all(const Shapes& shapes, CarvedMesh* carved) {
  for (const auto& [id, shape] : shapes) {
    const CarveEdit edit{CarveEdit::Kind::kUpsert, id, shape};
    ASSERT_TRUE(carved->apply({&edit, 1}).ok());
  }
}

CarvedMesh random_world(Random* random) {
  MeshSource source = test::two_floors(random, 4, 4);
  if (random->below(3) == 0) source = test::random_mesh(random, 7);
  const double side = random->below(2) == 0 ? 8 : 0.5 + 0.3 * random->below(4);
  absl::StatusOr<CarvedMesh> carved = CarvedMesh::make(source, side);
  EXPECT_TRUE(carved.ok()) << carved.status();
  return *std::move(carved);
}

TEST(CarvedMesh, EveryEditLeavesAMeshAsIfBuiltAnew) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 60; ++round) {
    CarvedMesh carved = random_world(&random);
    test::expect_as_built(carved.mesh());
    LiveCells live = live_cells(carved.mesh());
    Shapes shapes;
    for (int step = 0; step < 15; ++step) {
      SCOPED_TRACE("round " + std::to_string(round) + " step " + std::to_string(step));
      const auto edits = test::random_edits(&random, 10, 6, &shapes);
      const absl::StatusOr<CarveDelta> delta = carved.apply(edits);
      ASSERT_TRUE(delta.ok()) << delta.status();
      ASSERT_EQ(carved.obstacles(), shapes.size());
      test::expect_as_built(carved.mesh());
      expect_areas(carved, shapes);
      LiveCells after = live_cells(carved.mesh());
      if (!HasFatalFailure()) expect_delta(std::move(live), after, *delta);
      if (HasFatalFailure()) return;
      live = std::move(after);
    }
  }
}

TEST(CarvedMesh, TheSameObstaclesGiveTheSameFragmentsWhateverCameBefore) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int carved_rounds = 0;
  for (int round = 0; round < 60; ++round) {
    const MeshSource source = test::two_floors(&random, 4, 4);
    CarvedMesh carved = *CarvedMesh::make(source, 1.7);
    const std::uint64_t empty = carved.content_hash();
    Shapes shapes;
    for (int step = 0; step < 20; ++step)
      ASSERT_TRUE(carved.apply(test::random_edits(&random, 12, 6, &shapes)).ok());
    CarvedMesh other = *CarvedMesh::make(source, 1.7);
    apply_all(shapes, &other);
    ASSERT_EQ(other.content_hash(), carved.content_hash()) << "round " << round;
    carved_rounds += other.content_hash() != empty ? 1 : 0;
    std::vector<CarveEdit> all;
    for (const auto& [id, shape] : shapes) all.push_back({CarveEdit::Kind::kRemove, id, {}});
    ASSERT_TRUE(carved.apply(all).ok());
    ASSERT_EQ(carved.content_hash(), empty) << "round " << round;
    test::expect_as_built(carved.mesh());
  }
  EXPECT_GT(carved_rounds, 40);
}

TEST(CarvedMesh, SearchesFindWhatThePlainVisibilityGraphDoes) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  WithOwnCore<AnyAngleSearch> search;
  search.compare_ends_after(0);
  CorridorSearch corridor;
  const NavFilter filter;
  int found = 0;
  int none = 0;
  for (int round = 0; round < 40; ++round) {
    CarvedMesh carved = *CarvedMesh::make(test::two_floors(&random, 3, 3), 1.5);
    Shapes shapes;
    for (int step = 0; step < 3; ++step) {
      ASSERT_TRUE(carved.apply(test::random_edits(&random, 4, 5, &shapes)).ok());
      std::vector<std::uint32_t> indices;
      const MeshSource source = test::source_of(carved.mesh(), &indices);
      const test::PlainMesh plain(source);
      for (int query = 0; query < 5; ++query) {
        MeshPlace ends[2];
        test::PlainMesh::Spot spots[2];
        for (int k = 0; k < 2; ++k) {
          std::uint32_t cell = 0;
          test::random_point_of(&random, source, &cell, &ends[k].x, &ends[k].z);
          ends[k] = pull_into(carved.mesh(), indices[cell], ends[k].x, ends[k].z);
          spots[k] = plain.spot(ends[k].point().x, ends[k].point().z, cell);
        }
        search.begin(carved.mesh(), ends[0], ends[1]);
        std::uint32_t plenty = 1'000'000;
        const Progress progress = search.advance(&plenty);
        corridor.begin(carved.mesh(), ends[0], ends[1], filter);
        ASSERT_EQ(corridor.advance(&plenty), progress);
        ASSERT_EQ(progress == Progress::kPathFound, carved.mesh().component_of(ends[0].cell) ==
                                                        carved.mesh().component_of(ends[1].cell));
        const double best = plain.shortest(spots[0], spots[1]);
        ASSERT_EQ(progress == Progress::kPathFound, best < test::PlainMesh::kFar)
            << "round " << round << " step " << step << " query " << query;
        ++(progress == Progress::kPathFound ? found : none);
        if (progress != Progress::kPathFound) continue;
        ASSERT_NEAR(search.path_length(), best, 1e-7 * (1 + best));
        ASSERT_GE(corridor.cost(), search.path_length() * (1 - 1e-9));
        ASSERT_LE(corridor.lower_bound(), search.path_length() * (1 + 1e-9));
        ASSERT_LE(corridor.cost(), corridor.weight() * search.path_length() * (1 + 1e-9));
      }
    }
  }
  EXPECT_GT(found, 200);
  EXPECT_GT(none, 20);
}

// Returns whether the segment keeps a distance from the convex ring, in world units.
bool keeps_clear(Point p, Point q, const LatticeRing& ring, double distance) {
  double from = 0;
  double to = 1;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point a = to_point(ring[i]);
    const Point b = to_point(ring[(i + 1) % ring.size()]);
    const double length = std::hypot(b.x - a.x, b.z - a.z);
    const auto inside = [&](Point r) {
      return ((b.x - a.x) * (r.z - a.z) - (b.z - a.z) * (r.x - a.x)) / length + distance;
    };
    const double at_p = inside(p);
    const double at_q = inside(q);
    if (at_p < 0 && at_q < 0) return true;
    if (at_p < 0) from = std::max(from, at_p / (at_p - at_q));
    if (at_q < 0) to = std::min(to, at_p / (at_p - at_q));
  }
  return from > to;
}

// Points of a grid that see each other past all obstacles are in one component, and the place found
// at a point is its ground.
TEST(CarvedMesh, WhatAPlainFloodReachesIsOneComponent) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  constexpr double kStep = 0.08;
  const NavFilter filter;
  std::size_t seen = 0;
  for (int round = 0; round < 25; ++round) {
    // Not triangles cut along a grid, because paths beside the slivers that dents leave may be
    // closed.
    CarvedMesh carved = round % 2 == 0 ? *CarvedMesh::make(test::random_mesh(&random, 6), 8)
                                       : *CarvedMesh::make(test::random_bars(&random, 6), 1.3);
    const CellFinder base(carved.base());
    Shapes shapes;
    for (int step = 0; step < 6; ++step)
      ASSERT_TRUE(carved.apply(test::random_edits(&random, 8, 5, &shapes)).ok());
    const auto is_clear = [&](Point p, Point q) {
      for (const auto& [id, shape] : shapes)
        for (const LatticeRing& ring : shape.pieces)
          if (shape.enabled && shape.y0 <= 0 && !keeps_clear(p, q, ring, 0.004)) return false;
      const auto from = base.find_cell(p, 0, 1);
      return from.has_value() &&
             cast_ray(carved.base(), *from, to_fine_steps(q.x), to_fine_steps(q.z), filter, nullptr)
                 .is_free;
    };
    for (int z = 0; z < 75; ++z)
      for (int x = 0; x < 75; ++x) {
        const Point p{x * kStep + 0.013, z * kStep + 0.017};
        if (!is_clear(p, p)) continue;
        const auto at_p = carved.find_cell(p, 0, 1);
        ASSERT_TRUE(at_p.has_value()) << p.x << " " << p.z;
        ASSERT_TRUE(holds(carved.mesh(), at_p->cell, at_p->x, at_p->z));
        const auto nearest = carved.find_nearest(p, 0, 1, 1, filter);
        ASSERT_TRUE(nearest.has_value() && nearest->distance == 0);
        for (const Point q : {Point{p.x + kStep, p.z}, Point{p.x, p.z + kStep}}) {
          if (!is_clear(p, q)) continue;
          const auto at_q = carved.find_cell(q, 0, 1);
          ASSERT_TRUE(at_q.has_value());
          ASSERT_EQ(carved.mesh().component_of(at_p->cell), carved.mesh().component_of(at_q->cell))
              << "round " << round << " at " << p.x << " " << p.z;
          ASSERT_TRUE(cast_ray(carved.mesh(), *at_p, at_q->x, at_q->z, filter, nullptr).is_free)
              << "round " << round << " at " << p.x << " " << p.z;
          ++seen;
        }
      }
  }
  EXPECT_GT(seen, 20'000u);
}

}  // namespace
}  // namespace repath
