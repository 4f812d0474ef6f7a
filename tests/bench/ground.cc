#include "bench/ground.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <utility>

#include "base/random.h"
#include "grid/cells/map_import.h"
#include "search/classic/dijkstra.h"
#include "verify/scen_file.h"

namespace repath::bench {
namespace {

[[noreturn]] void give_up(const std::string& why) {
  std::cerr << "repath-bench: " << why << "\n";
  std::exit(2);
}

std::string read_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) give_up(file + ": cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

template <class T>
T value_of(absl::StatusOr<T> result, const std::string& file) {
  if (!result.ok()) give_up(file + ": " + std::string(result.status().message()));
  return *std::move(result);
}

Snapshot as_default_sees(World& world) {
  const ViewId view = value_of(world.acquire_view("default", TeamId{}), "map");
  const GridGraph graph = world.graph(view);
  return {world.revision(), world.layer(view), graph.topology(), graph.corner_rule(),
          world.cell_size()};
}

}  // namespace

std::unique_ptr<World> world_of(GridMap map) {
  WorldSpec spec;
  spec.name = "bench";
  spec.map = std::move(map);
  return value_of(World::create(std::move(spec), WorldLimits{}), "map");
}

GridMap load_map(const std::string& map_file) {
  return value_of(
      import_map(read_file(map_file), MapFormat::kAuto, default_terrain(), ImportLimits{}),
      map_file);
}

std::unique_ptr<World> load_world(const std::string& map_file) {
  return world_of(load_map(map_file));
}

Snapshot ground_of(GridMap map) { return as_default_sees(*world_of(std::move(map))); }

Snapshot load_ground(const std::string& map_file) { return as_default_sees(*load_world(map_file)); }

std::vector<Query> load_queries(const std::string& scen_file, const GridLayer& layer,
                                std::size_t most) {
  std::string problem;
  const auto scen = verify::parse_scen(read_file(scen_file), problem);
  if (!scen) give_up(scen_file + ": " + problem);
  if (scen->version != 1)
    give_up(scen_file + ": has version " + std::to_string(scen->version) +
            ", queries between changes; 1 is wanted");
  std::vector<Query> all;
  for (const verify::Query& query : scen->stages.front().queries) {
    if (!layer.contains(query.from.x, query.from.y) || !layer.contains(query.to.x, query.to.y))
      give_up(scen_file + ": is not for a map of this size");
    all.push_back({layer.node_at(query.from.x, query.from.y), layer.node_at(query.to.x, query.to.y),
                   query.length.value_or(-1), query.tolerance});
  }
  if (most == 0 || all.size() <= most) return all;
  std::vector<Query> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(all[i * all.size() / most]);
  return some;
}

std::vector<Query> random_queries(const GridGraph& graph, std::size_t most, std::uint64_t seed) {
  Random random(seed);
  const GridLayer& layer = graph.layer();
  const auto free_node = [&] {
    for (;;) {
      const NodeId node{random.below(layer.node_count())};
      if (layer.is_free(node)) return node;
    }
  };
  std::vector<Query> queries;
  for (std::size_t tries = 0; queries.size() < most && tries < 4 * most; ++tries) {
    const NodeId from = free_node();
    const NodeId to = free_node();
    Dijkstra plain(graph, std::array{Source{from, 0}}, GoalSet{to});
    std::uint32_t plenty = ~std::uint32_t{0};
    if (plain.advance(&plenty) == Progress::kPathFound)
      queries.push_back({from, to, cells_from_cost(plain.path_cost()), 0});
  }
  return queries;
}

}  // namespace repath::bench
