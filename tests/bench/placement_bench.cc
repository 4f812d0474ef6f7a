#include "bench/placement_bench.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/executor.h"
#include "base/hash.h"
#include "base/random.h"
#include "bench/output.h"
#include "bench/samples.h"
#include "bench/scapes.h"
#include "engine/engine.h"
#include "engine/placements.h"

namespace repath::bench {
namespace {

constexpr std::uint32_t kGoals = 4;
constexpr int kPlacementPasses = 5;
constexpr double kUsOfMs = 1000;

// Agents on free ground that go to a few goals, all settled.
void put_agents(Engine* engine, const GridLayer& layer, std::uint32_t agents, Random* random) {
  const auto free_point = [&] {
    for (;;) {
      const auto x =
          static_cast<std::int32_t>(random->below(static_cast<std::uint32_t>(layer.width())));
      const auto y =
          static_cast<std::int32_t>(random->below(static_cast<std::uint32_t>(layer.height())));
      if (layer.is_free(x, y)) return MapPoint{x + 0.5, y + 0.5};
    }
  };
  std::vector<MapPoint> goals;
  for (std::uint32_t i = 0; i < kGoals; ++i) goals.push_back(free_point());
  std::vector<AgentSpec> specs(agents);
  for (std::uint32_t i = 0; i < agents; ++i) {
    specs[i].id = AgentId{i + 1};
    specs[i].position = free_point();
    specs[i].goals = {goals[i % kGoals]};
  }
  REPATH_CHECK(engine->upsert_agents(specs, kNoOwner, 0).ok());
  while (!engine->step(10'000'000, 0).idle) {
  }
}

TestChanges tower_at(std::int32_t x, std::int32_t y, std::int32_t side) {
  TestChanges command;
  ObstacleSpec tower;
  tower.id = ObstacleId{1};
  tower.shape = CellRect{x, y, x + side, y + side};
  command.batch.upsert_obstacles.push_back(tower);
  return command;
}

struct PlacementRow {
  Json row;
  bool agrees = true;
};

PlacementRow measure_placements(const std::string& scape, const PlacementBenchOptions& options,
                                Hasher* hash) {
  InlineExecutor executor;
  const std::unique_ptr<Engine> engine = Engine::create(
      *World::create({"bench", make_scape(scape, options.side, 0.15, options.seed), 1.0, {}}, {}),
      {}, executor);
  Random random(options.seed);
  const GridLayer layer = engine->capture("default", TeamId{})->grid->layer;
  put_agents(engine.get(), layer, options.agents, &random);
  const PlacementQuery query{{0, 0, options.side - 1, options.side - 1},
                             {options.tower, options.tower}};
  double strand_us = 1e18;
  double query_us = 1e18;
  PlacementAnswer answer;
  for (int pass = 0; pass < kPlacementPasses; ++pass) {
    const Stopwatch strand;
    const PlacementGround ground = *engine->capture_placements("default", TeamId{}, query);
    strand_us = std::min(strand_us, strand.us());
    const Stopwatch searching;
    answer = find_placements(ground, query, {});
    query_us = std::min(query_us, searching.us());
  }
  for (const Placement placement : answer.placements)
    hash->add(static_cast<std::uint64_t>(placement));
  PlacementRow result;
  Samples test_us;
  for (std::uint32_t tries = 0; tries < options.tries; ++tries) {
    const std::size_t at = random.below(static_cast<std::uint32_t>(answer.placements.size()));
    if (answer.placements[at] == Placement::kGround) continue;
    const auto x = static_cast<std::int32_t>(at % static_cast<std::size_t>(options.side));
    const auto y = static_cast<std::int32_t>(at / static_cast<std::size_t>(options.side));
    const TestChanges command = tower_at(x, y, options.tower);
    const Stopwatch testing;
    const TestAnswer tested = *engine->test(command);
    test_us.add(testing.us());
    result.agrees = result.agrees &&
                    tested.cut_off_agents.empty() == (answer.placements[at] == Placement::kFree);
  }
  const auto count = [&](Placement of) { return std::ranges::count(answer.placements, of); };
  const auto asked = static_cast<double>(answer.placements.size()) -
                     static_cast<double>(count(Placement::kGround));
  result.row = {{"map", scape},
                {"agents", options.agents},
                {"anchors", answer.placements.size()},
                {"free", count(Placement::kFree)},
                {"ground", count(Placement::kGround)},
                {"agent", count(Placement::kAgent)},
                {"cuts_off", count(Placement::kCutsOff)},
                {"expanded", answer.expanded},
                {"strand_us", strand_us},
                {"query_ms", query_us / kUsOfMs},
                {"test_us_each", test_us.mean()},
                {"test_ms_all", test_us.mean() * asked / kUsOfMs}};
  return result;
}

}  // namespace

int run_placements(const PlacementBenchOptions& options) {
  Json rows = Json::array();
  bool agrees = true;
  Hasher hash;
  for (const std::string& scape : scape_names()) {
    PlacementRow measured = measure_placements(scape, options, &hash);
    agrees = agrees && measured.agrees;
    rows.push_back(std::move(measured.row));
  }
  Json figures;
  figures["results"] = std::move(rows);
  figures["tower"] = options.tower;
  figures["seed"] = options.seed;
  figures["agrees"] = agrees;
  figures["hash"] = hex(hash.value());
  print(std::move(figures), options.json);
  return agrees ? 0 : 1;
}

}  // namespace repath::bench
