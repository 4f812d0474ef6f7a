// repath-quarantine: the effect on the other worlds of a server when a check fails in one of them.
//
// It runs in process (a Registry with its threads, no network): worlds of one map by the server's
// clock, agents that walk their paths, doors that open and shut. In one world a check fails while
// it plans. The program prints the frame times of all other worlds before and after that, in
// microseconds of processor time. Two undisturbed stretches before that show the machine's noise.
// Exit status 1 if the world is not quarantined, another one is, or a change to another one is
// rejected.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "CLI/CLI.hpp"
#include "base/check.h"
#include "base/error.h"
#include "base/random.h"
#include "grid/cells/map_import.h"
#include "nlohmann/json.hpp"
#include "runtime/registry.h"
#include "unit/runtime/planted_world.h"

namespace repath {
namespace {

struct Options {
  std::uint32_t worlds = 100;
  std::uint32_t agents = 40;
  std::uint32_t seconds = 10;  // of each stretch
  std::uint32_t rate_hz = 20;
  std::uint32_t world_threads = 2;
  std::uint64_t seed = 1;
  bool json = false;
};

constexpr std::int32_t kSide = 64;
constexpr std::int32_t kRoom = 16;  // walls around rooms, with a door in the middle of each wall

bool is_wall(std::int32_t x, std::int32_t y) {
  if (x % kRoom != 0 && y % kRoom != 0) return false;
  return x % kRoom != kRoom / 2 && y % kRoom != kRoom / 2;
}

WorldSpec rooms(const std::string& name) {
  std::string text;
  for (std::int32_t y = 0; y < kSide; ++y, text += '\n')
    for (std::int32_t x = 0; x < kSide; ++x) text += is_wall(x, y) ? '#' : '.';
  auto map = import_map(text, MapFormat::kText, default_terrain(), ImportLimits{});
  REPATH_CHECK(map.ok());
  WorldSpec spec;
  spec.name = name;
  spec.map = *std::move(map);
  return spec;
}

// Returns the processor time of this thread, which excludes other programs.
double thread_us() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

// Measures the planning time of its frames.
class TimedWorld final : public test::PlantedWorld {
 public:
  using PlantedWorld::PlantedWorld;

