#include "bench/first_leg_bench.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "base/check.h"
#include "base/executor.h"
#include "base/hash.h"
#include "base/random.h"
#include "bench/output.h"
#include "bench/samples.h"
#include "bench/scapes.h"
#include "grid_ground/replanner.h"

namespace repath::bench {
namespace {

constexpr std::int32_t kLegRoom = 32;
constexpr std::int32_t kLegDoor = 8;
constexpr std::int32_t kLegPatch = 24;  // side of a patch of ground with one cost, in cells
constexpr std::uint64_t kNoLegs = ~std::uint64_t{0};

// Makes rooms. "rough": half of the ground, in patches, costs 1.5 to 8 times as much. "rooms4": for
// agents that take four directions.
std::unique_ptr<World> make_leg_ground(const std::string& ground, std::int32_t side,
                                       std::uint64_t seed) {
  GridMap map = make_rooms(side, kLegRoom, kLegDoor, seed);
  Profile profile;
  if (ground == "rooms4") {
    profile.topology = Topology::k4;
  } else {
    Random random(seed);
    const std::int32_t across = (side + kLegPatch - 1) / kLegPatch;
    std::vector<TerrainId> patches;
    for (std::int32_t i = 0; i < across * across; ++i)
      patches.push_back(
          TerrainId{static_cast<std::uint8_t>(random.below(2) == 0 ? 0 : 6 + random.below(9))});
    for (std::int32_t y = 0; y < side; ++y)
      for (std::int32_t x = 0; x < side; ++x)
        if (TerrainId& cell = map.cells[static_cast<std::size_t>(y * side + x)];
            cell == TerrainId{0})
          cell = patches[static_cast<std::size_t>(y / kLegPatch * across + x / kLegPatch)];
  }
  auto world = World::create({.name = "bench", .map = std::move(map), .profiles = {profile}}, {});
  REPATH_CHECK(world.ok());
  return *std::move(world);
}

// The events that one agent was sent.
struct Told {
  std::uint64_t frames = 0;
  double us = 0;
  Cost cost = 0;
  double weight = 1;
};

// A world that agents join.
class LegWorld {
 public:
  LegWorld(const std::string& ground, std::int32_t side, bool has_legs,
           const FirstLegOptions& options)
      : options_(options),
        side_(side),
        random_(options.seed),
        world_(make_leg_ground(ground, side, options.seed)),
        replanner_(*world_,
                   {.first_leg_cells = has_legs ? ReplanOptions{}.first_leg_cells : kNoLegs},
                   executor_) {}

  MapPoint free_point(std::int32_t x, std::int32_t y, std::int32_t within) {
    const absl::StatusOr<ViewId> view = world_->acquire_view("default", TeamId{});
    for (;;) {
      const auto any = [&] {
        return static_cast<std::int32_t>(random_.below(static_cast<std::uint32_t>(within)));
      };
      const std::int32_t cx = x + any();
      const std::int32_t cy = y + any();
      if (world_->layer(*view).is_free(cx, cy)) return {cx + 0.5, cy + 0.5};
    }
  }
  AgentSpec from_corner_to_corner() {
    AgentSpec spec;
    spec.position = free_point(0, 0, kLegRoom);
    spec.goals = {free_point(side_ - kLegRoom, side_ - kLegRoom, kLegRoom)};
    return spec;
  }
  // Returns an agent that goes from the left half to the right half.
  AgentSpec from_side_to_side() {
    AgentSpec spec;
    spec.position = free_point(0, 0, side_ / 3);
    spec.goals = {free_point(side_ * 2 / 3, 0, side_ / 3)};
    return spec;
  }

