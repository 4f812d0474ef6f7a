#include "bench/studies_bench.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/executor.h"
#include "base/random.h"
#include "bench/ground.h"
#include "bench/samples.h"
#include "bench/study_maps.h"
#include "engine/queries.h"
#include "grid/hpa/hpa_map.h"
#include "grid/jps/jump_map.h"
#include "search/classic/dijkstra.h"
#include "search/classic/floyd_warshall.h"

namespace repath::bench {
namespace {

std::string decimal(double value, int digits = 1) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

MapPoint middle_of(const GridLayer& layer, NodeId cell) {
  return {layer.x_of(cell) + 0.5, layer.y_of(cell) + 0.5};
}

struct Asked {
  PathAnswer answer;
  double us = std::numeric_limits<double>::infinity();  // the least of all passes
};

Asked ask(const Snapshot& ground, PathQuery query, NodeId from, NodeId to, int passes) {
  query.from = middle_of(ground.layer, from);
  query.goals = {middle_of(ground.layer, to)};
  Asked asked;
  for (int pass = 0; pass < passes; ++pass) {
    const OnceStopwatch watch;
    asked.answer = find_path(ground, query, QueryLimits{});
    asked.us = std::min(asked.us, watch.us());
  }
  return asked;
}

PathQuery query_by(QueryAlgorithm algorithm, Heuristic heuristic = Heuristic::kAuto) {
  PathQuery query;
  query.algorithm = algorithm;
  query.heuristic = heuristic;
  return query;
}

// Whether the figures rise, or fall, from each to the next.
bool rises(const std::vector<std::uint64_t>& figures) {
  return std::ranges::is_sorted(figures) && figures.front() < figures.back();
}
bool falls(const std::vector<std::uint64_t>& figures) {
  return std::ranges::is_sorted(figures, std::greater<>()) && figures.front() > figures.back();
}

std::string fraction(std::size_t part, std::size_t whole, const std::string& of) {
  return std::to_string(part) + " of " + std::to_string(whole) + " " + of;
}

// The algorithms of the five grids. Manhattan overestimates with 8 neighbours, so it needs a weight
// that says so; the least there is.
struct Contender {
  std::string name;
  PathQuery query;
};
std::vector<Contender> contenders() {
  std::vector<Contender> all{{"dijkstra", query_by(QueryAlgorithm::kDijkstra)}};
  for (const auto& [name, heuristic] : {std::pair("astar_manhattan", Heuristic::kManhattan),
                                        std::pair("astar_chebyshev", Heuristic::kChebyshev),
                                        std::pair("astar_octile", Heuristic::kOctile),
                                        std::pair("astar_euclid", Heuristic::kEuclid)})
    all.push_back({name, query_by(QueryAlgorithm::kAStar, heuristic)});
  all[1].query.weight = 1.0625;
  all.push_back({"hpa_10", query_by(QueryAlgorithm::kHpa)});
  all.push_back({"jps", query_by(QueryAlgorithm::kJps)});
  return all;
}

struct Errand {
  NodeId from{};
  NodeId to{};
  Cost optimum = 0;
};

// Draws pairs from the left quarter to the right one with a path between them.
std::vector<Errand> errands_across(const Snapshot& ground, std::size_t count) {
  Random random(44);
  const GridLayer& layer = ground.layer;
  const auto side = static_cast<std::uint32_t>(layer.width());
  const auto draw = [&](std::uint32_t first_x) {
    for (;;) {
      const NodeId cell = layer.node_at(static_cast<std::int32_t>(first_x + random.below(side / 4)),
                                        static_cast<std::int32_t>(random.below(side)));
      if (layer.is_free(cell)) return cell;
    }
  };
  std::vector<Errand> errands;
  while (errands.size() < count) {
    Errand errand{draw(0), draw(side - side / 4)};
    const Asked plain = ask(ground, query_by(QueryAlgorithm::kDijkstra), errand.from, errand.to, 1);
    if (plain.answer.state != QueryState::kComplete) continue;
    errand.optimum = plain.answer.cost;
    errands.push_back(errand);
  }
  return errands;
}

// The figures of one algorithm on one grid, as means.
struct Means {
  Samples length, excess, nodes, us;
  void add(Cost cost, Cost optimum, std::uint64_t expanded, double us_taken) {
    length.add(cells_from_cost(cost));
    excess.add(100 * (static_cast<double>(cost) / static_cast<double>(optimum) - 1));
    nodes.add(static_cast<double>(expanded));
    us.add(us_taken);
  }
  Json row(const std::string& grid, const std::string& name) const {
    return {{"grid", grid},
            {"algorithm", name},
            {"length", length.mean()},
            {"excess_percent", excess.mean()},
            {"nodes", nodes.mean()},
            {"us", us.mean()}};
  }
};

// One table for all errands, as each query would make its own: every time has its making.
Means all_pairs_on(const Snapshot& ground, const std::vector<Errand>& errands,
                   StudyReport* report) {
  Means means;
  const OnceStopwatch watch;
  FloydWarshall pairs(ground.graph(), *ground.layer.free_cells(ground.layer.node_count()));
  for (Progress progress = Progress::kOutOfBudget; progress == Progress::kOutOfBudget;) {
    std::uint32_t plenty = ~std::uint32_t{0};
    progress = pairs.advance(&plenty);
  }
  const double made_us = watch.us();
  for (const Errand& errand : errands) {
    const Stopwatch reading;
    std::vector<NodeId> path;
    const bool is_found = pairs.append_path(errand.from, errand.to, &path);
    const Cost cost = pairs.cost(errand.from, errand.to);
    means.add(cost, errand.optimum, pairs.expanded(), made_us + reading.us());
    report->result(cost, is_found && cost == errand.optimum);
  }
  return means;
}

// Runs the jobs on all cores of the machine.
class AllCores final : public Executor {
 public:
  void run(std::size_t count, Job job, void* context) override {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < count; i = next++) job(context, i);
    };
    std::vector<std::thread> others;
    for (unsigned i = 1; i < std::thread::hardware_concurrency() && i < count; ++i)
      others.emplace_back(work);
    work();
    for (std::thread& other : others) other.join();
  }
};

