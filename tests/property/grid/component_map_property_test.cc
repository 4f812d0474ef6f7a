// ComponentMap against a plain flood, on random layers of several blocks that are edited. Copies
// are asked after the original has changed.
#include "grid/components/component_map.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "grid/cells/graph.h"
#include "support/ascii_grid.h"
#include "support/seed.h"

namespace repath {
namespace {

struct Movement {
  Topology topology;
  CornerRule rule;
};

// Corridors two cells wide, mostly, so that pieces are long and cross many blocks; otherwise noise.
class Drawing {
 public:
  explicit Drawing(Random* random)
      : random_(*random),
        width_(1 + static_cast<int>(random->below(1300))),
        height_(1 + static_cast<int>(random->below(700))),
        rows_(static_cast<std::size_t>(height_),
              std::string(static_cast<std::size_t>(width_), '.')) {
    const std::uint32_t noise = random_.below(3) == 0 ? random_.below(60) : random_.below(3);
    for (std::string& row : rows_)
      for (char& c : row)
        if (random_.below(100) < noise) c = '#';
    for (std::uint32_t walls = random_.below(60); walls > 0; --walls) draw_wall('#');
  }

  void edit() {
    const char c = random_.below(2) == 0 ? '#' : '.';
    if (random_.below(3) == 0) return draw_wall(c);
    for (std::uint32_t flips = random_.below(10); flips > 0; --flips)
      rows_[random_.below(static_cast<std::uint32_t>(height_))]
           [random_.below(static_cast<std::uint32_t>(width_))] = c;
  }

  // Tiles that are equal to those in `last` are the same objects.
  GridLayer layer(const GridLayer* last) const {
    const GridLayer drawn = test::draw_layer({rows_.begin(), rows_.end()});
    if (last == nullptr) return drawn;
    GridLayer layer = *last;
    for (std::int32_t ty = 0; ty < layer.tiles_y(); ++ty)
      for (std::int32_t tx = 0; tx < layer.tiles_x(); ++tx)
        if (layer.tile(tx, ty).free != drawn.tile(tx, ty).free)
          layer.replace_tile(tx, ty, TileRef(new Tile(drawn.tile(tx, ty))));
    return layer;
  }

 private:
  // Draws a wall across the whole map or a part of it, sometimes with a gap.
  void draw_wall(char c) {
    const bool is_row = random_.below(2) == 0;
    const auto length = static_cast<std::uint32_t>(is_row ? width_ : height_);
    const std::uint32_t at = random_.below(static_cast<std::uint32_t>(is_row ? height_ : width_));
    const std::uint32_t from = random_.below(3) == 0 ? random_.below(length) : 0;
    const std::uint32_t to = random_.below(3) == 0 ? random_.below(length) : length;
    const std::uint32_t gap = random_.below(2) == 0 ? random_.below(length) : length;
    for (std::uint32_t i = from; i < to; ++i)
      if (i != gap) (is_row ? rows_[at][i] : rows_[i][at]) = c;
  }

  Random& random_;
  int width_;
  int height_;
  std::vector<std::string> rows_;
};

// Returns a number for each free cell, 0 for blocked ones, by the graph's own steps.
std::vector<std::uint32_t> plain_components(const GridGraph& graph) {
  std::vector<std::uint32_t> component(graph.node_count(), 0);
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < graph.node_count(); ++i) {
    if (!graph.layer().is_free(NodeId{i}) || component[i] != 0) continue;
    std::vector<NodeId> open{NodeId{i}};
    component[i] = ++last;
    while (!open.empty()) {
      const NodeId at = open.back();
      open.pop_back();
      graph.for_each_successor(at, [&](NodeId to, Cost) {
        if (component[index(to)] != 0) return;
        component[index(to)] = last;
        open.push_back(to);
      });
    }
  }
  return component;
}

// Returns some cells; neighbours are more likely than distant ones.
std::vector<NodeId> some_cells(Random* random, std::uint32_t count) {
  std::vector<NodeId> cells{NodeId{random->below(count)}};
  while (random->below(3) == 0) cells.push_back(NodeId{random->below(count)});
  return cells;
}

// With `is_all_known` every query has an answer.
void expect_answers(const ComponentMap& map, const std::vector<std::uint32_t>& plain,
                    bool is_all_known, Random* random) {
  const auto count = static_cast<std::uint32_t>(plain.size());
  for (int question = 0; question < 300; ++question) {
    const NodeId from{random->below(count)};
    const std::vector<NodeId> cells = some_cells(random, count);
    bool is_together = false;
    for (const NodeId cell : cells)
      is_together |= plain[index(from)] != 0 && plain[index(from)] == plain[index(cell)];
    const ComponentMap::Answer answer = map.ask(from, cells);
    if (answer == ComponentMap::Answer::kUnknown) {
      ASSERT_FALSE(is_all_known);
      continue;
    }
    ASSERT_EQ(answer == ComponentMap::Answer::kTogether, is_together) << "from " << index(from);
  }
}

void find_everything(const ComponentMap& map) {
  for (std::uint32_t block = 0; block < map.block_count(); ++block) ASSERT_TRUE(map.label(block));
  ASSERT_TRUE(map.join());
}

class ComponentMaps : public testing::TestWithParam<Movement> {};

TEST_P(ComponentMaps, AnswerAsAFloodDoes) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 12; ++round) {
    Drawing drawing(&random);
    GridLayer layer = drawing.layer(nullptr);
    ComponentMap map(layer, GetParam().topology);
    std::optional<ComponentMap> older;
    std::vector<std::uint32_t> older_plain;
    for (int edit = 0; edit < 8; ++edit) {
      const GridGraph graph(&layer, GetParam().topology, GetParam().rule);
      const std::vector<std::uint32_t> plain = plain_components(graph);
      // Labels some blocks, all blocks, or all blocks and their joints, in the map or in a copy.
      const ComponentMap copy = map;
      const ComponentMap& finder = random.below(2) == 0 ? map : copy;
      const std::uint32_t how_much = random.below(3);
      for (std::uint32_t block = 0; block < map.block_count(); ++block)
        if (how_much > 0 || random.below(2) == 0) {
          ASSERT_TRUE(finder.label(block));
        }
      if (how_much == 2) {
        ASSERT_TRUE(finder.join());
      }
      expect_answers(random.below(2) == 0 ? map : copy, plain, how_much == 2, &random);
      // Facts of an earlier layer, some known before and some found only now.
      if (older) {
        expect_answers(*older, older_plain, older->is_joined(), &random);
        find_everything(*older);
        expect_answers(*older, older_plain, true, &random);
      }
      if (HasFatalFailure()) return;
      if (random.below(2) == 0) {
        older = copy;
        older_plain = plain;
      }
      for (std::uint32_t edits = random.below(4); edits > 0; --edits) drawing.edit();
      layer = drawing.layer(&layer);
      map.update(layer);
    }
  }
}

