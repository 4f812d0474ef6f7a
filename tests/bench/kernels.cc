#include "bench/kernels.h"

#include <array>
#include <concepts>
#include <limits>
#include <optional>
#include <utility>

#include "base/check.h"
#include "bench/samples.h"
#include "grid/cells/graph.h"
#include "grid/hpa/hpa_map.h"
#include "grid/hpa/hpa_search.h"
#include "grid/jps/idle_jumps.h"
#include "grid/jps/jump_map.h"
#include "search/classic/a_star.h"
#include "search/classic/bfs.h"
#include "search/classic/dijkstra.h"
#include "search/classic/floyd_warshall.h"
#include "search/classic/fringe.h"
#include "search/classic/ida_star.h"
#include "search/classic/sma_star.h"
#include "search/incremental/d_star.h"
#include "search/incremental/d_star_lite.h"
#include "search/incremental/lpa_star.h"

namespace repath::bench {
namespace {

// One kernel that `Make` makes from (graph, from, goals).
template <class Make>
class Generic final : public Kernel {
 public:
  Generic(std::string_view name, const Snapshot& ground, Make make)
      : name_(name), graph_(ground.graph()), make_(std::move(make)) {}

  std::string_view name() const override { return name_; }
  void search(NodeId from, NodeId to, Found* out) override {
    out->clear();
    auto kernel = make_(graph_, from, GoalSet{to});
    using Ends = decltype(kernel.advance(nullptr));
    Ends progress = Ends::kOutOfBudget;
    while (progress == Ends::kOutOfBudget) {
      std::uint32_t expansions = ~std::uint32_t{0};
      progress = kernel.advance(&expansions);
    }
    out->is_refused = progress != Ends::kPathFound && progress != Ends::kNoPath;
    if constexpr (std::same_as<Ends, LimitedProgress>)
      if (out->is_refused) out->why = progress == Ends::kMemoryLimit ? "memory" : "budget";
    out->expanded = kernel.expanded();
    out->bytes = kernel.bytes();
    if (progress != Ends::kPathFound) return;
    out->cost = kernel.path_cost();
    if constexpr (std::same_as<decltype(kernel), HpaSearch>)
      out->lower_bound = kernel.lower_bound();
    append_path(kernel, from, to, &out->path);
  }

 private:
  // The incremental kernels return whether there is a path; here there is one.
  template <class Search>
  static void append_path(const Search& search, NodeId from, NodeId to, std::vector<NodeId>* out) {
    if constexpr (requires { search.start(); }) {
      REPATH_CHECK(search.append_path(from, out));
    } else if constexpr (requires {
                           { search.append_path(out) } -> std::same_as<bool>;
                         }) {
      REPATH_CHECK(search.append_path(out));
    } else if constexpr (requires { search.append_path(out); }) {
      search.append_path(out);
    } else {
      search.append_path(to, out);
    }
  }

  std::string_view name_;
  GridGraph graph_;
  Make make_;
};

using MadeKernel = std::unique_ptr<Kernel>;

// All pairs of free cells, found at construction; refuses more cells than kBytesMax holds (2,176).
class AllPairs final : public Kernel {
 public:
  AllPairs(std::string_view name, const Snapshot& ground) : name_(name) {
    std::optional<std::vector<NodeId>> cells =
        ground.layer.free_cells(FloydWarshall::nodes_for(kBytesMax));
    if (!cells) return;
    const Stopwatch watch;
    FloydWarshall pairs(ground.graph(), *std::move(cells));
    if (pairs.bytes_needed() > kBytesMax) return;
    std::uint32_t rows = ~std::uint32_t{0};
    while (pairs.advance(&rows) == Progress::kOutOfBudget) rows = ~std::uint32_t{0};
    made_us_ = watch.us();
    pairs_ = std::move(pairs);
  }

  std::string_view name() const override { return name_; }
  void search(NodeId from, NodeId to, Found* out) override {
    out->clear();
    if (!pairs_) {
      out->is_refused = true;
      out->why = "memory";
      return;
    }
    out->shared_us = made_us_;
    out->expanded = pairs_->expanded();
    out->bytes = pairs_->bytes();
    const Cost cost = pairs_->cost(from, to);
    if (cost == kUnreachable) return;
    out->cost = cost;
    REPATH_CHECK(pairs_->append_path(from, to, &out->path));
  }

 private:
  static constexpr std::uint64_t kBytesMax = 20'000'000;

