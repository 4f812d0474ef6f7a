#include "bench/kernels.h"

#include <array>
#include <concepts>
#include <optional>
#include <utility>

#include "base/check.h"
#include "grid/graph.h"
#include "grid/jps.h"
#include "grid/jump_map.h"
#include "search/a_star.h"
#include "search/bfs.h"
#include "search/d_star.h"
#include "search/d_star_lite.h"
#include "search/dijkstra.h"
#include "search/fringe.h"
#include "search/ida_star.h"
#include "search/lpa_star.h"
#include "search/sma_star.h"

namespace repath::bench {
namespace {

// One kernel, made by `Make` from (graph, from, goals).
template <class Make>
class Generic final : public Kernel {
 public:
  Generic(std::string_view name, const Snapshot& ground, Make make)
      : name_(name), graph_(ground.graph()), make_(std::move(make)) {}

  std::string_view name() const override { return name_; }
  void search(NodeId from, NodeId to, Found* out) override {
    *out = {};
    auto kernel = make_(graph_, from, GoalSet{to});
    std::uint32_t expansions = ~std::uint32_t{0};
    const auto progress = kernel.advance(&expansions);
    using Ends = decltype(progress);
    REPATH_CHECK(progress != Ends::kOutOfBudget);
    out->is_refused = progress != Ends::kPathFound && progress != Ends::kNoPath;
    out->expanded = kernel.expanded();
    out->bytes = kernel.bytes();
    if (progress != Ends::kPathFound) return;
    out->cost = kernel.path_cost();
    append_path(kernel, from, to, &out->path);
  }

 private:
  // The incremental kernels say whether there is a path; that is known here.
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

// The jump map is the world's, kept up to date under edits: making it is not part of a search.
// Searches hand their memory on, as those of replan do.
class Jumps final : public Kernel {
 public:
  Jumps(std::string_view name, const Snapshot& ground)
      : name_(name), layer_(ground.layer), map_(ground.layer, ground.corner_rule) {}

  std::string_view name() const override { return name_; }
  void search(NodeId from, NodeId to, Found* out) override {
    *out = {};
    const GoalSet goal{to};
    if (search_) {
      search_->begin_anew(layer_, map_, from, goal, NearestGoalCell(layer_, goal));
    } else {
      search_.emplace(layer_, map_, from, goal);
    }
    std::uint32_t expansions = ~std::uint32_t{0};
    const Progress progress = search_->advance(&expansions);
    REPATH_CHECK(progress != Progress::kOutOfBudget);
    out->expanded = search_->expanded();
    out->bytes = search_->bytes();
    if (progress != Progress::kPathFound) return;
    out->cost = search_->path_cost();
    search_->append_path(&out->path);
  }

 private:
  std::string_view name_;
  const GridLayer& layer_;
  JumpMap map_;
  std::optional<JumpPointSearch<>> search_;
};

MadeKernel jps(std::string_view name, const Snapshot& ground, const SearchLimits&) {
  return std::make_unique<Jumps>(name, ground);
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
    Entry{"ida", limited<IdaStar<GridGraph>>},
    Entry{"sma", limited<SmaStar<GridGraph>>},
    Entry{"fringe", plain<FringeSearch<GridGraph>>},
    Entry{"lpa", plain<LpaStar<GridGraph>>},
    Entry{"dstar", plain<DStar<GridGraph>>},
    Entry{"dstar_lite", plain<DStarLite<GridGraph>>},
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
