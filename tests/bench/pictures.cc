// repath-pictures DIR: writes the drawings of the rooms' READMEs, and prints the table of the
// partitions that goes with them. The output is the same bytes on every machine.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "geometry/grow.h"
#include "geometry/partition.h"
#include "graph/graph_view.h"
#include "graph/visibility.h"
#include "search/classic/a_star.h"
#include "support/random_polygons.h"

namespace {

using namespace repath;  // NOLINT: a program of one file

// Converts units to pixels; z goes up on the page.
class Svg {
 public:
  Svg(double width, double height, double scale) : height_(height), scale_(scale) {
    out_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width * scale << "\" height=\""
         << height * scale << "\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  }
  void polygon(const LatticeRing& ring, double dx, const std::string& style) {
    out_ << "<polygon points=\"";
    for (const LatticePoint p : ring) out_ << at(p, dx) << ' ';
    out_ << "\" style=\"" << style << "\"/>\n";
  }
  void line(LatticePoint a, LatticePoint b, double dx, const std::string& style) {
    out_ << "<polyline points=\"" << at(a, dx) << ' ' << at(b, dx) << "\" style=\"" << style
         << "\"/>\n";
  }
  void text(double x, double z, const std::string& words) {
    out_ << "<text x=\"" << x * scale_ << "\" y=\"" << (height_ - z) * scale_
         << "\" font-family=\"sans-serif\" font-size=\"13\">" << words << "</text>\n";
  }
  void write(const std::string& file) { std::ofstream(file) << out_.str() << "</svg>\n"; }

 private:
  std::string at(LatticePoint p, double dx) const {
    char text[64];
    std::snprintf(text, sizeof text, "%.1f,%.1f", (to_point(p).x + dx) * scale_,
                  (height_ - to_point(p).z) * scale_);
    return text;
  }

  std::ostringstream out_;
  double height_;
  double scale_;
};

std::vector<LatticeRing> cells_of(const Partition& p) {
  std::vector<LatticeRing> cells;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : p.cell_ends) {
    cells.emplace_back();
    for (; begin < end; ++begin) cells.back().push_back(p.points[p.edges[begin].from]);
  }
  return cells;
}

double smallest_angle(const std::vector<LatticeRing>& cells) {
  double least = 180;
  for (const LatticeRing& c : cells)
    for (std::size_t i = 0; i < c.size(); ++i) {
      const LatticePoint a = c[i];
      const LatticePoint b = c[(i + 1) % c.size()];
      const LatticePoint d = c[(i + 2) % c.size()];
      const double bend =
          std::atan2(static_cast<double>(turn(a, b, d)), static_cast<double>(onward(a, b, d)));
      least = std::min(least, 180 - bend * 57.29577951308232);
    }
  return least;
}

bool cut(Partitioner* partitioner, const test::Region& plan, int method, Partition* p) {
  if (method == 0)
    return partitioner->run(plan.points, plan.loop_ends, PartitionMethod::kShortestDiagonals, p);
  if (method == 1)
    return partitioner->run(plan.points, plan.loop_ends, PartitionMethod::kDelaunay, p);
  return partitioner->run(plan.points, plan.loop_ends, PartitionMethod::kAnavmg, p, nullptr,
                          method == 2 ? 0 : 0.2);
}

std::size_t notches(const test::Region& plan) {
  std::size_t found = 0;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : plan.loop_ends) {
    const std::uint32_t n = end - begin;
    for (std::uint32_t i = 0; i < n; ++i)
      found += is_convex_corner(plan.points[begin + i], plan.points[begin + (i + 1) % n],
                                plan.points[begin + (i + 2) % n])
                   ? 0
                   : 1;
    begin = end;
  }
  return found;
}

constexpr const char* kMethods[] = {"shortest diagonals", "Delaunay and merge", "ANavMG",
                                    "ANavMG, tau 0.2"};