  std::string_view name_;
  std::optional<FloydWarshall> pairs_;
  double made_us_ = 0;
};

MadeKernel floyd_warshall(std::string_view name, const Snapshot& ground, const SearchLimits&) {
  return std::make_unique<AllPairs>(name, ground);
}

template <class Make>
MadeKernel generic(std::string_view name, const Snapshot& ground, Make make) {
  return std::make_unique<Generic<Make>>(name, ground, std::move(make));
}

template <class Search>
MadeKernel plain(std::string_view name, const Snapshot& ground, const SearchLimits&) {
  return generic(name, ground, [](const GridGraph& graph, NodeId from, GoalSet goals) {
    return Search(graph, from, std::move(goals));
  });
}

template <class Search>
MadeKernel limited(std::string_view name, const Snapshot& ground, const SearchLimits& limits) {
  return generic(name, ground, [limits](const GridGraph& graph, NodeId from, GoalSet goals) {
    return Search(graph, from, std::move(goals), limits);
  });
}

MadeKernel dijkstra(std::string_view name, const Snapshot& ground, const SearchLimits&) {
  return generic(name, ground, [](const GridGraph& graph, NodeId from, GoalSet goals) {
    return Dijkstra(graph, std::array{Source{from, 0}}, std::move(goals));
  });
}

// The jump map belongs to the world and is kept up to date under edits, so making it is not part of
// a search. Searches pass their memory on, as those of the planner do.
class Jumps final : public Kernel {
 public:
  Jumps(std::string_view name, const Snapshot& ground)
      : name_(name), layer_(ground.layer), map_(ground.layer, ground.corner_rule) {}

  std::string_view name() const override { return name_; }
  void search(NodeId from, NodeId to, Found* out) override {
    out->clear();
    std::unique_ptr<JumpPointSearch> search = idle_.take(layer_, map_, from, to);
    std::uint32_t expansions = ~std::uint32_t{0};
    const Progress progress = search->advance(&expansions);
    REPATH_CHECK(progress != Progress::kOutOfBudget);
    out->expanded = search->expanded();
    out->bytes = search->bytes();
    if (progress == Progress::kPathFound) {
      out->cost = search->path_cost();
      search->append_path(&out->path);
    }
    idle_.give_back(std::move(search));
  }

 private:
  std::string_view name_;
  const GridLayer& layer_;
  JumpMap map_;
  IdleJumps idle_{std::numeric_limits<std::size_t>::max()};
};

MadeKernel jps(std::string_view name, const Snapshot& ground, const SearchLimits&) {
  return std::make_unique<Jumps>(name, ground);
}

// The abstraction belongs to the world as well.
MadeKernel hpa(std::string_view name, const Snapshot& ground, const SearchLimits&) {
  const GridLayer& layer = ground.layer;
  auto map = std::make_unique<HpaMap>(layer, ground.topology, ground.corner_rule,
                                      hpa_shape_for(layer.width(), layer.height()));
  map->make_all();
  return generic(name, ground,
                 [map = std::move(map)](const GridGraph&, NodeId from, const GoalSet& goals) {
                   return HpaSearch(*map, from, goals);
                 });
}

struct Entry {
  std::string_view name;
  MadeKernel (*make)(std::string_view name, const Snapshot& ground, const SearchLimits& limits);
};

constexpr std::array kEntries{
    Entry{"astar", plain<AStar<GridGraph>>},
    Entry{"dijkstra", dijkstra},
    Entry{"bfs", plain<Bfs<GridGraph>>},
    Entry{"jps", jps},
    Entry{"hpa", hpa},
    Entry{"ida", limited<IdaStar<GridGraph>>},
    Entry{"sma", limited<SmaStar<GridGraph>>},
    Entry{"fringe", plain<FringeSearch<GridGraph>>},
    Entry{"lpa", plain<LpaStar<GridGraph>>},
    Entry{"dstar", plain<DStar<GridGraph>>},
    Entry{"dstar_lite", plain<DStarLite<GridGraph>>},
    Entry{"floyd_warshall", floyd_warshall},
};

}  // namespace

const std::vector<std::string>& kernel_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    all.reserve(kEntries.size());
    for (const Entry& entry : kEntries) all.emplace_back(entry.name);
    return all;
  }();
  return names;
}

std::unique_ptr<Kernel> make_kernel(std::string_view name, const Snapshot& ground,
                                    const SearchLimits& limits) {
  for (const Entry& entry : kEntries)
    if (entry.name == name) return entry.make(entry.name, ground, limits);
  return nullptr;
}

}  // namespace repath::bench