double seconds_to_fill(FloydWarshall* pairs, Executor& executor) {
  const Stopwatch watch;
  for (Progress progress = Progress::kOutOfBudget; progress == Progress::kOutOfBudget;) {
    std::uint32_t plenty = ~std::uint32_t{0};
    progress = pairs->advance(&plenty, executor);
  }
  return watch.us() * 1e-6;
}

// Compares the costs from some cells to all with those of Dijkstra's search.
bool is_as_dijkstra(const Snapshot& ground, const std::vector<NodeId>& cells,
                    const FloydWarshall& pairs) {
  const GridGraph graph = ground.graph();
  for (std::size_t i = 0; i < cells.size(); i += cells.size() / 16) {
    Dijkstra plain(graph, std::array{Source{cells[i], 0}});
    std::uint32_t plenty = ~std::uint32_t{0};
    if (plain.advance(&plenty) == Progress::kOutOfBudget) return false;
    for (const NodeId to : cells)
      if (plain.cost(to) != pairs.cost(cells[i], to)) return false;
  }
  return true;
}

}  // namespace

void study_obstacles(const StudiesOptions& options, StudyReport* report) {
  report->begin(
      "obstacles",
      "Squares of 200, 300 and 500 cells a side, 8 neighbours, 9, 13 and 15 obstacles of 8 "
      "kinds at fixed places;\ncorner to corner. Lengths in cells, times in us, memory in "
      "bytes.");
  std::size_t equal = 0, fewer = 0, falling = 0, rising = 0, maps = 0;
  double least_lead = std::numeric_limits<double>::infinity();
  for (const std::int32_t side : {200, 300, 500}) {
    std::vector<std::uint64_t> by_dijkstra, by_a_star;
    for (const int count : {9, 13, 15}) {
      const Snapshot ground = ground_of(scattered_obstacles(side, count));
      const GridLayer& layer = ground.layer;
      const NodeId from = layer.node_at(1, 1);
      const NodeId to = layer.node_at(side - 2, side - 2);
      const Asked plain =
          ask(ground, query_by(QueryAlgorithm::kDijkstra), from, to, options.passes);
      const Asked led = ask(ground, query_by(QueryAlgorithm::kAStar), from, to, options.passes);
      const bool is_equal =
          plain.answer.state == QueryState::kComplete && plain.answer.cost == led.answer.cost;
      report->result(led.answer.cost, is_equal);
      ++maps;
      equal += is_equal ? 1 : 0;
      fewer += 2 * led.answer.expanded <= plain.answer.expanded ? 1 : 0;
      least_lead = std::min(least_lead, static_cast<double>(plain.answer.expanded) /
                                            static_cast<double>(led.answer.expanded));
      by_dijkstra.push_back(plain.answer.expanded);
      by_a_star.push_back(led.answer.expanded);
      const double fill = 100 - 100 * static_cast<double>(layer.free_count()) / layer.node_count();
      report->row({{"side", side},
                   {"obstacles", count},
                   {"fill_percent", fill},
                   {"dijkstra_nodes", plain.answer.expanded},
                   {"astar_nodes", led.answer.expanded},
                   {"dijkstra_length", cells_from_cost(plain.answer.cost)},
                   {"astar_length", cells_from_cost(led.answer.cost)},
                   {"dijkstra_us", plain.us},
                   {"astar_us", led.us},
                   {"dijkstra_bytes", plain.answer.peak_bytes},
                   {"astar_bytes", led.answer.peak_bytes}});
    }
    falling += falls(by_dijkstra) ? 1 : 0;
    rising += rises(by_a_star) ? 1 : 0;
  }
  report->claim("equal lengths", fraction(equal, maps, "maps"), equal == maps);
  report->claim("A* expands far fewer nodes",
                "Dijkstra " + decimal(least_lead) + " times as many, or more", fewer == maps);
  report->claim("Dijkstra's nodes fall with density", fraction(falling, 3, "sizes"), falling == 3);
  report->claim("A*'s nodes rise with density", fraction(rising, 3, "sizes"), rising == 3);
  report->end();
}

