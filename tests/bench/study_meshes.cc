// The study of navmeshes: A*, Dijkstra and breadth-first search over the cells of a mesh, and what
// each of them does on the way.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "base/check.h"
#include "bench/studies_bench.h"
#include "bench/study_maps.h"
#include "navmesh/import/floor_plan.h"
#include "navmesh/mesh/cell_finder.h"
#include "navmesh/mesh/nav_mesh.h"
#include "search/classic/a_star.h"
#include "search/classic/bfs.h"
#include "search/classic/dijkstra.h"

namespace repath::bench {
namespace {

constexpr double kCostUnit = 1 << 16;  // costs of one world unit

// The cells of a mesh as nodes. A step leads from the middle of a cell to that of a neighbour.
class CellGraph {
 public:
  static constexpr bool kIsSymmetric = true;

  // Borrows the mesh.
  explicit CellGraph(const NavMesh& mesh) : mesh_(&mesh) {
    for (std::uint32_t c = 0; c < mesh.cells_end(); ++c) {
      Point sum;
      for (const NavMesh::Edge& edge : mesh.edges_of(c)) {
        sum.x += from_steps(edge.x);
        sum.z += from_steps(edge.z);
      }
      const auto corners = static_cast<double>(std::max<std::size_t>(mesh.edges_of(c).size(), 1));
      middles_.push_back({sum.x / corners, sum.z / corners});
    }
  }

  std::uint32_t node_count() const { return mesh_->cells_end(); }
  Cost heuristic(NodeId a, NodeId b) const { return static_cast<Cost>(kCostUnit * distance(a, b)); }
  template <class Visit>
  void for_each_successor(NodeId n, Visit&& visit) const {
    for (const NavMesh::Edge& edge : mesh_->edges_of(index(n))) {
      if (edge.neighbour == kNoCell) continue;
      const NodeId to{edge.neighbour};
      visit(to, static_cast<Cost>(kCostUnit * distance(n, to)) + 1);
    }
  }
  template <class Visit>
  void for_each_predecessor(NodeId n, Visit&& visit) const {
    for_each_successor(n, visit);
  }

 private:
  double distance(NodeId a, NodeId b) const {
    const Point& from = middles_[index(a)];
    const Point& to = middles_[index(b)];
    return std::hypot(to.x - from.x, to.z - from.z);
  }

  const NavMesh* mesh_;
  std::vector<Point> middles_;
};
static_assert(SearchGraph<CellGraph>);

// A map of the study: what it reports, and what our hall is made of.
struct StudyMap {
  double length;
  std::uint64_t a_star, dijkstra, bfs;  // operations
  double side;                          // of ours, world units
  int columns;                          // of pillars
};
constexpr std::array<StudyMap, 3> kMaps{{{12.49, 119, 946, 847, 8.6, 6},
                                         {20.83, 281, 2111, 2445, 14.3, 10},
                                         {37.66, 488, 2594, 2701, 25.9, 11}}};

struct Run {
  Cost cost = kUnreachable;
  std::uint64_t operations = 0;
};

// An operation is a cell that is expanded or an edge that is looked at.
template <class Kernel>
Run run_to_end(Kernel kernel) {
  std::uint32_t plenty = ~std::uint32_t{0};
  REPATH_CHECK(kernel.advance(&plenty) == Progress::kPathFound);
  return {kernel.path_cost(), kernel.expanded() + kernel.generated()};
}

NavMesh mesh_of(const StudyMap& map) {
  const auto source =
      import_floor_plan(hall_of_pillars(map.side, map.columns), PlanMethod::kShortestDiagonals);
  REPATH_CHECK(source.ok());
  auto mesh = NavMesh::build(*source);
  REPATH_CHECK(mesh.ok());
  return *std::move(mesh);
}

NodeId cell_at(const NavMesh& mesh, double at) {
  const CellFinder finder(mesh);
  const auto place = finder.find_cell({at, at}, 0, 1);
  REPATH_CHECK(place);
  return NodeId{place->cell};
}

}  // namespace

void study_meshes(StudyReport* report) {
  report->begin(
      "meshes",
      "Three navmeshes; an operation is a cell expanded or an edge looked at. The study's "
      "maps are not public: ours are halls with\nrows of square pillars, about as large as "
      "the study's. Paths lead from corner to corner.");
  std::size_t fewest = 0;
  double least = 1e9;
  for (const StudyMap& map : kMaps) {
    const NavMesh mesh = mesh_of(map);
    const CellGraph graph(mesh);
    const NodeId from = cell_at(mesh, 0.02 * map.side);
    const NodeId to = cell_at(mesh, 0.98 * map.side);
    const Run led = run_to_end(AStar<CellGraph>(graph, from, GoalSet{to}));
    const Run plain =
        run_to_end(Dijkstra<CellGraph>(graph, std::array{Source{from, 0}}, GoalSet{to}));
    const Run steps = run_to_end(Bfs<CellGraph>(graph, from, GoalSet{to}));
    report->result(led.cost, led.cost == plain.cost && steps.cost >= plain.cost);
    const std::uint64_t others = std::min(plain.operations, steps.operations);
    fewest += 2 * led.operations <= others ? 1 : 0;
    least = std::min(least, static_cast<double>(others) / static_cast<double>(led.operations));
    const auto add = [&](const char* name, std::uint64_t published, const Run& run) {
      report->row({{"side", map.side},
                   {"cells", mesh.cells_end()},
                   {"algorithm", name},
                   {"study_length", map.length},
                   {"length", static_cast<double>(run.cost) / kCostUnit},
                   {"study_operations", published},
                   {"operations", run.operations}});
    };
    add("astar", map.a_star, led);
    add("dijkstra", map.dijkstra, plain);
    add("bfs", map.bfs, steps);
  }
  std::string text = std::to_string(least);
  text.resize(text.find('.') + 2);
  report->claim(
      "A* takes a fifth of Dijkstra's and BFS's operations, or less",
      text + " times fewer, or more; fewer than a half on " + std::to_string(fewest) + " of 3 maps",
      least >= 5);
  report->end();
}

}  // namespace repath::bench
