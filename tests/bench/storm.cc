// repath-storm: doors that open and shut faster than the frame's budget can answer. It asks whether
// the budget holds, INVALIDATED leaves at once, and the backlog is served fairly, and how much
// settling costs after the storm.
//
// It runs in process (an Engine, no network), in work units, so the figures are the same on every
// machine. Prints a table, or one JSON object with --json; exit status 1 if a bound is missed.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/check.h"
#include "base/executor.h"
#include "base/random.h"
#include "engine/engine.h"
#include "engine/queries.h"
#include "grid/cells/map_import.h"
#include "nlohmann/json.hpp"
#include "world/world.h"

namespace repath {
namespace {

struct Options {
  std::string map;
  std::uint32_t agents = 2000;
  std::uint32_t changes_per_second = 200;
  std::uint32_t seconds = 30;
  std::uint32_t frames_per_second = 60;
  WorkUnits budget = 20'000;
  std::uint64_t seed = 1;
  bool json = false;
};

// Returns the size of a slice, as server/docs/promise.md, "Budget", defines it.
WorkUnits slice_of(WorkUnits budget) { return std::max<WorkUnits>(64, budget / 20); }

struct Tally {
  std::uint64_t frames = 0;
  std::uint64_t frames_over = 0;  // by more than a slice
  WorkUnits used = 0;
};

class Storm {
 public:
  explicit Storm(const Options& options) : options_(options), random_(options.seed) {
    std::ifstream file(options.map, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    absl::StatusOr<GridMap> map =
        import_map(text, MapFormat::kAuto, default_terrain(), ImportLimits{});
    if (!map.ok()) fail(map.status());
    WorldSpec spec;
    spec.name = "storm";
    spec.map = *std::move(map);
    absl::StatusOr<std::unique_ptr<World>> world = World::create(std::move(spec), WorldLimits{});
    if (!world.ok()) fail(world.status());
    engine_ = Engine::create(*std::move(world), EngineOptions{}, executor_);
  }

  int run() {
    find_cells();
    add_agents();
    const Tally first = settle();
    const Tally storm = rage();
    const Tally after = settle();
    return report(first, storm, after);
  }

 private:
  struct Cell {
    std::int32_t x;
    std::int32_t y;
  };

  [[noreturn]] static void fail(const absl::Status& status) {
    std::cerr << status.ToString() << "\n";
    std::exit(3);
  }

  // Finds the free cells, and among them the doorways: walls on two opposite sides, free ground on
  // the others.
  void find_cells() {
    const GridLayer layer = layer_now().layer;
    for (std::int32_t y = 0; y < layer.height(); ++y)
      for (std::int32_t x = 0; x < layer.width(); ++x) {
        if (!layer.is_free(x, y)) continue;
        free_.push_back({x, y});
        const bool west_east = layer.is_free(x - 1, y) && layer.is_free(x + 1, y);
        const bool north_south = layer.is_free(x, y - 1) && layer.is_free(x, y + 1);
        const bool walled_west_east = !layer.is_free(x - 1, y) && !layer.is_free(x + 1, y);
        const bool walled_north_south = !layer.is_free(x, y - 1) && !layer.is_free(x, y + 1);
        if ((west_east && walled_north_south) || (north_south && walled_west_east))
          doors_.push_back({x, y});
      }
    shut_.resize(doors_.size());
    if (free_.empty() || doors_.empty()) {
      std::cerr << "the map has no doorway of one cell\n";
      std::exit(2);
    }
  }

  void add_agents() {
    for (std::uint32_t i = 0; i < options_.agents; ++i) {
      AgentSpec agent;
      agent.id = AgentId{i + 1};
      agent.position = middle(any(free_));
      agent.goals = {middle(any(free_))};
      agents_.push_back(agent);
    }
    const absl::Status status = engine_->upsert_agents(agents_, kNoOwner, now_);
    if (!status.ok()) fail(status);
  }

  Tally settle() {
    Tally tally;
    for (bool idle = false; !idle;) {
      const StepReport report = frame(&tally);
      idle = report.backlog == 0;
      count_events();
      REPATH_CHECK(tally.frames < 10'000'000);
    }
    return tally;
  }

  Tally rage() {
    Tally tally;
    std::uint64_t due = 0;
    const std::uint64_t frames = std::uint64_t{options_.seconds} * options_.frames_per_second;
    for (std::uint64_t f = 0; f < frames; ++f) {
      for (due += options_.changes_per_second; due >= options_.frames_per_second;
           due -= options_.frames_per_second)
        toggle_a_door();
      const StepReport report = frame(&tally);
      count_events();
      longest_backlog_ = std::max(longest_backlog_, report.backlog);
    }
    return tally;
  }

  // INVALIDATED must be among the events of the same commit.
  void toggle_a_door() {
    const std::size_t door = random_.below(static_cast<std::uint32_t>(doors_.size()));
    ChangeBatch batch;
    if (shut_[door]) {
      batch.remove_obstacles.push_back(ObstacleId{door});
    } else {
      ObstacleSpec obstacle;
      obstacle.id = ObstacleId{door};
      obstacle.shape =
          CellRect{doors_[door].x, doors_[door].y, doors_[door].x + 1, doors_[door].y + 1};
      batch.upsert_obstacles.push_back(obstacle);
    }
    shut_[door] = !shut_[door];
    const absl::StatusOr<ChangeAnswer> answer = engine_->apply({batch, "", {}}, now_);
    if (!answer.ok()) fail(answer.status());
    ++changes_;
    std::uint64_t at_once = 0;
    for (const AgentEvent& event : engine_->take_events())
      at_once += event.type == EventType::kInvalidated && event.revision == answer->revision;
    invalidated_ += at_once;
    invalidated_late_ += answer->invalidated_agents - at_once;
  }

  StepReport frame(Tally* tally) {
    now_ += 1'000'000 / options_.frames_per_second;
    const StepReport report = engine_->step(options_.budget, now_);
    ++tally->frames;
    tally->used += report.used;
    tally->frames_over += report.used > options_.budget + slice_of(options_.budget);
    return report;
  }

  void count_events() { verdicts_ += engine_->take_events().size(); }

  // Returns the mean expansions of A* on the world as it is now, over all agents.
  double mean_fresh_expansions() {
    const Snapshot snapshot = layer_now();
    double sum = 0;
    for (const AgentSpec& agent : agents_) {
      PathQuery query;
      query.from = agent.position;
      query.goals = agent.goals;
      query.algorithm = QueryAlgorithm::kAStar;
      sum += static_cast<double>(find_path(snapshot, query, QueryLimits{}).expanded);
    }
    return sum / static_cast<double>(agents_.size());
  }

  int report(const Tally& first, const Tally& storm, const Tally& after) {
    const Stats stats = engine_->stats();
    const double fresh = mean_fresh_expansions();
    const double share =
        static_cast<double>(after.used) / static_cast<double>(options_.budget * after.frames);
    const double cost =
        static_cast<double>(after.used) / (fresh * static_cast<double>(agents_.size()));
    const std::uint64_t over = first.frames_over + storm.frames_over + after.frames_over;
    const bool good = over == 0 && invalidated_late_ == 0 && stats.max_passed_over < 3 &&
                      (after.frames < 4 || share >= 0.67) && cost <= 1.2;
    const nlohmann::ordered_json figures = {
        {"agents", agents_.size()},
        {"changes", changes_},
        {"budget", options_.budget},
        {"frames", first.frames + storm.frames + after.frames},
        {"frames_over_budget", over},
        {"invalidated", invalidated_},
        {"invalidated_late", invalidated_late_},
        {"verdicts", verdicts_ + invalidated_},
        {"longest_wait_frames", stats.longest_wait_frames},
        {"max_passed_over", stats.max_passed_over},
        {"largest_backlog", longest_backlog_},
        {"first_settle_frames", first.frames},
        {"first_settle_units", first.used},
        {"storm_units", storm.used},
        {"settle_frames", after.frames},
        {"settle_units", after.used},
        {"settle_budget_share", share},
        {"mean_fresh_expansions", fresh},
        {"settle_units_per_fresh", cost},
        {"good", good},
    };
    if (options_.json) {
      std::cout << figures.dump() << "\n";
    } else {
      for (const auto& [key, value] : figures.items())
        std::cout << key << std::string(26 - key.size(), ' ') << value << "\n";
    }
    return good ? 0 : 1;
  }

  Snapshot layer_now() {
    const absl::StatusOr<AnySnapshot> snapshot = engine_->capture("default", TeamId{});
    if (!snapshot.ok()) fail(snapshot.status());
    return *snapshot->grid;
  }
  Cell any(const std::vector<Cell>& cells) {
    return cells[random_.below(static_cast<std::uint32_t>(cells.size()))];
  }
  static MapPoint middle(Cell c) { return {c.x + 0.5, c.y + 0.5}; }

  const Options options_;
  Random random_;
  InlineExecutor executor_;
  std::unique_ptr<Engine> engine_;
  std::vector<Cell> free_;
  std::vector<Cell> doors_;
  std::vector<bool> shut_;
  std::vector<AgentSpec> agents_;
  Micros now_ = 0;
  std::uint64_t changes_ = 0;
  std::uint64_t invalidated_ = 0;
  std::uint64_t invalidated_late_ = 0;
  std::uint64_t verdicts_ = 0;
  std::uint64_t longest_backlog_ = 0;
};

}  // namespace
}  // namespace repath

int main(int argc, char** argv) {
  repath::Options options;
  CLI::App app{
      "Door changes faster than the budget can answer.\nExample: repath-storm --map "
      "32room_000.map"};
  app.add_option("--map", options.map, "Map file of a grid with doorways of one cell")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_option("--agents", options.agents, "Number of agents")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000));
  app.add_option("--changes", options.changes_per_second, "Door changes per second")
      ->capture_default_str()
      ->check(CLI::Range(1, 10'000));
  app.add_option("--seconds", options.seconds, "Length of the storm, seconds")
      ->capture_default_str()
      ->check(CLI::Range(1, 600));
  app.add_option("--frames", options.frames_per_second, "Frames per second")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000));
  app.add_option("--budget", options.budget, "Budget of a frame, work units")
      ->capture_default_str()
      ->check(CLI::Range(64, 100'000'000));
  app.add_option("--seed", options.seed, "Seed of places and doors")->capture_default_str();
  app.add_flag("--json", options.json, "Print one JSON object on one line");
  CLI11_PARSE(app, argc, argv);
  return repath::Storm(options).run();
}