void study_grids(const StudiesOptions& options, StudyReport* report) {
  constexpr std::size_t kErrands = 40;
  report->begin(
      "grids",
      "Five grids of 44 x 44, 40 pairs from the left quarter to the right one, means. HPA* "
      "has clusters of 10 x 10 that are known;\nits heuristic is octile, that of the study "
      "Chebyshev. astar_manhattan has a weight of 1.0625.\nTimes of floyd_warshall have the "
      "making of its table; nodes are rows.");
  double trap_lead = 0;
  double least_other = std::numeric_limits<double>::infinity();
  bool are_exact_equal = true;
  double most_excess = 0;
  for (const std::string& name : study_grid_names()) {
    Snapshot ground = ground_of(make_study_grid(name));
    ground.clusters.emplace(ground.layer, ground.topology, ground.corner_rule,
                            HpaShape{.side = 10, .factor = 8, .levels = 1});
    ground.clusters->make_all();
    ground.jumps.emplace(ground.layer, ground.corner_rule);
    const std::vector<Errand> errands = errands_across(ground, kErrands);
    double dijkstra_nodes = 0;
    for (const Contender& contender : contenders()) {
      Means means;
      const bool is_exact = contender.name != "hpa_10" && contender.query.weight == 1;
      for (const Errand& errand : errands) {
        const Asked asked = ask(ground, contender.query, errand.from, errand.to, options.passes);
        const PathAnswer& answer = asked.answer;
        means.add(answer.cost, errand.optimum, answer.expanded, asked.us);
        const bool is_right =
            is_exact ? answer.cost == errand.optimum
                     : answer.cost >= errand.optimum &&
                           static_cast<double>(answer.cost) <=
                               answer.bound * 1.000001 * static_cast<double>(errand.optimum);
        are_exact_equal = are_exact_equal && is_right;
        report->result(answer.cost, is_right);
      }
      if (contender.name == "dijkstra") dijkstra_nodes = means.nodes.mean();
      if (contender.name == "hpa_10") most_excess = std::max(most_excess, means.excess.mean());
      if (contender.name == "astar_octile") {
        const double lead = dijkstra_nodes / means.nodes.mean();
        if (name == "obstacle") {
          trap_lead = lead;
        } else {
          least_other = std::min(least_other, lead);
        }
      }
      report->row(means.row(name, contender.name));
    }
    report->row(all_pairs_on(ground, errands, report).row(name, "floyd_warshall"));
  }
  report->claim("A*'s lead is clearly smaller at the big obstacle",
                decimal(trap_lead) + " times fewer nodes there, elsewhere " + decimal(least_other) +
                    " or more",
                trap_lead < 0.75 * least_other);
  report->claim("exact algorithms find equal lengths", are_exact_equal ? "all" : "not all",
                are_exact_equal);
  report->claim("HPA* is near the optimum", "at most " + decimal(most_excess, 2) + " % longer",
                most_excess < 5);
  report->end();
}

