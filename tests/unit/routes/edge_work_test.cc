// Searches on graphs tell the work of nodes with very many edges.
#include "routes/edge_work.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "routes/graph_world.h"

namespace repath {
namespace {

constexpr std::uint64_t kLeaves = 2'000;
constexpr std::uint32_t kUnitsOfHub = 2 * kLeaves / EdgeWork::kEdgesPerUnit;
constexpr std::array kMethods{RouteMethod::kBest,     RouteMethod::kAStar,   RouteMethod::kDijkstra,
                              RouteMethod::kBfs,      RouteMethod::kFringe,  RouteMethod::kIdaStar,
                              RouteMethod::kSmaStar,  RouteMethod::kLpaStar, RouteMethod::kDStar,
                              RouteMethod::kDStarLite};

// `hubs` nodes in a row, each with the edges to all leaves and back, which lie around the first
// hub. Hubs have the ids from 1 on, leaves those from 100 on.
GraphSource star(std::uint64_t hubs, std::uint64_t leaves) {
  GraphSource source;
  for (std::uint64_t hub = 1; hub <= hubs; ++hub)
    source.nodes.push_back({.id = hub, .x = static_cast<double>(hub)});
  for (std::uint64_t i = 0; i < leaves; ++i) {
    source.nodes.push_back({.id = 100 + i, .x = static_cast<double>(i), .z = 100});
    for (std::uint64_t hub = 1; hub <= hubs; ++hub)
      source.edges.push_back({.from = hub, .to = 100 + i, .cost = 200, .both = true});
  }
  return source;
}

// A graph with one view.
struct Bed {
  explicit Bed(GraphSource source)
      : world(*GraphWorld::create({.name = "g", .graph = std::move(source), .profiles = {}})),
        view(*world->acquire_view("default", TeamId{0})) {}

  const QueryGround& ground() const { return world->ground(view); }
  RoutePlace leaf(std::uint64_t i) const {
    return *ground().locate({static_cast<double>(i), 0, 100});
  }

