#include "bench/static_bench.h"

#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "bench/ground.h"
#include "bench/kernels.h"
#include "bench/output.h"
#include "bench/peer.h"
#include "bench/samples.h"

namespace repath::bench {
namespace {

// Writes more memory than any cache of the machine holds.
class CacheFlush {
 public:
  void run() {
    for (std::size_t i = 0; i < bytes_.size(); i += 64) ++bytes_[i];
  }

 private:
  std::vector<unsigned char> bytes_ = std::vector<unsigned char>(std::size_t{64} << 20);
};

struct Measured {
  std::string algorithm;
  std::vector<double> us;       // by query; the best of all passes
  std::vector<double> lengths;  // by query; negative: no path
  Samples excess;               // relative excess of the answers over the optima
  std::optional<std::uint64_t> expanded;
  std::optional<std::size_t> bytes;  // of the largest search
  std::uint64_t mismatches = 0;
  std::uint64_t refused = 0;
};

// Returns the steps of shortest paths, by the plainest search.
std::vector<std::uint32_t> steps_from(const GridGraph& graph, NodeId from) {
  std::vector<std::uint32_t> steps(graph.node_count(), ~std::uint32_t{0});
  std::vector<NodeId> reached{from};
  steps[index(from)] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i)
    graph.for_each_successor(reached[i], [&](NodeId to, Cost) {
      if (steps[index(to)] != ~std::uint32_t{0}) return;
      steps[index(to)] = steps[index(reached[i])] + 1;
      reached.push_back(to);
    });
  return steps;
}

bool is_right(const GridGraph& graph, const Query& query, const Found& found, bool by_steps) {
  if (query.length < 0 || found.cost == kUnreachable)
    return query.length < 0 && found.cost == kUnreachable;
  Cost sum = 0;
  for (std::size_t i = 0; i + 1 < found.path.size(); ++i)
    sum = saturating_add(sum, graph.cost_between(found.path[i], found.path[i + 1]));
  if (found.path.front() != query.from || found.path.back() != query.to || sum != found.cost)
    return false;
  if (by_steps) return found.path.size() - 1 == steps_from(graph, query.from)[index(query.to)];
  const double length = cells_from_cost(found.cost);
  if (!found.lower_bound) return std::abs(length - query.length) <= query.tolerance;
  return length >= query.length - query.tolerance &&
         cells_from_cost(*found.lower_bound) <= query.length + query.tolerance;
}

// Returns by which share of the optimum the answer is longer.
double excess(const Query& query, const Found& found) {
  if (query.length <= 0 || found.cost == kUnreachable) return 0;
  return std::max(0.0, cells_from_cost(found.cost) / query.length - 1);
}

class Static {
 public:
  explicit Static(const StaticOptions& options)
      : options_(options),
        ground_(load_ground(options.map)),
        queries_(load_queries(options.scen, ground_.layer, options.queries)) {}

  // Returns false for an unknown kernel.
  bool add(const std::string& algorithm) {
    std::unique_ptr<Kernel> kernel =
        make_kernel(algorithm, ground_, {options_.memory_max, options_.work_max});
    if (!kernel) return false;
    kernels_.push_back(std::move(kernel));
    Measured measured;
    measured.algorithm = algorithm;
    measured.expanded = 0;
    measured.bytes = 0;
    measured_.push_back(std::move(measured));
    return true;
  }

  // Measures the kernels in turns, so that other work of the machine affects all of them.
  void measure() {
    for (unsigned pass = 0; pass < options_.passes; ++pass)
      for (std::size_t i = 0; i < kernels_.size(); ++i)
        measure_pass(pass, *kernels_[i], &measured_[i]);
  }

  bool measure_peer() {
    const auto answers = ask_peer(options_.peer, options_.map, options_.scen);
    if (!answers || answers->size() != queries_.size()) return false;
    Measured measured;
    measured.algorithm = "peer";
    for (const PeerAnswer& answer : *answers) {
      measured.lengths.push_back(answer.length);
      measured.us.push_back(answer.us);
    }
    for (std::size_t q = 0; q < queries_.size(); ++q)
      measured.mismatches +=
          std::abs(measured.lengths[q] - queries_[q].length) > queries_[q].tolerance;
    measured_.push_back(std::move(measured));
    return true;
  }

  int report() const {
    Json rows = Json::array();
    Hasher hash;
    std::uint64_t mismatches = 0;
    for (const Measured& measured : measured_) {
      rows.push_back(row_of(measured));
      if (measured.algorithm == "peer") continue;
      mismatches += measured.mismatches;
      for (const double length : measured.lengths) hash.add(length);
    }
    Json figures;
    figures["results"] = std::move(rows);
    figures["cache"] = options_.cold ? "cold" : "warm";
    figures["passes"] = options_.passes;
    figures["hash"] = hex(hash.value());
    print(std::move(figures), options_.json);
    return mismatches == 0 ? 0 : 1;
  }

 private:
  void measure_pass(unsigned pass, Kernel& kernel, Measured* measured) {
    Found found;
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      if (options_.cold) flush_.run();
      const Stopwatch watch;
      kernel.search(queries_[q].from, queries_[q].to, &found);
      const double us = watch.us() + found.shared_us;
      if (pass > 0) {
        measured->us[q] = std::min(measured->us[q], us);
        continue;
      }
      measured->us.push_back(us);
      measured->lengths.push_back(found.cost == kUnreachable ? -1 : cells_from_cost(found.cost));
      *measured->expanded += found.expanded;
      measured->bytes = std::max(*measured->bytes, found.bytes);
      measured->refused += found.is_refused;
      if (found.is_refused) continue;
      measured->excess.add(excess(queries_[q], found));
      measured->mismatches +=
          !is_right(ground_.graph(), queries_[q], found, kernel.name() == "bfs");
    }
  }

  Json row_of(const Measured& measured) const {
    Samples us;
    for (const double value : measured.us) us.add(value);
    Json row;
    row["map"] = std::filesystem::path(options_.map).stem().string();
    row["algorithm"] = measured.algorithm;
    row["queries"] = measured.us.size();
    row["mismatches"] = measured.mismatches;
    row["refused"] = measured.refused;
    row["mean_us"] = us.mean();
    row["p50_us"] = us.quantile(0.5);
    row["p99_us"] = us.quantile(0.99);
    row["excess_mean"] = nullptr;
    row["excess_max"] = nullptr;
    if (measured.excess.size() != 0) {
      row["excess_mean"] = measured.excess.mean();
      row["excess_max"] = measured.excess.quantile(1);
    }
    row["expanded_mean"] = nullptr;
    row["bytes"] = nullptr;
    if (measured.expanded)
      row["expanded_mean"] =
          static_cast<double>(*measured.expanded) / static_cast<double>(measured.us.size());
    if (measured.bytes) row["bytes"] = *measured.bytes;
    return row;
  }

  const StaticOptions& options_;
  Snapshot ground_;
  std::vector<Query> queries_;
  std::vector<std::unique_ptr<Kernel>> kernels_;
  std::vector<Measured> measured_;
  CacheFlush flush_;
};

}  // namespace

int run_static(const StaticOptions& options) {
  Static bench(options);
  for (const std::string& algorithm : options.algorithms) {
    if (bench.add(algorithm)) continue;
    std::cerr << "repath-bench: there is no algorithm '" << algorithm << "'; there are:";
    for (const std::string& name : kernel_names()) std::cerr << " " << name;
    std::cerr << "\n";
    return 2;
  }
  bench.measure();
  if (!options.peer.empty() && !bench.measure_peer()) return report_failed_peer();
  return bench.report();
}

}  // namespace repath::bench