void study_all_pairs(const StudiesOptions& options, StudyReport* report) {
  constexpr double kStudySeconds = 1.2664 * 3600;
  constexpr std::size_t kPathStep = 1000;
  const Snapshot ground = ground_of(forest_with_free_cells(options.pair_cells, 9));
  const std::vector<NodeId> cells = *ground.layer.free_cells(ground.layer.node_count());
  const std::uint64_t paths = std::uint64_t{cells.size()} * (cells.size() - 1) / 2;
  report->begin(
      "all_pairs",
      "Floyd-Warshall over 5,377 free cells took the study 1.2664 h for 14,453,376 paths. "
      "Ours, a forest, " +
          std::to_string(cells.size()) +
          " free cells:\nthe costs of all "
          "pairs, then every thousandth path.");
  AllCores all_cores;
  InlineExecutor one_core;
  double seconds = 0;
  for (Executor* executor :
       {static_cast<Executor*>(&one_core), static_cast<Executor*>(&all_cores)}) {
    FloydWarshall pairs(ground.graph(), cells);
    seconds = seconds_to_fill(&pairs, *executor);
    std::uint64_t read = 0;
    std::vector<NodeId> path;
    const Stopwatch watch;
    for (std::uint64_t i = 0; i < paths; i += kPathStep, ++read) {
      path.clear();
      const NodeId from = cells[i % cells.size()];
      if (pairs.append_path(from, cells[(i / 7) % cells.size()], &path))
        report->result(path.size(), path.front() == from);
    }
    const double us_a_path = watch.us() / static_cast<double>(read);
    report->result(pairs.cost(cells.front(), cells.back()), is_as_dijkstra(ground, cells, pairs));
    report->row({{"cores", executor == &one_core ? 1u : std::thread::hardware_concurrency()},
                 {"cells", cells.size()},
                 {"paths", paths},
                 {"study_seconds", kStudySeconds},
                 {"seconds", seconds},
                 {"times_as_fast", kStudySeconds / seconds},
                 {"us_to_read_a_path", us_a_path},
                 {"bytes", pairs.bytes()}});
  }
  report->claim("1.2664 h for all pairs of 5377 cells",
                decimal(seconds, 2) + " s for " + std::to_string(cells.size()) + " cells",
                seconds < kStudySeconds);
  report->end();
}

CLI::App* add_studies(CLI::App* app, StudiesOptions* options) {
  CLI::App* command = app->add_subcommand(
      "studies", "Run the experiments of published studies again, beside what they claim");
  command->footer("Example:\n  repath-bench studies");
  command
      ->add_option("--pair-cells", options->pair_cells,
                   "Number of free cells of the map for all pairs")
      ->capture_default_str()
      ->check(CLI::Range(100, 16'384));
  command
      ->add_option("--list-side", options->list_side,
                   "Side of the largest map for heap and sorted list, cells")
      ->capture_default_str()
      ->check(CLI::Range(64, 2048));
  command->add_option("--passes", options->passes, "Number of passes; the best time counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  command->add_flag("--json", options->json, "Print one JSON object on one line of stdout");
  return command;
}

int run_studies(const StudiesOptions& options) {
  StudyReport report(options.json);
  study_obstacles(options, &report);
  study_grids(options, &report);
  study_all_pairs(options, &report);
  study_meshes(&report);
  study_lists(options, &report);
  return report.finish();
}

}  // namespace repath::bench
