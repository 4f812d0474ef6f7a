// The ground that obstacles leave of cells, against Clipper's areas, and neighbours against each
// other.
#include "navmesh/carve/carve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <map>
#include <polyclipping/clipper.hpp>
#include <utility>

#include "base/random.h"
#include "support/carve_scenes.h"
#include "support/seed.h"

namespace repath {
namespace {

using ClipperLib::Path;
using ClipperLib::Paths;

Path to_path(const LatticeRing& ring) {
  Path path;
  for (const LatticePoint p : ring) path.push_back({p.x, p.z});
  return path;
}

// Returns twice the area of the cell less the obstacles.
double model_area(const LatticeRing& cell, const std::vector<LatticeRing>& obstacles) {
  ClipperLib::Clipper clipper;
  clipper.AddPath(to_path(cell), ClipperLib::ptSubject, true);
  for (const LatticeRing& o : obstacles) clipper.AddPath(to_path(o), ClipperLib::ptClip, true);
  Paths left;
  clipper.Execute(ClipperLib::ctDifference, left, ClipperLib::pftNonZero, ClipperLib::pftNonZero);
  double twice = 0;
  for (const Path& path : left) twice += 2 * ClipperLib::Area(path);
  return twice;
}

double length(const LatticeRing& ring) {
  double sum = 0;
  for (std::size_t i = 0; i < ring.size(); ++i)
    sum += std::sqrt(static_cast<double>(distance_squared(ring[i], ring[(i + 1) % ring.size()])));
  return sum;
}

// Returns the distance of p from the segment ab, in steps.
double off_segment(LatticePoint a, LatticePoint b, LatticePoint p) {
  const double dx = b.x - a.x;
  const double dz = b.z - a.z;
  const double t = ((p.x - a.x) * dx + (p.z - a.z) * dz) / (dx * dx + dz * dz);
  const double at = std::clamp(t, 0.0, 1.0);
  return std::hypot(p.x - a.x - at * dx, p.z - a.z - at * dz);
}

struct Piece {
  LatticePoint a;
  LatticePoint b;
  auto operator<=>(const Piece&) const = default;
};

// Width, in steps, of the fragment beside each piece.
using Pieces = std::map<Piece, double>;
using BasePieces = std::map<std::uint32_t, Pieces>;  // by base edge

double width(const LatticeRing& ring, const Piece& side) {
  std::int64_t most = 0;
  for (const LatticePoint p : ring) most = std::max(most, turn(side.a, side.b, p));
  return static_cast<double>(most) /
         std::sqrt(static_cast<double>(distance_squared(side.a, side.b)));
}

// Checks that fragments are convex, diagonals come in pairs, and every edge is where its kind
// demands. Adds up the area and collects the pieces of each base edge.
void check_fragments(const LatticeRing& cell, const std::vector<LatticeRing>& obstacles,
                     const Carving& carving, std::int64_t* twice, BasePieces* base) {
  *twice = 0;
  std::map<std::uint32_t, std::vector<Piece>> diagonals;
  // Rounding moves by half a step, attraction by half a millimetre; smaller cells may be mended.
  const bool is_speck = length(cell) < 40'000;
  const double near = (is_speck ? kMendReach : kCarveAttraction) * std::sqrt(2.0) + 1.5;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : carving.fragment_ends) {
    LatticeRing ring;
    std::vector<std::pair<std::uint32_t, Piece>> open;
    for (std::uint32_t e = begin; e < end; ++e) {
      const FragmentEdge& edge = carving.edges[e];
      const Piece piece{edge.from, carving.edges[e + 1 == end ? begin : e + 1].from};
      ring.push_back(edge.from);
      if (edge.kind == FragmentEdgeKind::kDiagonal) {
        diagonals[edge.number].push_back(piece);
        continue;
      }
      const bool is_base = edge.kind == FragmentEdgeKind::kBase;
      const LatticeRing& source =
          is_base ? cell : obstacles[static_cast<std::size_t>(value(edge.obstacle) - 10)];
      ASSERT_LT(edge.number, source.size());
      const LatticePoint a = source[edge.number];
      const LatticePoint b = source[(edge.number + 1) % source.size()];
      ASSERT_LT(off_segment(a, b, piece.a), near);
      ASSERT_LT(off_segment(a, b, piece.b), near);
      if (is_base) {
        ASSERT_GT(onward(a, b, {b.x + piece.b.x - piece.a.x, b.z + piece.b.z - piece.a.z}), 0);
        open.push_back({edge.number, piece});
      }
    }
    ASSERT_TRUE(is_convex_ring(ring));
    *twice += twice_area(ring);
    for (const auto& [number, piece] : open)
      ASSERT_TRUE((*base)[number].insert({piece, width(ring, piece)}).second);
    begin = end;
  }
  ASSERT_EQ(diagonals.size(), carving.diagonals);
  for (const auto& [number, sides] : diagonals) {
    ASSERT_EQ(sides.size(), 2u);
    ASSERT_EQ(sides[0].a, sides[1].b);
    ASSERT_EQ(sides[0].b, sides[1].a);
  }
}

class CarveModel : public testing::Test {
 protected:
  // Carves and compares with Clipper. Rounding changes the area by at most a step along every edge;
  // attraction may add half a millimetre where an obstacle crosses a base edge.
  void carve_and_check(const LatticeRing& cell, const std::vector<LatticeRing>& obstacles,
                       BasePieces* base) {
    carver_.carve(cell, test::as_obstacles(obstacles), &carving_);
    std::int64_t twice = 0;
    check_fragments(cell, obstacles, carving_, &twice, base);
    if (HasFatalFailure()) return;
    double along = length(cell);
    for (const LatticeRing& o : obstacles) along += length(o);
    const double model = model_area(cell, obstacles);
    ASSERT_NEAR(static_cast<double>(twice), model, 4 * along * slack_);
    if (model == 0 && slack_ == 1) {
      ASSERT_TRUE(carving_.edges.empty());
    }
  }

