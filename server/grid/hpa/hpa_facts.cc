#include <algorithm>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include "base/check.h"
#include "grid/hpa/box_search.h"
#include "grid/hpa/hpa_level_search.h"
#include "grid/hpa/hpa_map.h"

namespace repath {
namespace {

// A border of two clusters: `length` pairs of cells. The near cells go from (x, y) on in direction
// `along`; the far cells are a step `across` from them. Near is to the left or above.
struct Border {
  std::int32_t x = 0;
  std::int32_t y = 0;
  Direction along{};
  Direction across{};
  std::int32_t length = 0;
};
using Places = std::vector<std::int32_t>;  // places along a border, ascending

struct Run {
  std::int32_t begin = 0;
  std::int32_t end = 0;
};

bool is_open_at(const GridLayer& layer, const Border& border, std::int32_t at) {
  const std::int32_t x = border.x + border.along.dx * at;
  const std::int32_t y = border.y + border.along.dy * at;
  return layer.is_free(x, y) && layer.is_free(x + border.across.dx, y + border.across.dy);
}

// Returns the maximal stretches that are free on both sides.
std::vector<Run> runs_of(const GridLayer& layer, const Border& border) {
  std::vector<Run> runs;
  for (std::int32_t at = 0; at < border.length; ++at) {
    if (!is_open_at(layer, border, at)) continue;
    if (runs.empty() || runs.back().end != at) runs.push_back({at, at});
    runs.back().end = at + 1;
  }
  return runs;
}

Places transitions(const HpaMap& map, int level, const Border& border);

Places lowest_transitions(const HpaMap& map, const Border& border) {
  Places places;
  for (const Run& run : runs_of(map.layer(), border)) {
    if (run.end - run.begin < HpaMap::kWideEntrance) {
      places.push_back((run.begin + run.end) / 2);
    } else {
      places.push_back(run.begin);
      places.push_back(run.end - 1);
    }
  }
  return places;
}

// Keeps, for each run beside one cluster of the level below, the transition nearest to its middle.
void thin_out(const HpaMap& map, int level, const Border& part, std::int32_t offset, Places* out) {
  const Places below = transitions(map, level - 1, part);
  for (const Run& run : runs_of(map.layer(), part)) {
    const std::int32_t middle = (run.begin + run.end) / 2;
    std::int32_t best = -1;
    for (const std::int32_t at : below)
      if (at >= run.begin && at < run.end &&
          (best < 0 || std::abs(at - middle) < std::abs(best - middle)))
        best = at;
    REPATH_CHECK(best >= 0);
    out->push_back(offset + best);
  }
}

Places transitions(const HpaMap& map, int level, const Border& border) {
  if (level == 1) return lowest_transitions(map, border);
  Places places;
  const std::int32_t side = map.side(level - 1);
  for (std::int32_t offset = 0; offset < border.length; offset += side) {
    Border part = border;
    part.x += border.along.dx * offset;
    part.y += border.along.dy * offset;
    part.length = std::min(side, border.length - offset);
    thin_out(map, level, part, offset, &places);
  }
  return places;
}

using Link = std::pair<NodeId, NodeId>;  // own cell, and the cell across

// `is_far`: the cluster lies to the right of the border or below it.
void add_links(const HpaMap& map, int level, const Border& border, bool is_far,
               std::vector<Link>* links) {
  const GridLayer& layer = map.layer();
  for (const std::int32_t at : transitions(map, level, border)) {
    const std::int32_t x = border.x + border.along.dx * at;
    const std::int32_t y = border.y + border.along.dy * at;
    const NodeId near = layer.node_at(x, y);
    const NodeId far = layer.node_at(x + border.across.dx, y + border.across.dy);
    links->push_back(is_far ? Link{far, near} : Link{near, far});
  }
}

std::vector<Link> links_of(const HpaMap& map, int level, const CellRect& box) {
  constexpr Direction kRight{1, 0};
  constexpr Direction kDown{0, 1};
  const std::int32_t width = box.x1 - box.x0;
  const std::int32_t height = box.y1 - box.y0;
  std::vector<Link> links;
  if (box.x0 > 0) add_links(map, level, {box.x0 - 1, box.y0, kDown, kRight, height}, true, &links);
  if (box.x1 < map.layer().width())
    add_links(map, level, {box.x1 - 1, box.y0, kDown, kRight, height}, false, &links);
  if (box.y0 > 0) add_links(map, level, {box.x0, box.y0 - 1, kRight, kDown, width}, true, &links);
  if (box.y1 < map.layer().height())
    add_links(map, level, {box.x0, box.y1 - 1, kRight, kDown, width}, false, &links);
  std::ranges::sort(links);
  return links;
}

void set_nodes(const std::vector<Link>& links, HpaFacts* facts) {
  for (const auto& [own, across] : links) {
    if (facts->nodes.empty() || facts->nodes.back() != own) {
      facts->nodes.push_back(own);
      facts->across.push_back({across, kNoNode});
      continue;
    }
    REPATH_CHECK(facts->across.back()[1] == kNoNode);
    facts->across.back()[1] = across;
  }
  facts->nodes.shrink_to_fit();
  facts->across.shrink_to_fit();
}

bool is_open_ground(const HpaMap& map, const CellRect& box) {
  if (!map.layer().is_uniform()) return false;
  for (std::int32_t y = box.y0; y < box.y1; ++y)
    for (std::int32_t x = box.x0; x < box.x1; ++x)
      if (!map.layer().is_free(x, y)) return false;
  return true;
}

void measure_cells(const HpaMap& map, const CellRect& box, HpaFacts* facts,
                   std::uint64_t* expanded) {
  const GridGraph graph = map.graph();
  if (is_open_ground(map, box)) {
    for (const NodeId from : facts->nodes)
      for (const NodeId to : facts->nodes) facts->distances.push_back(graph.heuristic(from, to));
    return;
  }
  const std::span<const NodeId> nodes = facts->nodes;
  facts->distances.assign(nodes.size() * nodes.size(), 0);
  BoxSearch search(graph);
  for (std::size_t from = 0; from + 1 < nodes.size(); ++from) {
    search.begin(box);
    search.seed(nodes[from], 0);
    search.settle(nodes.subspan(from + 1));  // costs are symmetric
    for (std::size_t to = from + 1; to < nodes.size(); ++to)
      facts->distances[from * nodes.size() + to] = facts->distances[to * nodes.size() + from] =
          search.cost(nodes[to]);
  }
  *expanded += search.expanded();
}

void measure_nodes(const HpaMap& map, int level, const CellRect& box, HpaFacts* facts,
                   std::uint64_t* expanded) {
  HpaLevelSearch search(map, level - 1, box);
  for (const NodeId from : facts->nodes) {
    search.clear();
    search.seed(from, 0, false);
    search.run_to_end();
    for (const NodeId to : facts->nodes) facts->distances.push_back(search.cost(to));
  }
  *expanded += search.expanded();
}

}  // namespace

std::unique_ptr<HpaFacts> find_facts(const HpaMap& map, int level, std::uint32_t cluster,
                                     std::uint64_t* expanded) {
  auto facts = std::make_unique<HpaFacts>();
  const CellRect box = map.box(level, cluster);
  set_nodes(links_of(map, level, box), facts.get());
  facts->distances.reserve(facts->nodes.size() * facts->nodes.size());
  if (level == 1) {
    measure_cells(map, box, facts.get(), expanded);
  } else {
    measure_nodes(map, level, box, facts.get(), expanded);
  }
  return facts;
}

}  // namespace repath
