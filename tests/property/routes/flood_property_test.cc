// All pieces within a cost, against searches to each of them and to many other places.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "routes/query_ground.h"
#include "support/query_ground.h"
#include "support/reach.h"
#include "support/route_kinds.h"
#include "support/seed.h"

namespace repath {
namespace {

constexpr Cost kApart = 4 * kRouteCostSlack;
constexpr Cost kAnywhere = static_cast<Cost>(1e6 * kRouteCostUnit);

struct Flooded {
  std::vector<ReachedPiece> pieces;
  bool is_exact = false;
  const ReachedPiece* find(std::uint32_t cell) const {
    for (const ReachedPiece& piece : pieces)
      if (piece.cell == cell) return &piece;
    return nullptr;
  }
};

Flooded flood(const QueryGround& ground, const RoutePlace& from, Cost most) {
  const auto search = ground.flood(from, most);
  Progress progress = Progress::kOutOfBudget;
  for (int i = 0; i < 1'000'000 && progress == Progress::kOutOfBudget; ++i) {
    std::uint32_t expansions = 5;
    progress = search->advance(&expansions);
  }
  EXPECT_EQ(progress, Progress::kNoPath);
  Flooded found;
  search->append_pieces(&found.pieces);
  found.is_exact = search->is_exact();
  return found;
}

struct Way {
  Cost cost = kUnreachable;
  Cost least = kUnreachable;
};

Way way_to(const QueryGround& ground, const RoutePlace& from, const RoutePlace& to) {
  const auto search = ground.search(from, {&to, 1});
  std::uint32_t expansions = 1'000'000;
  const Progress progress = search->advance(&expansions);
  EXPECT_NE(progress, Progress::kOutOfBudget);
  if (progress != Progress::kPathFound) return {};
  return {search->cost(), search->lower_bound()};
}

void expect_in_order(const Flooded& found, Cost most) {
  for (std::uint32_t i = 0; i < found.pieces.size(); ++i) {
    const ReachedPiece& piece = found.pieces[i];
    ASSERT_LE(piece.cost, most);
    ASSERT_LE(piece.before, i);
    ASSERT_GE(piece.cost, found.pieces[piece.before].cost);
    ASSERT_EQ(found.find(piece.cell), &piece) << "twice";
    if (i > 0) {
      ASSERT_GE(piece.cost, found.pieces[i - 1].cost);
    }
  }
}

void expect_exact(const QueryGround& ground, const RoutePlace& from, Cost most,
                  const Flooded& found) {
  for (const ReachedPiece& piece : found.pieces) {
    const Way way = way_to(ground, from, {piece.at, piece.cell});
    ASSERT_LE(std::max(way.cost, piece.cost) - std::min(way.cost, piece.cost), kApart);
  }
  if (!ground.is_continuous()) return;
  for (const ReachedPiece& piece : found.pieces) {  // and no other point of the piece is nearer
    std::vector<GroundCell> cells;
    ground.view()->append_cells(piece.cell, 1, &cells);
    ASSERT_EQ(cells.size(), 1u);
    for (std::size_t k = 0; k < cells[0].corners.size(); ++k) {
      const Spot& a = cells[0].corners[k];
      const Spot& b = cells[0].corners[(k + 1) % cells[0].corners.size()];
      const Spot middle{(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2};
      const auto place = ground.stand(middle, 1e-3, 1);
      if (!place || place->cell != piece.cell) continue;
      ASSERT_GE(way_to(ground, from, *place).cost + kApart, piece.cost);
    }
  }
  ASSERT_LE(found.pieces.empty() ? 0 : found.pieces.front().cost, most);
}

// Random places: a place whose piece is missing is farther away or cannot be reached.
void expect_complete(test::RouteKind* kind, Random* random, const QueryGround& ground,
                     const RoutePlace& from, Cost most, const Flooded& found, int* beyond) {
  for (int i = 0; i < 20; ++i) {
    const MapPoint p = kind->point(random);
    const auto place = ground.locate({p.x, p.height, p.y});
    if (!place) continue;
    const Way way = way_to(ground, from, *place);
    const ReachedPiece* piece = found.find(place->cell);
    if (piece != nullptr) {
      ASSERT_NE(way.cost, kUnreachable);
      ASSERT_LE(piece->cost, way.cost + kApart);
      continue;
    }
    ++*beyond;
    ASSERT_GT(saturating_add(way.cost, kApart), most);
  }
}

void run_exact(test::RouteKind* kind, std::uint64_t seed, std::size_t* reached, int* beyond) {
  Random random(seed);
  const auto world = kind->make(&random);
  const RouteViewId view = *world->acquire_view("default", TeamId{1});
  for (int step = 0; step < 12; ++step) {
    ASSERT_TRUE(world->apply(kind->batch(&random)).ok());
    const QueryGround& ground = test::query_ground(*world, view);
    for (int i = 0; i < 4; ++i) {
      const MapPoint p = kind->point(&random);
      const auto from = ground.locate({p.x, p.height, p.y});
      if (!from) continue;
      const Cost most = i == 0 ? kAnywhere : static_cast<Cost>(random.unit() * 20 * kRouteCostUnit);
      const Flooded found = flood(ground, *from, most);
      ASSERT_TRUE(found.is_exact);
      expect_in_order(found, most);
      expect_exact(ground, *from, most, found);
      expect_complete(kind, &random, ground, *from, most, found, beyond);
      *reached += found.pieces.size();
    }
  }
}

template <class MakeKind>
void run_worlds(int worlds, MakeKind&& make_kind) {
  std::size_t reached = 0;
  int beyond = 0;
  for (int i = 0; i < worlds && !::testing::Test::HasFailure(); ++i) {
    const std::uint64_t seed = test::seed() + static_cast<std::uint64_t>(i);
    SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(seed));
    auto kind = make_kind();
    run_exact(&kind, seed, &reached, &beyond);
  }
  EXPECT_GT(reached, static_cast<std::size_t>(worlds) * 100);
  EXPECT_GT(beyond, worlds);
}

TEST(Flood, IsExactOnEvenGround) {
  run_worlds(25, [] { return test::NavKind(); });
}

TEST(Flood, IsExactOnGraphs) {
  run_worlds(15, [] { return test::GraphKind(); });
}

TEST(Flood, ElsewhereTellsWaysThatThereAre) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  double excess = 0;
  std::size_t counted = 0;
  for (int round = 0; round < 40; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const auto world = test::uneven_world(&random, round % 2 == 0);
    const RouteViewId view = *world->acquire_view("default", TeamId{0});
    const QueryGround& ground = test::query_ground(*world, view);
    const auto from = ground.random_place({}, HUGE_VAL, &random);
    if (!from) continue;
    const Flooded found = flood(ground, *from, kAnywhere);
    ASSERT_FALSE(found.is_exact);
    expect_in_order(found, kAnywhere);
    const auto reach = test::reach_table(ground);
    for (std::uint32_t cell = 0; cell < world->mesh(view).mesh().cells_end(); ++cell) {
      const ReachedPiece* piece = found.find(cell);
      if (piece == nullptr) continue;
      ASSERT_TRUE(test::leads(reach.get(), *from, {piece->at, cell}));
      const Way way = way_to(ground, *from, {piece->at, cell});
      ASSERT_GE(piece->cost + kApart, way.least);
      if (way.cost < static_cast<Cost>(kRouteCostUnit)) continue;
      excess += static_cast<double>(piece->cost) / static_cast<double>(way.cost) - 1;
      ++counted;
    }
    for (int i = 0; i < 30; ++i) {
      const auto to = ground.random_place({}, HUGE_VAL, &random);
      if (!to || !test::leads(reach.get(), *from, *to)) continue;
      ASSERT_NE(found.find(to->cell), nullptr);
    }
  }
  ASSERT_GT(counted, 1000u);
  EXPECT_LT(excess / static_cast<double>(counted), 0.1);
}

}  // namespace
}  // namespace repath
