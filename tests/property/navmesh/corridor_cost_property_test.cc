// Corridor search over squares of several factors: the cost that it gives is the integral of the
// factors along its path. Along the border of two squares the cheaper one counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "navmesh/search/corridor.h"
#include "support/random_meshes.h"
#include "support/seed.h"

namespace repath {
namespace {

constexpr int kFieldSide = 8;
constexpr double kOnBorderOf = 1e-6;  // world units
// A leg that crosses a border at a small angle is beside it for a while.
constexpr double kSlackOfLeg = 0.07;

class FactorField {
 public:
  explicit FactorField(Random* random) {
    filter_.factors[1] = 3000;
    filter_.factors[2] = 1500;
    filter_.factors[3] = 10'000;
    source_ = test::squares(std::vector<std::string>(kFieldSide, std::string(kFieldSide, '.')));
    for (MeshSource::Cell& cell : source_.cells)
      cell.area = AreaType{static_cast<std::uint8_t>(random->below(4))};
  }
  const MeshSource& source() const { return source_; }
  const NavFilter& filter() const { return filter_; }

  double cost_of(const std::vector<CorridorCorner>& path) const {
    double cost = 0;
    for (std::size_t i = 1; i < path.size(); ++i) cost += cost_of_leg(path[i - 1].at, path[i].at);
    return cost;
  }

 private:
  double factor_at(double x, double z) const {
    const auto side = [](double v) {
      return std::clamp(static_cast<int>(std::floor(v)), 0, kFieldSide - 1);
    };
    return filter_.factor(
        source_.cells[static_cast<std::size_t>(side(z) * kFieldSide + side(x))].area);
  }
  double cost_of_leg(Point a, Point b) const {
    const double dx = b.x - a.x;
    const double dz = b.z - a.z;
    std::vector<double> cuts{0, 1};
    for (int k = 1; k < kFieldSide; ++k) {
      if (std::abs(dx) > kOnBorderOf) cuts.push_back(std::clamp((k - a.x) / dx, 0.0, 1.0));
      if (std::abs(dz) > kOnBorderOf) cuts.push_back(std::clamp((k - a.z) / dz, 0.0, 1.0));
    }
    std::ranges::sort(cuts);
    double sum = 0;
    for (std::size_t i = 1; i < cuts.size(); ++i) {
      const double t = (cuts[i - 1] + cuts[i]) / 2;
      const double x = a.x + t * dx;
      const double z = a.z + t * dz;
      double least = NavFilter::kFactorMost;
      for (const double by : {-kOnBorderOf, kOnBorderOf})
        least = std::min({least, factor_at(x + by, z), factor_at(x, z + by)});
      sum += (cuts[i] - cuts[i - 1]) * least;
    }
    return sum * std::hypot(dx, dz);
  }

  MeshSource source_;
  NavFilter filter_;
};

// Inside squares, on their sides, or mostly their corners.
MeshPlace field_end(Random* random, const NavMesh& mesh) {
  const std::uint32_t cell = random->below(mesh.cells_end());
  const NavMesh::Edge& corner = mesh.edges_of(cell)[0];
  const double side = kLatticePerUnit;
  const auto off = [&] { return random->below(3) == 0 ? std::floor(random->unit() * side) : 0.0; };
  return {cell, corner.x + off(), corner.z + off()};
}

TEST(CorridorCost, IsTheIntegralAlongThePath) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  CorridorSearch search;
  for (int round = 0; round < 60 && !HasFailure(); ++round) {
    const FactorField field(&random);
    const NavMesh mesh = *NavMesh::build(field.source());
    for (int query = 0; query < 30; ++query) {
      SCOPED_TRACE("round " + std::to_string(round) + ", query " + std::to_string(query));
      search.begin(mesh, field_end(&random, mesh), field_end(&random, mesh), field.filter());
      std::uint32_t plenty = 1'000'000;
      ASSERT_EQ(search.advance(&plenty), Progress::kPathFound);
      const double expected = field.cost_of(search.path());
      EXPECT_NEAR(search.cost(), expected, kSlackOfLeg * static_cast<double>(search.path().size()));
    }
  }
}

TEST(CorridorCost, OfAFloodTheSame) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 1);
  CorridorSearch search;
  for (int round = 0; round < 60 && !HasFailure(); ++round) {
    const FactorField field(&random);
    const NavMesh mesh = *NavMesh::build(field.source());
    search.begin_within(mesh, field_end(&random, mesh), field.filter(), 20, random.below(2) == 0);
    std::uint32_t plenty = 1'000'000;
    ASSERT_EQ(search.advance(&plenty), Progress::kNoPath);
    for (const CorridorSearch::CellEntry& entry : search.entered()) {
      SCOPED_TRACE("round " + std::to_string(round) + ", cell " + std::to_string(entry.cell));
      const double cost = search.cost_to(entry);
      const double expected = field.cost_of(search.path());
      EXPECT_NEAR(cost, expected, kSlackOfLeg * static_cast<double>(search.path().size()));
    }
  }
}

}  // namespace
}  // namespace repath
