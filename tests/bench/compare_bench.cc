#include "bench/compare_bench.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "base/random.h"
#include "bench/ground.h"
#include "bench/kernels.h"
#include "bench/output.h"
#include "bench/samples.h"
#include "bench/scapes.h"
#include "search/classic/dijkstra.h"

namespace repath::bench {
namespace {

struct Errand {
  NodeId from{};
  NodeId to{};
  Cost optimum = kUnreachable;
};

// The results of one algorithm on one map. Refused searches count in no other figure.
struct Tally {
  Samples us, lengths, excess, expanded;
  std::size_t peak_bytes = 0;
  std::uint64_t refused = 0;
  std::string why;
  std::uint64_t mismatches = 0;
};

// Returns the least cost by the plainest search.
Cost optimum(const GridGraph& graph, NodeId from, NodeId to) {
  Dijkstra plain(graph, std::array{Source{from, 0}}, GoalSet{to});
  std::uint32_t plenty = ~std::uint32_t{0};
  return plain.advance(&plenty) == Progress::kPathFound ? plain.path_cost() : kUnreachable;
}

// Draws pairs from the left quarter to the right one with a path between them.
std::vector<Errand> errands_on(const GridGraph& graph, std::uint32_t count, Random* random) {
  const GridLayer& layer = graph.layer();
  const auto width = static_cast<std::uint32_t>(layer.width());
  const auto height = static_cast<std::uint32_t>(layer.height());
  const auto free_cell = [&](std::uint32_t x0) {
    for (;;) {
      const auto x = static_cast<std::int32_t>(x0 + random->below(width / 4));
      const auto y = static_cast<std::int32_t>(random->below(height));
      if (layer.is_free(x, y)) return layer.node_at(x, y);
    }
  };
  std::vector<Errand> errands;
  for (std::uint32_t tries = 0; errands.size() < count && tries < 20 * count; ++tries) {
    Errand errand{free_cell(0), free_cell(width - width / 4)};
    errand.optimum = optimum(graph, errand.from, errand.to);
    if (errand.optimum != kUnreachable) errands.push_back(errand);
  }
  return errands;
}

// Checks the kernel's own promise: the optimum, its bound, or (bfs) any valid path.
bool keeps_promise(const GridGraph& graph, const Errand& errand, const Found& found,
                   bool by_steps) {
  Cost sum = 0;
  for (std::size_t i = 0; i + 1 < found.path.size(); ++i)
    sum = saturating_add(sum, graph.cost_between(found.path[i], found.path[i + 1]));
  if (found.path.empty() || found.path.front() != errand.from || found.path.back() != errand.to ||
      sum != found.cost || sum < errand.optimum)
    return false;
  if (found.lower_bound) return *found.lower_bound <= errand.optimum;
  return by_steps || sum == errand.optimum;
}

double blocked_share(const GridLayer& layer) {
  return 1 - static_cast<double>(layer.free_count()) / layer.node_count();
}

class Compare {
 public:
  explicit Compare(const CompareOptions& options) : options_(options) {}

  // Measures on a generated map.
  void measure(const std::string& name, std::int32_t side, double density) {
    const Snapshot ground = ground_of(make_scape(name, side, density, options_.seed));
    Random random(options_.seed);
    measure(ground, errands_on(ground.graph(), options_.queries, &random),
            name + "_" + std::to_string(side), density);
  }
  // Measures on a map of the caller's own.
  void measure(const std::string& map_file) {
    const Snapshot ground = load_ground(map_file);
    std::vector<Errand> errands;
    if (ground.layer.free_count() > 0)
      for (const Query& query : random_queries(ground.graph(), options_.queries, options_.seed))
        errands.push_back({query.from, query.to, optimum(ground.graph(), query.from, query.to)});
    measure(ground, errands, std::filesystem::path(map_file).stem().string(),
            std::round(100 * blocked_share(ground.layer)) / 100);
  }

  int report() {
    Json figures;
    figures["results"] = std::move(rows_);
    figures["mismatches"] = mismatches_;
    figures["seed"] = options_.seed;
    figures["hash"] = hex(hash_.value());
    print(std::move(figures), options_.json);
    return mismatches_ == 0 ? 0 : 1;
  }

 private:
  void measure(const Snapshot& ground, const std::vector<Errand>& errands, const std::string& map,
               double density) {
    for (const std::string& algorithm : options_.algorithms) {
      const std::unique_ptr<Kernel> kernel =
          make_kernel(algorithm, ground, {options_.memory_max, options_.work_max});
      Tally tally;
      for (const Errand& errand : errands) run(ground.graph(), errand, kernel.get(), &tally);
      mismatches_ += tally.mismatches;
      rows_.push_back(row(map, density, algorithm, tally));
      rows_.back()["blocked"] = blocked_share(ground.layer);
    }
  }
  void run(const GridGraph& graph, const Errand& errand, Kernel* kernel, Tally* tally) {
    Found found;
    double us = std::numeric_limits<double>::infinity();
    for (int run = 0; run < options_.runs; ++run) {
      const OnceStopwatch watch;
      kernel->search(errand.from, errand.to, &found);
      us = std::min(us, watch.us() + found.shared_us);
    }
    if (found.is_refused) {
      ++tally->refused;
      tally->why = found.why;
      return;
    }
    tally->us.add(us);
    tally->expanded.add(static_cast<double>(found.expanded));
    tally->peak_bytes = std::max(tally->peak_bytes, found.bytes);
    hash_.add(found.cost);
    if (!keeps_promise(graph, errand, found, kernel->name() == "bfs")) {
      ++tally->mismatches;
      return;
    }
    tally->lengths.add(cells_from_cost(found.cost));
    const auto cost = static_cast<double>(found.cost);
    const auto least = static_cast<double>(errand.optimum);
    tally->excess.add(errand.optimum == 0 ? 0 : 100 * (cost - least) / least);
  }

  static Json row(const std::string& map, double density, const std::string& algorithm,
                  const Tally& tally) {
    Json row{{"map", map}, {"density", density}, {"algorithm", algorithm}};
    const auto mean_or_null = [](const Samples& samples) {
      return samples.size() == 0 ? Json() : Json(samples.mean());
    };
    row["queries"] = tally.us.size();
    row["expanded"] = mean_or_null(tally.expanded);
    row["length"] = mean_or_null(tally.lengths);
    row["excess_percent"] = mean_or_null(tally.excess);
    row["mean_us"] = mean_or_null(tally.us);
    row["peak_bytes"] = tally.us.size() == 0 ? Json() : Json(tally.peak_bytes);
    row["refused"] = Json();
    if (tally.refused != 0) row["refused"] = std::to_string(tally.refused) + ": " + tally.why;
    return row;
  }

  const CompareOptions& options_;
  Json rows_ = Json::array();
  std::uint64_t mismatches_ = 0;
  Hasher hash_;
};

}  // namespace

int run_compare(const CompareOptions& given) {
  CompareOptions options = given;
  if (options.algorithms.empty()) options.algorithms = kernel_names();
  for (const std::string& algorithm : options.algorithms)
    if (std::ranges::find(kernel_names(), algorithm) == kernel_names().end()) {
      std::cerr << "repath-bench: there is no algorithm '" << algorithm << "'\n";
      return 2;
    }
  Compare compare(options);
  if (!options.map.empty()) {
    compare.measure(options.map);
    return compare.report();
  }
  for (const std::string& name : scape_names())
    for (const std::int32_t side : options.sides)
      for (const double density : options.densities) compare.measure(name, side, density);
  return compare.report();
}

}  // namespace repath::bench