  std::unique_ptr<GraphWorld> world;
  RouteViewId view;
};

struct SliceRun {
  Progress progress = Progress::kOutOfBudget;
  std::uint64_t expanded = 0;
  std::uint64_t edge_units = 0;
  std::uint64_t slices = 0;
};

// Runs a search to its end in slices. A slice ends once its expansions and units for edges are
// used.
template <class Search, class Advance>
SliceRun run_in_slices(std::uint32_t slice, Search& search, const Advance& advance) {
  SliceRun run;
  while (run.progress == Progress::kOutOfBudget && run.slices < 1'000'000) {
    std::uint32_t left = slice;
    run.progress = advance(&left);
    EXPECT_LE(left, slice);
    std::uint64_t edge_units = 0;
    if constexpr (requires { search.take_edge_units(); }) {
      edge_units = search.take_edge_units();
      EXPECT_TRUE(run.progress != Progress::kOutOfBudget || slice - left + edge_units >= slice);
    }
    run.expanded += slice - left;
    run.edge_units += edge_units;
    ++run.slices;
  }
  return run;
}

template <class Search>
SliceRun run_search(std::uint32_t slice, Search& search) {
  return run_in_slices(slice, search, [&](std::uint32_t* left) { return search.advance(left); });
}

TEST(EdgeWork, IsOneUnitForEachSixteenEdgesOfANode) {
  EdgeWork work;
  work.add(15);
  EXPECT_EQ(work.units(), 0u);
  work.add(16 * 12 + 15);
  EXPECT_EQ(work.units(), 12u);
  EXPECT_EQ(work.take(), 12u);
  EXPECT_EQ(work.take(), 0u);
}

TEST(EdgeWork, EveryMethodTellsTheEdgesOfAHub) {
  const Bed bed(star(1, kLeaves));
  const RoutePlace goal = bed.leaf(1'000);
  for (const RouteMethod method : kMethods) {
    SCOPED_TRACE(static_cast<int>(method));
    const auto whole = bed.ground().search_by({method}, bed.leaf(0), {&goal, 1});
    const SliceRun once = run_search(1'000'000, *whole);
    ASSERT_EQ(once.progress, Progress::kPathFound);
    EXPECT_EQ(once.slices, 1u);
    // Fringe search is also granted the nodes that it passes over.
    if (method != RouteMethod::kFringe) {
      EXPECT_EQ(once.expanded, whole->expanded());
    }
    EXPECT_GE(once.edge_units, kUnitsOfHub / 2);
    const auto sliced = bed.ground().search_by({method}, bed.leaf(0), {&goal, 1});
    const SliceRun many = run_search(10, *sliced);
    ASSERT_EQ(many.progress, Progress::kPathFound);
    EXPECT_EQ(many.expanded, once.expanded);
    EXPECT_EQ(many.edge_units, once.edge_units);
    EXPECT_EQ(sliced->expanded(), whole->expanded());
    EXPECT_EQ(sliced->cost(), whole->cost());
  }
}

TEST(EdgeWork, OfOrdinaryNodesIsTheirExpansion) {
  const Bed bed(star(4, 12));
  const RoutePlace goal = bed.leaf(11);
  for (const RouteMethod method : kMethods) {
    SCOPED_TRACE(static_cast<int>(method));
    const auto search = bed.ground().search_by({method}, bed.leaf(0), {&goal, 1});
    const SliceRun run = run_search(1'000'000, *search);
    ASSERT_EQ(run.progress, Progress::kPathFound);
    EXPECT_EQ(run.edge_units, 0u);
  }
}

TEST(EdgeWork, StopsASliceAfterTheFirstHub) {
  const Bed bed(star(20, kLeaves));
  const RoutePlace goal = bed.leaf(1'000);
  const auto search = bed.ground().search_by({RouteMethod::kDijkstra}, bed.leaf(0), {&goal, 1});
  std::uint32_t left = 64;
  EXPECT_EQ(search->advance(&left), Progress::kOutOfBudget);
  EXPECT_EQ(left, 62u) << "a leaf and a hub";
  EXPECT_EQ(search->expanded(), 2u);
  EXPECT_GE(search->take_edge_units(), kUnitsOfHub / 2);
}

TEST(EdgeWork, CountsTheChangesOfTurns) {
  const Bed bed(star(1, kLeaves));
  const RoutePlace goal = bed.leaf(1'000);
  const SearchWish wish{.method = RouteMethod::kAStar, .turn_penalty = 1};
  const auto search = bed.ground().search_by(wish, bed.leaf(0), {&goal, 1});
  const SliceRun run = run_search(10, *search);
  ASSERT_EQ(run.progress, Progress::kPathFound);
  // The list of all pairs looks at the hub, and the search does.
  EXPECT_GE(run.edge_units, kUnitsOfHub);
}

// Advances a flood by 10 expansions, of which the second is that of the hub. Returns the slices
// that this takes.
template <class Flood>
std::uint64_t slices_to_hub(Flood& flood) {
  std::uint64_t slices = 0;
  while (flood.expanded() < 2) {
    std::uint32_t left = 10;
    EXPECT_EQ(flood.advance(&left), Progress::kOutOfBudget);
    EXPECT_EQ(left, 8u) << "it stops after the hub";
    ++slices;
  }
  return slices;
}

TEST(EdgeWork, EndsTheSlicesOfFloodsAndFlights) {
  const Bed bed(star(1, kLeaves));
  const RoutePlace start = bed.leaf(0);
  const auto reached = bed.ground().flood(start, kUnreachable);
  EXPECT_EQ(slices_to_hub(*reached), 1u);
  const auto reaching = bed.ground().flood_to({&start, 1}, kUnreachable);
  EXPECT_EQ(slices_to_hub(*reaching), 1u);
  const std::vector<Spot> threats{{0, 0, 100}};
  const auto away = bed.ground().away(start, threats, 500);
  const SliceRun run = run_search(10, *away);
  ASSERT_EQ(run.progress, Progress::kPathFound);
  EXPECT_EQ(away->place().at, (Spot{500, 0, 100}));
  EXPECT_EQ(run.expanded, away->expanded());
}

TEST(EdgeWork, OfKeptSearchesIsToldWhenTheyBeginAndWhenTheyTakeInChanges) {
  for (const SearchKind kind : {SearchKind::kLpa, SearchKind::kDStarLite, SearchKind::kField}) {
    SCOPED_TRACE(static_cast<int>(kind));
    const Bed bed(star(1, kLeaves));
    const RoutePlace start = bed.leaf(0);
    const RoutePlace goal = bed.leaf(1'000);
    const auto search = bed.ground().kept_search(kind, start, {&goal, 1});
    const auto advance = [&](std::uint32_t* left) { return search->advance(start, left); };
    const SliceRun first = run_in_slices(10, *search, advance);
    ASSERT_EQ(first.progress, Progress::kPathFound);
    EXPECT_GE(first.edge_units, kUnitsOfHub / 2);
    ChangeBatch batch;
    batch.graph_edits = {PriceGraphEdge{1, 1'100, 300}};
    const auto commit = bed.world->apply(batch);
    ASSERT_TRUE(commit.ok()) << commit.status();
    search->read(bed.ground());
    const bool is_from_start = kind == SearchKind::kLpa;
    search->on_edges_changed(is_from_start ? commit->views[0].heads : commit->views[0].tails);
    const SliceRun repair = run_in_slices(10, *search, advance);
    ASSERT_EQ(repair.progress, Progress::kPathFound);
    // The head of the edge is a leaf, its tail the hub.
    if (!is_from_start) {
      EXPECT_GE(repair.edge_units, kUnitsOfHub / 2);
    }
  }
}

}  // namespace
}  // namespace repath