  double slack_ = 1;
  Carver carver_;
  Carving carving_;
};

TEST_F(CarveModel, FragmentsAreWhatClipperLeaves) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  std::size_t fragments = 0;
  for (int i = 0; i < 2'000; ++i) {
    const LatticeRing cell = test::random_convex(&random, 6 * kLatticePerUnit, 3 + random.below(6));
    std::vector<LatticeRing> obstacles;
    for (std::uint32_t k = random.below(7); k-- > 0;)
      obstacles.push_back(test::random_obstacle(&random, 6, 0.5 * random.below(2)));
    BasePieces base;
    carve_and_check(cell, obstacles, &base);
    if (HasFatalFailure()) FAIL() << "scene " << i;
    fragments += carving_.fragment_ends.size();
  }
  EXPECT_GT(fragments, 10'000u);
}

// Cells of a few millimetres among obstacles of a few millimetres: every kind of touching, and
// rounding upsets everything it can.
TEST_F(CarveModel, NothingIsTooSmallToBeCarved) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  slack_ = kCarveAttraction;
  for (int i = 0; i < 20'000; ++i) {
    const auto side = static_cast<std::int32_t>(20 + random.below(400));
    LatticeRing cell = test::random_convex(&random, side, 3 + random.below(4));
    if (random.below(2) == 0)
      for (LatticePoint& p : cell) p = {p.x * 16, p.z * 16};
    std::vector<LatticeRing> obstacles;
    for (std::uint32_t k = random.below(7); k-- > 0;)
      obstacles.push_back(
          test::random_speck(&random, cell[random.below(static_cast<std::uint32_t>(cell.size()))],
                             static_cast<std::int32_t>(1 + random.below(30))));
    BasePieces base;
    carve_and_check(cell, obstacles, &base);
    if (HasFatalFailure()) FAIL() << "scene " << i;
  }
}

// Returns the number of pieces that the other side does not have, except slivers of less than a
// millimetre.
std::size_t unmatched(const Pieces& one, const Pieces& other) {
  std::size_t found = 0;
  for (const auto& [piece, wide] : one)
    found += wide > 16 && other.count({piece.b, piece.a}) == 0 ? 1 : 0;
  return found;
}