void print_table() {
  std::cout << "| method | notches | cells | smallest angle: median, least |\n|---|---|---|---|\n";
  for (int method = 0; method < 4; ++method) {
    Random random(11);
    Partitioner partitioner;
    Partition p;
    std::size_t cells = 0;
    std::size_t reflex = 0;
    std::vector<double> angles;
    for (int i = 0; i < 200; ++i) {
      const test::Region plan = test::random_plan(&random, 4 + random.below(20), 6);
      if (!cut(&partitioner, plan, method, &p)) std::abort();
      cells += p.cell_ends.size();
      reflex += notches(plan);
      angles.push_back(smallest_angle(cells_of(p)));
    }
    std::ranges::sort(angles);
    std::printf("| %s | %zu | %zu | %.1f, %.1f degrees |\n", kMethods[method], reflex, cells,
                angles[100], angles[0]);
  }
}

void draw_plan(const std::string& file) {
  Random random(23);
  const test::Region plan = test::random_plan(&random, 22, 9);
  Partitioner partitioner;
  Partition p;
  Svg svg(30, 11, 28);
  for (int method = 0; method < 3; ++method) {
    if (!cut(&partitioner, plan, method, &p)) std::abort();
    const std::vector<LatticeRing> cells = cells_of(p);
    for (LatticeRing cell : cells) {
      for (LatticePoint& q : cell) q.z += 5 * kLatticePerUnit;
      svg.polygon(cell, 5 + 10 * method, "fill:#dce9f5;stroke:#4a7fb5;stroke-width:1");
    }
    svg.text(0.5 + 10 * method, 10.4,
             std::string(kMethods[method]) + ": " + std::to_string(cells.size()) + " cells");
  }
  svg.write(file);
}

void draw_visibility(const std::string& file) {
  Random random(5);
  std::vector<LatticeRing> rings;
  std::vector<LatticeRing> bodies;
  for (int i = 0; i < 9; ++i) {
    const Point center{1.5 + random.unit() * 9, 1 + random.unit() * 6};
    const Box box{center, 0.3 + 0.7 * random.unit(), 0.3 + 0.5 * random.unit(), random.unit()};
    bodies.push_back(grow(box, 0)->front());
    rings.push_back(grow(box, 0.25)->front());
  }
  const VisibilityMap map(rings);
  const std::vector<LatticePoint> ends{{4'000, 64'000}, {188'000, 60'000}};
  const auto source = visibility_graph(map, ends, 0);
  const auto graph = WaypointGraph::build(*source);
  const auto place = [&graph](std::uint64_t id) {
    const GraphNode& n = graph->node(graph->find(id));
    return to_lattice(Point{n.x, n.z});
  };
  Svg svg(12, 8, 60);
  for (const LatticeRing& ring : rings)
    svg.polygon(ring, 0, "fill:#eee;stroke:#999;stroke-width:1");
  for (const LatticeRing& body : bodies) svg.polygon(body, 0, "fill:#777");
  for (const GraphEdge& e : source->edges)
    svg.line(place(e.from), place(e.to), 0, "stroke:#4a7fb5;stroke-width:0.5;opacity:0.6");
  const GraphView view(&*graph);
  AStar<GraphView> search(view, NodeId{0}, GoalSet{NodeId{1}});
  std::uint32_t budget = 1'000'000;
  std::vector<NodeId> path;
  if (search.advance(&budget) == Progress::kPathFound) search.append_path(&path);
  for (std::size_t i = 0; i + 1 < path.size(); ++i)
    svg.line(place(index(path[i]) + 1), place(index(path[i + 1]) + 1), 0,
             "stroke:#c0392b;stroke-width:2.5");
  svg.write(file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: repath-pictures DIR  (the source tree: server/navmesh and server/graph)\n";
    return 2;
  }
  const std::string top = argv[1];
  print_table();
  draw_plan(top + "/server/navmesh/partitions.svg");
  draw_visibility(top + "/server/graph/visibility.svg");
}
