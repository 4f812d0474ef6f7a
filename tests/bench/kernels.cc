#include "bench/kernels.h"

#include <array>
#include <concepts>
#include <utility>

#include "base/check.h"
#include "grid/graph.h"
#include "search/a_star.h"
#include "search/bfs.h"
#include "search/d_star_lite.h"
#include "search/dijkstra.h"
#include "search/lpa_star.h"

namespace repath::bench {
namespace {

// A kernel of room search. `Make` makes one from (graph, from, goals).
template <class Make>
class Generic final : public Kernel {
 public:
  Generic(std::string_view name, const Snapshot& ground, Make make)
      : name_(name), graph_(ground.graph()), make_(make) {}

  std::string_view name() const override { return name_; }
  void search(NodeId from, NodeId to, Found* out) override {
    out->path.clear();
    auto kernel = make_(graph_, from, GoalSet{to});
    std::uint32_t expansions = ~std::uint32_t{0};
    const Progress progress = kernel.advance(&expansions);
    REPATH_CHECK(progress != Progress::kOutOfBudget);
    out->cost = kernel.path_cost();
    if (progress == Progress::kPathFound) append_path(kernel, from, to, &out->path);
    out->expanded = kernel.expanded();
    out->bytes = kernel.bytes();
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

template <class Make>
std::unique_ptr<Kernel> generic(std::string_view name, const Snapshot& ground, Make make) {
  return std::make_unique<Generic<Make>>(name, ground, make);
}

struct Entry {
  std::string_view name;
  std::unique_ptr<Kernel> (*make)(std::string_view name, const Snapshot& ground);
};

constexpr std::array kEntries{
    Entry{"astar",
          [](std::string_view name, const Snapshot& ground) {
            return generic(name, ground, [](const GridGraph& graph, NodeId from, GoalSet goals) {
              return AStar(graph, from, std::move(goals));
            });
          }},
    Entry{"dijkstra",
          [](std::string_view name, const Snapshot& ground) {
            return generic(name, ground, [](const GridGraph& graph, NodeId from, GoalSet goals) {
              return Dijkstra(graph, std::array{Source{from, 0}}, std::move(goals));
            });
          }},
    Entry{"bfs",
          [](std::string_view name, const Snapshot& ground) {
            return generic(name, ground, [](const GridGraph& graph, NodeId from, GoalSet goals) {
              return Bfs(graph, from, std::move(goals));
            });
          }},
    Entry{"lpa",
          [](std::string_view name, const Snapshot& ground) {
            return generic(name, ground, [](const GridGraph& graph, NodeId from, GoalSet goals) {
              return LpaStar(graph, from, std::move(goals));
            });
          }},
    Entry{"dstar_lite",
          [](std::string_view name, const Snapshot& ground) {
            return generic(name, ground, [](const GridGraph& graph, NodeId from, GoalSet goals) {
              return DStarLite(graph, from, std::move(goals));
            });
          }},
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

std::unique_ptr<Kernel> make_kernel(std::string_view name, const Snapshot& ground) {
  for (const Entry& entry : kEntries)
    if (entry.name == name) return entry.make(entry.name, ground);
  return nullptr;
}

}  // namespace repath::bench