  void begin_frame() override {
    PlantedWorld::begin_frame();
    const std::lock_guard lock(mutex_);
    frames_us_.push_back(0);
  }
  SpentUnits plan(WorkUnits budget, Micros now) override {
    const double begun = thread_us();
    const SpentUnits spent = PlantedWorld::plan(budget, now);
    const double took = thread_us() - begun;
    const std::lock_guard lock(mutex_);
    if (!frames_us_.empty()) frames_us_.back() += took;
    return spent;
  }
  std::vector<double> take_frames() {
    const std::lock_guard lock(mutex_);
    return std::exchange(frames_us_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<double> frames_us_;
};

// The paths that its agents hold.
class Paths final : public EventSink {
 public:
  void on_opened(const SessionOpened&) override {}
  void on_batch(EventBatch batch) override {
    const std::lock_guard lock(mutex_);
    last_batch_ = batch.number;
    for (const OutgoingEvent& e : batch.events)
      if (e.event->path) paths_[e.event->agent] = {e.event->path->nodes, 0};
  }
  void on_rejected(std::uint64_t, absl::Status) override { ++rejected_; }
  void on_unknown(std::uint64_t, std::vector<AgentId>) override { ++rejected_; }
  void on_end(absl::Status status) override {
    const std::lock_guard lock(mutex_);
    end_ = error_reason(status);
  }

  // Returns the agent's next step; empty if it has no path or is at its end.
  std::optional<MapPoint> step(AgentId agent) {
    const std::lock_guard lock(mutex_);
    auto& [nodes, at] = paths_[agent];
    if (at + 1 >= nodes.size()) return std::nullopt;
    const auto cell = static_cast<std::int32_t>(index(nodes[++at]));
    return MapPoint{cell % kSide + 0.5, cell / kSide + 0.5};
  }
  std::uint64_t last_batch() {
    const std::lock_guard lock(mutex_);
    return last_batch_;
  }
  std::string end() {
    const std::lock_guard lock(mutex_);
    return end_;
  }

 private:
  struct Walk {
    std::vector<NodeId> nodes;
    std::size_t at = 0;
  };
  std::mutex mutex_;
  std::map<AgentId, Walk> paths_;
  std::uint64_t last_batch_ = 0;
  std::atomic<int> rejected_{0};
  std::string end_;
};

struct Site {
  std::shared_ptr<WorldHost> host;
  TimedWorld* planted = nullptr;
  std::shared_ptr<Paths> paths = std::make_shared<Paths>();
  StreamId stream{};
  std::uint64_t sequence = 0;
  bool is_shut = false;
};

class Run {
 public:
  explicit Run(const Options& options) : options_(options), random_(options.seed) {
    registry_.wrap_worlds_for_test([this](std::unique_ptr<EngineWorld> real) {
      auto timed = std::make_unique<TimedWorld>(std::move(real), threads_.planners());
      newest_ = timed.get();
      return timed;
    });
    for (std::uint32_t i = 0; i < options.worlds; ++i) add_world("w" + std::to_string(i));
  }

  int run() {
    (void)stretch();  // jump maps, first paths
    const std::vector<double> first = stretch();
    const std::vector<double> before = stretch();
    sites_.front().planted->plant(test::Plant::kPlan);
    const std::vector<double> after = stretch();
    return report(first, before, after);
  }

 private:
  static Limits limits(const Options& options) {
    Limits limits;
    limits.world_threads = options.world_threads;
    return limits;
  }

  void add_world(const std::string& name) {
    NewWorld world;
    world.name = name;
    world.settings = registry_.default_settings();
    world.settings.frame.rate_hz = options_.rate_hz;
    world.make_spec = [name](WorkMeter*) { return absl::StatusOr<AnyWorldSpec>(rooms(name)); };
    std::promise<void> made;
    registry_.create(std::move(world), [&made](absl::StatusOr<WorldInfo> info) {
      REPATH_CHECK(info.ok());
      made.set_value();
    });
    made.get_future().get();
    Site site;
    site.host = *registry_.find(name);
    site.planted = newest_;
    SessionOpen open{"walkers"};
    open.ack_window = 16;
    site.stream = site.host->open_session(open, site.paths);
    sites_.push_back(std::move(site));
    std::vector<AgentSpec> agents;
    for (std::uint64_t id = 1; id <= options_.agents; ++id) agents.push_back(walker(id));
    send(sites_.back(), SessionMessage::Upsert{std::move(agents)});
  }

  MapPoint any_place() {
    for (;;) {
      const auto x = static_cast<std::int32_t>(random_.below(kSide));
      const auto y = static_cast<std::int32_t>(random_.below(kSide));
      if (!is_wall(x, y)) return {x + 0.5, y + 0.5};
    }
  }
  AgentSpec walker(std::uint64_t id) {
    AgentSpec agent;
    agent.id = AgentId{id};
    agent.position = any_place();
    agent.goals = {any_place()};
    return agent;
  }

  static void send(Site& site, decltype(SessionMessage::action) action) {
    site.host->session_message(site.stream, {++site.sequence, std::move(action)}, [] {});
  }

  // Ten times a second all agents take a step, and every fifth world gets a door.
  std::vector<double> stretch() {
    for (Site& site : sites_) (void)site.planted->take_frames();
    auto due = std::chrono::steady_clock::now();
    for (std::uint32_t round = 0; round < options_.seconds * 10; ++round) {
      for (std::size_t i = 0; i < sites_.size(); ++i) {
        walk(sites_[i]);
        if ((round + i) % 5 == 0) toggle(sites_[i]);
      }
      due += std::chrono::milliseconds(100);
      std::this_thread::sleep_until(due);
    }
    std::vector<double> frames;
    for (std::size_t i = 1; i < sites_.size(); ++i) {
      const std::vector<double> own = sites_[i].planted->take_frames();
      frames.insert(frames.end(), own.begin(), own.end());
    }
    std::sort(frames.begin(), frames.end());
    return frames;
  }

  void walk(Site& site) {
    SessionMessage::Report report;
    SessionMessage::Upsert again;
    for (std::uint64_t id = 1; id <= options_.agents; ++id) {
      if (const auto place = site.paths->step(AgentId{id})) {
        report.positions.push_back({AgentId{id}, *place});
      } else {
        again.agents.push_back(walker(id));
      }
    }
    send(site, SessionMessage::Acknowledge{site.paths->last_batch()});
    if (!report.positions.empty()) send(site, std::move(report));
    if (!again.agents.empty()) send(site, std::move(again));
  }

  void toggle(Site& site) {
    ChangeBatch batch;
    if (site.is_shut) {
      batch.remove_obstacles.push_back(ObstacleId{1});
    } else {
      const auto x = static_cast<std::int32_t>(kRoom * (1 + random_.below(kSide / kRoom - 1)));
      const auto y = static_cast<std::int32_t>(kRoom * random_.below(kSide / kRoom) + kRoom / 2);
      batch.upsert_obstacles.push_back(
          {ObstacleId{1}, CellRect{x, y, x + 1, y + 1}, Effect{}, kAllTeams, true});
    }
    site.is_shut = !site.is_shut;
    const bool is_first = &site == &sites_.front();
    site.host->apply({{std::move(batch), "", std::nullopt}, Durability::kApplied, 0},
                     [this, is_first](absl::StatusOr<ChangeAnswer> answer) {
                       if (!is_first && !answer.ok()) ++refused_;
                     });
  }

  static double quantile(const std::vector<double>& sorted, double q) {
    if (sorted.empty()) return 0;
    return sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1))];
  }