// Triangles around a common corner, and the pieces that the two sides of an edge see.
class CarvedFan : public CarveModel {
 protected:
  void make(Random* random) {
    rim_ = test::random_convex(random, 6 * kLatticePerUnit, 5 + random->below(6));
    hub_ = {};
    const auto n = static_cast<std::int32_t>(rim_.size());
    for (const LatticePoint p : rim_) hub_ = {hub_.x + p.x / n, hub_.z + p.z / n};
    obstacles_.clear();
  }
  // Adds the obstacle, moved by whole millimetres so that a random point of its edge is within half
  // a millimetre of the common corner.
  void graze(Random* random, LatticeRing obstacle) {
    const std::size_t e = random->below(static_cast<std::uint32_t>(obstacle.size()));
    const double t = random->unit();
    const LatticePoint a = obstacle[e];
    const LatticePoint b = obstacle[(e + 1) % obstacle.size()];
    const auto moved = [t](std::int32_t from, std::int32_t to, std::int32_t goal) {
      return static_cast<std::int32_t>(std::lround((goal - (from + t * (to - from))) / 16)) * 16;
    };
    const std::int32_t dx = moved(a.x, b.x, hub_.x);
    const std::int32_t dz = moved(a.z, b.z, hub_.z);
    for (LatticePoint& p : obstacle) p = {p.x + dx, p.z + dz};
    obstacles_.push_back(std::move(obstacle));
  }
  // Counts pieces, and pieces that only one side sees.
  void compare() {
    const std::size_t n = rim_.size();
    std::vector<BasePieces> base(n);
    for (std::size_t c = 0; c < n; ++c) {
      carve_and_check({hub_, rim_[c], rim_[(c + 1) % n]}, obstacles_, &base[c]);
      if (HasFatalFailure()) return;
    }
    for (std::size_t c = 0; c < n; ++c) {
      const Pieces& one = base[c][2];
      const Pieces& other = base[(c + 1) % n][0];
      lost_ += unmatched(one, other) + unmatched(other, one);
      seen_ += one.size();
    }
  }

  LatticeRing rim_;
  LatticePoint hub_{};
  std::vector<LatticeRing> obstacles_;
  std::size_t seen_ = 0;
  std::size_t lost_ = 0;
};

TEST_F(CarvedFan, NeighboursSeeTheSamePiecesOfTheirEdge) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int i = 0; i < 3'000; ++i) {
    make(&random);
    for (std::uint32_t k = random.below(6); k-- > 0;)
      obstacles_.push_back(test::random_obstacle(&random, 6, 0.5 * random.below(2)));
    for (std::uint32_t k = random.below(3); k-- > 0;)
      obstacles_.push_back(test::random_speck(&random, hub_, 1000));
    compare();
    if (HasFatalFailure()) FAIL() << "scene " << i;
    ASSERT_EQ(lost_, 0u) << "scene " << i;
  }
  EXPECT_GT(seen_, 15'000u);
}

// An obstacle that passes the common corner within half a millimetre leaves nearly all pieces
// matched.
TEST_F(CarvedFan, AnObstacleThatGrazesACornerIsTheSameForAllAroundIt) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  slack_ = kCarveAttraction;
  for (int i = 0; i < 2'000; ++i) {
    make(&random);
    graze(&random, test::random_obstacle(&random, 6, 0.3));
    compare();
    if (HasFatalFailure()) FAIL() << "scene " << i;
  }
  EXPECT_GT(seen_, 8'000u);
  EXPECT_LE(lost_, 4u);
}

TEST_F(CarveModel, OnlyTheObstaclesNearCountAndNotWhatWasCarvedBefore) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int i = 0; i < 500; ++i) {
    const LatticeRing cell = test::random_convex(&random, 6 * kLatticePerUnit, 6);
    std::vector<LatticeRing> rings;
    for (int k = 0; k < 4; ++k) rings.push_back(test::random_obstacle(&random, 6, 0.25));
    std::vector<CarveObstacle> obstacles = test::as_obstacles(rings);
    Carver fresh;
    Carving once;
    fresh.carve(cell, obstacles, &once);
    LatticeRing far = test::random_obstacle(&random, 6, 0);
    for (LatticePoint& p : far) p.x += 20 * kLatticePerUnit;
    obstacles.insert(obstacles.begin(), {ObstacleId{1}, 0, far});
    Carving again;
    carver_.carve(cell, obstacles, &again);
    ASSERT_EQ(once, again);
  }
}

}  // namespace
}  // namespace repath