// Edits forget only what they touch: the answers equal those of a new map.
TEST_P(ComponentMaps, AnswerTheSameAfterEditsAsAnew) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 6; ++round) {
    Drawing drawing(&random);
    GridLayer layer = drawing.layer(nullptr);
    ComponentMap map(layer, GetParam().topology);
    for (int edit = 0; edit < 10; ++edit) {
      find_everything(map);
      drawing.edit();
      layer = drawing.layer(&layer);
      map.update(layer);
    }
    find_everything(map);
    expect_answers(map, plain_components(GridGraph(&layer, GetParam().topology, GetParam().rule)),
                   true, &random);
    if (HasFatalFailure()) return;
  }
}

TEST_P(ComponentMaps, GiveTheirMemoryBack) {
  Random random(test::seed());
  const Cow<FactMemory> memory(new FactMemory);
  {
    Drawing drawing(&random);
    GridLayer layer = drawing.layer(nullptr);
    ComponentMap map(layer, GetParam().topology, memory);
    for (int edit = 0; edit < 10; ++edit) {
      const ComponentMap copy = map;
      find_everything(copy);
      EXPECT_GT(memory->bytes, 0u);
      drawing.edit();
      layer = drawing.layer(&layer);
      map.update(layer);
    }
  }
  EXPECT_EQ(memory->bytes, 0u);
}

TEST_P(ComponentMaps, MayBeAskedByManyThreadsAtOnce) {
  Random random(test::seed());
  for (int round = 0; round < 5; ++round) {
    Drawing drawing(&random);
    const GridLayer layer = drawing.layer(nullptr);
    const ComponentMap map(layer, GetParam().topology);
    const auto plain = plain_components(GridGraph(&layer, GetParam().topology, GetParam().rule));
    std::vector<std::thread> threads;
    for (std::uint64_t thread = 0; thread < 4; ++thread)
      threads.emplace_back([&map, &plain, seed = test::seed() + thread] {
        Random own(seed);
        for (std::uint32_t block = 0; block < map.block_count(); ++block) {
          EXPECT_TRUE(map.label(block));
          expect_answers(map, plain, false, &own);
        }
        map.join();
        expect_answers(map, plain, false, &own);
      });
    for (std::thread& thread : threads) thread.join();
    find_everything(map);
    expect_answers(map, plain, true, &random);
  }
}

// As a world's strand and its queries work.
TEST_P(ComponentMaps, MayGoOnWhileTheirCopiesAreAsked) {
  Random random(test::seed());
  for (int round = 0; round < 3; ++round) {
    Drawing drawing(&random);
    GridLayer layer = drawing.layer(nullptr);
    ComponentMap map(layer, GetParam().topology);
    std::vector<std::thread> threads;
    for (std::uint64_t edit = 0; edit < 6; ++edit) {
      auto plain = plain_components(GridGraph(&layer, GetParam().topology, GetParam().rule));
      for (std::uint64_t asker = 0; asker < 2; ++asker)
        threads.emplace_back([copy = map, plain, seed = test::seed() + 2 * edit + asker] {
          Random own(seed);
          for (std::uint32_t block = 0; block < copy.block_count(); ++block) copy.label(block);
          copy.join();
          expect_answers(copy, plain, false, &own);
        });
      drawing.edit();
      layer = drawing.layer(&layer);
      map.update(layer);
    }
    for (std::thread& thread : threads) thread.join();
    find_everything(map);
    expect_answers(map, plain_components(GridGraph(&layer, GetParam().topology, GetParam().rule)),
                   true, &random);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryRule, ComponentMaps,
                         testing::Values(Movement{Topology::k4, CornerRule::kNone},
                                         Movement{Topology::k8, CornerRule::kNone},
                                         Movement{Topology::k8, CornerRule::kOne},
                                         Movement{Topology::kHex, CornerRule::kNone}),
                         [](const auto& test) {
                           if (test.param.topology == Topology::k4) return "FourNeighbours";
                           if (test.param.topology == Topology::kHex) return "Hexagons";
                           return test.param.rule == CornerRule::kNone ? "NoCorners" : "OneFlank";
                         });

}  // namespace
}  // namespace repath