  int report(const std::vector<double>& first, const std::vector<double>& before,
             const std::vector<double>& after) {
    std::uint32_t quarantined = 0;
    std::uint32_t ended = 0;
    for (Site& site : sites_) {
      quarantined += site.host->quarantine_reason().empty() ? 0 : 1;
      ended += site.paths->end().empty() ? 0 : 1;
    }
    const bool is_right = !sites_.front().host->quarantine_reason().empty() && quarantined == 1 &&
                          ended == 1 && refused_ == 0;
    nlohmann::json out{{"worlds", options_.worlds},
                       {"quarantined", quarantined},
                       {"reason", sites_.front().host->quarantine_reason()},
                       {"refused", refused_.load()},
                       {"noise_p99_ratio", quantile(before, 0.99) / quantile(first, 0.99)},
                       {"p99_ratio", quantile(after, 0.99) / quantile(before, 0.99)}};
    for (const auto& [name, frames] :
         {std::pair{"earlier", &first}, {"before", &before}, {"after", &after}})
      out["frame_us"][name] = {{"frames", frames->size()},
                               {"p50", quantile(*frames, 0.5)},
                               {"p99", quantile(*frames, 0.99)}};
    std::cout << (options_.json ? out.dump() : out.dump(2)) << "\n";
    return is_right ? 0 : 1;
  }

  const Options options_;
  Random random_;
  Threads threads_{limits(options_)};
  Registry registry_{limits(options_), threads_};
  TimedWorld* newest_ = nullptr;
  std::vector<Site> sites_;
  std::atomic<int> refused_{0};
};

}  // namespace
}  // namespace repath

int main(int argc, char** argv) {
  CLI::App app("What other worlds notice when a check fails in one of them.", "repath-quarantine");
  repath::Options options;
  app.add_option("--worlds", options.worlds, "Number of worlds (default 100)")
      ->check(CLI::Range(2, 1000));
  app.add_option("--agents", options.agents, "Number of agents in each world (default 40)");
  app.add_option("--seconds", options.seconds, "Length of each stretch, seconds (default 10)");
  app.add_option("--rate-hz", options.rate_hz, "Frames per second of each world (default 20)");
  app.add_option("--world-threads", options.world_threads,
                 "Number of threads for the worlds (default 2)");
  app.add_option("--seed", options.seed, "Seed of places and doors (default 1)");
  app.add_flag("--json", options.json, "Print one JSON object on one line");
  CLI11_PARSE(app, argc, argv);
  spdlog::set_default_logger(spdlog::stderr_logger_mt("repath-quarantine"));
  return repath::Run(options).run();
}