  // Lets all agents join in one frame, and runs until all are settled.
  void join(std::vector<AgentSpec> agents) {
    worst_us_ = 0;
    first_.clear();
    settled_.clear();
    for (AgentSpec& agent : agents) agent.id = AgentId{++last_id_};
    REPATH_CHECK(replanner_.upsert(agents, kNoOwner, now_).ok());
    Told here;
    while (replanner_.waiting().size() > 0) {
      const CpuStopwatch watch;
      replanner_.step(options_.budget, now_ += 16'667);
      const double us = watch.us();
      here.us += us;
      worst_us_ = std::max(worst_us_, us);
      ++here.frames;
      for (const AgentEvent& event : replanner_.take_events()) {
        if (!event.path) continue;
        Told told = here;
        told.cost = event.path->cost;
        told.weight = event.path->weight;
        first_.try_emplace(event.agent, told);
      }
      for (const AgentSpec& agent : agents) {
        if (replanner_.settled_revision_of(agent.id) != world_->revision()) continue;
        here.cost = replanner_.view(agent.id, false)->held_cost;
        settled_.try_emplace(agent.id, here);
      }
    }
  }

  const std::map<AgentId, Told>& first() const { return first_; }
  const std::map<AgentId, Told>& settled() const { return settled_; }
  double worst_frame_ms() const { return worst_us_ / 1000; }
  Stats stats() const { return replanner_.stats(); }

 private:
  const FirstLegOptions& options_;
  std::int32_t side_;
  Random random_;
  std::unique_ptr<World> world_;
  InlineExecutor executor_;
  Replanner replanner_;
  Micros now_ = 0;
  std::uint64_t last_id_ = 0;
  double worst_us_ = 0;  // longest frame since the last join
  std::map<AgentId, Told> first_;
  std::map<AgentId, Told> settled_;
};

struct Figures {
  Json rows = Json::array();
  std::uint64_t mismatches = 0;
  Hasher hash;
};

// Adds a row with the events that the agents of the last join were sent.
void add_row(const std::string& ground, std::int32_t side, const std::string& batch, bool has_legs,
             const LegWorld& world, Figures* figures) {
  Samples first_frames, first_ms, exact_frames, exact_ms, excess, bound;
  for (const auto& [id, told] : world.first()) {
    const Told& exact = world.settled().at(id);
    first_frames.add(static_cast<double>(told.frames));
    first_ms.add(told.us / 1000);
    exact_frames.add(static_cast<double>(exact.frames));
    exact_ms.add(exact.us / 1000);
    excess.add(100 * (static_cast<double>(told.cost) / static_cast<double>(exact.cost) - 1));
    bound.add(told.weight);
    figures->mismatches +=
        told.weight * static_cast<double>(exact.cost) < static_cast<double>(told.cost) * 0.999999;
    figures->hash.add(exact.cost).add(told.cost).add(told.frames).add(exact.frames);
  }
  figures->rows.push_back({{"side", side},
                           {"ground", ground},
                           {"batch", batch},
                           {"legs", has_legs},
                           {"n", first_frames.size()},
                           {"first_frames", first_frames.quantile(0.5)},
                           {"first_ms", first_ms.quantile(0.5)},
                           {"exact_frames", exact_frames.quantile(0.5)},
                           {"exact_ms", exact_ms.quantile(0.5)},
                           {"last_exact_frames", exact_frames.quantile(1)},
                           {"worst_frame_ms", world.worst_frame_ms()},
                           {"excess_percent", excess.mean()},
                           {"bound", bound.mean()},
                           {"told_legs", world.stats().first_legs},
                           {"leg_units", world.stats().leg_work_units},
                           {"units", world.stats().work_units}});
}

void measure(const std::string& ground, std::int32_t side, const FirstLegOptions& options,
             Figures* figures) {
  std::map<std::string, std::vector<Cost>> costs;
  for (const bool has_legs : {false, true}) {
    LegWorld world(ground, side, has_legs, options);
    for (const char* batch : {"first", "next", "later"}) {
      std::vector<AgentSpec> agents;
      if (batch == std::string("first"))
        agents.push_back(world.from_corner_to_corner());
      else
        for (std::uint32_t i = 0; i < options.agents; ++i)
          agents.push_back(world.from_side_to_side());
      world.join(std::move(agents));
      add_row(ground, side, batch, has_legs, world, figures);
      std::vector<Cost> now;
      for (const auto& [id, told] : world.settled()) now.push_back(told.cost);
      if (has_legs) figures->mismatches += now != costs[batch];
      costs[batch] = std::move(now);
    }
  }
}

}  // namespace

int run_first_legs(const FirstLegOptions& options) {
  Figures figures;
  for (const std::string& ground : options.grounds)
    for (const std::int32_t side : options.sides) measure(ground, side, options, &figures);
  Json json;
  json["results"] = std::move(figures.rows);
  json["mismatches"] = figures.mismatches;
  json["seed"] = options.seed;
  json["hash"] = hex(figures.hash.value());
  print(std::move(json), options.json);
  return figures.mismatches == 0 ? 0 : 1;
}

}  // namespace repath::bench
