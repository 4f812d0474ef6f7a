// Components against a plain flood, on random layers that are edited, with the labels updated a few
// units at a time.
#include "grid/components/components.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "grid/cells/graph.h"
#include "grid/components/surroundings.h"
#include "support/ascii_grid.h"
#include "support/seed.h"

namespace repath {
namespace {

using Rows = std::vector<std::string>;

Rows random_rows(Random* random, int width, int height) {
  Rows rows(static_cast<std::size_t>(height), std::string(static_cast<std::size_t>(width), '.'));
  const std::uint32_t walls = random->below(80);
  for (std::string& row : rows)
    for (char& c : row)
      if (random->below(100) < walls) c = '#';
  return rows;
}

GridLayer layer_of(const Rows& rows) { return test::draw_layer({rows.begin(), rows.end()}); }

// Floods by the graph's own steps, which also shows that movement rules do not matter.
std::vector<std::uint32_t> flood(const GridGraph& graph) {
  std::vector<std::uint32_t> component(graph.node_count(), Components::kNone);
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < graph.node_count(); ++i) {
    if (!graph.layer().is_free(NodeId{i}) || component[i] != Components::kNone) continue;
    std::vector<NodeId> open{NodeId{i}};
    component[i] = next;
    while (!open.empty()) {
      const NodeId at = open.back();
      open.pop_back();
      graph.for_each_successor(at, [&](NodeId to, Cost) {
        if (component[index(to)] != Components::kNone) return;
        component[index(to)] = next;
        open.push_back(to);
      });
    }
    ++next;
  }
  return component;
}

void expect_equal(const Components& components, const GridGraph& graph) {
  const std::vector<std::uint32_t> plain = flood(graph);
  std::map<std::uint32_t, std::uint32_t> ours;
  std::map<std::uint32_t, std::uint32_t> back;
  for (std::uint32_t i = 0; i < graph.node_count(); ++i) {
    const std::uint32_t c = components.component_of(graph.layer(), NodeId{i});
    ASSERT_EQ(c == Components::kNone, plain[i] == Components::kNone) << "cell " << i;
    if (c == Components::kNone) continue;
    ASSERT_EQ(ours.emplace(plain[i], c).first->second, c) << "cell " << i;
    ASSERT_EQ(back.emplace(c, plain[i]).first->second, plain[i]) << "cell " << i;
  }
}

// Changes some cells anywhere, or draws or removes a wall across the map.
void change(Random* random, Rows* rows, Components* components) {
  const auto height = static_cast<std::uint32_t>(rows->size());
  const auto width = static_cast<std::uint32_t>(rows->front().size());
  const auto put = [&](std::uint32_t x, std::uint32_t y, char c) {
    (*rows)[y][x] = c;
    components->touch(NodeId{y * width + x});
  };
  const std::uint32_t kind = random->below(5);
  const char c = random->below(2) == 0 ? '#' : '.';
  if (kind == 0) {
    const std::uint32_t y = random->below(height);
    for (std::uint32_t x = 0; x < width; ++x) put(x, y, c);
  } else if (kind == 1) {
    const std::uint32_t x = random->below(width);
    for (std::uint32_t y = 0; y < height; ++y) put(x, y, c);
  } else {
    for (std::uint32_t flips = random->below(10); flips > 0; --flips)
      put(random->below(width), random->below(height), c);
  }
}

struct Kind {
  Topology topology;
  CornerRule rule;
};

class ComponentsAreThoseOfAFlood : public testing::TestWithParam<Kind> {};

TEST_P(ComponentsAreThoseOfAFlood, AfterEveryEdit) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 40; ++round) {
    const int width = 1 + static_cast<int>(random.below(200));
    const int height = 1 + static_cast<int>(random.below(200));
    Rows rows = random_rows(&random, width, height);
    Components components(layer_of(rows), GetParam().topology);
    const bool is_sliced = random.below(4) == 0;
    for (int edit = 0; edit < 20; ++edit) {
      const GridLayer layer = layer_of(rows);
      const GridGraph graph(&layer, GetParam().topology, GetParam().rule);
      WorkUnits units = 0;
      bool is_done = false;
      // Sometimes the next edit comes before the labels are complete.
      const std::uint32_t slices = random.below(3) == 0 ? random.below(20) : 2000;
      for (std::uint32_t slice = 0; slice < slices && !is_done; ++slice) {
        units = slices < 20 || is_sliced ? 4 + random.below(40) : 100'000;
        is_done = components.update(layer, &units);
      }
      ASSERT_TRUE(is_done || slices < 20);
      if (is_done) expect_equal(components, graph);
      if (HasFatalFailure()) return;
      for (std::uint32_t changes = random.below(4); changes > 0; --changes)
        change(&random, &rows, &components);
    }
  }
}

// A box of blocked cells anywhere, some of them blocked before: connected cells stay connected
// unless may_part() reported otherwise. Most boxes that part nothing must be recognised.
TEST_P(ComponentsAreThoseOfAFlood, WhatCannotPartThemDoesNot) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int whole = 0;
  int cleared = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::uint32_t width = 1 + random.below(16);
    const std::uint32_t height = 1 + random.below(16);
    Rows rows = random_rows(&random, static_cast<int>(width), static_cast<int>(height));
    const GridLayer before = layer_of(rows);
    const auto was = flood(GridGraph(&before, GetParam().topology, GetParam().rule));
    const std::uint32_t x0 = random.below(width);
    const std::uint32_t y0 = random.below(height);
    std::vector<NodeId> blocked;
    for (std::uint32_t y = y0; y < std::min(height, y0 + 1 + random.below(4)); ++y)
      for (std::uint32_t x = x0; x < std::min(width, x0 + 1 + random.below(4)); ++x) {
        if (rows[y][x] == '.' && random.below(20) > 0) blocked.push_back(NodeId{y * width + x});
        if (!blocked.empty() && blocked.back() == NodeId{y * width + x}) rows[y][x] = '#';
      }
    if (blocked.empty()) continue;
    const GridLayer after = layer_of(rows);
    const auto is = flood(GridGraph(&after, GetParam().topology, GetParam().rule));
    std::map<std::uint32_t, std::uint32_t> piece_of;
    bool parts = false;
    for (std::size_t i = 0; i < is.size(); ++i)
      if (is[i] != Components::kNone)
        parts |= piece_of.emplace(was[i], is[i]).first->second != is[i];
    const bool may = may_part(after, blocked);
    ASSERT_TRUE(may || !parts) << "round " << round;
    whole += parts ? 0 : 1;
    cleared += may ? 0 : 1;
  }
  EXPECT_GT(cleared, whole / 3);
}

// A pocket is ground that a flood does not leave. Small pockets well inside the window are found.
TEST_P(ComponentsAreThoseOfAFlood, AndPocketsAreSmallOnes) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int apart = 0;
  int found = 0;
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t width = 1 + random.below(150);
    const std::uint32_t height = 1 + random.below(80);
    const Rows rows = random_rows(&random, static_cast<int>(width), static_cast<int>(height));
    const GridLayer layer = layer_of(rows);
    const auto component = flood(GridGraph(&layer, GetParam().topology, GetParam().rule));
    for (int look = 0; look < 20; ++look) {
      const NodeId other{random.below(width * height)};
      std::vector<NodeId> cells{NodeId{random.below(width * height)}};
      while (random.below(3) == 0) {
        const std::uint32_t next = index(cells.back()) + random.below(3);
        if (next < width * height) cells.push_back(NodeId{next});
      }
      const bool meet = std::ranges::any_of(cells, [&](NodeId cell) {
        return layer.is_free(cell) && layer.is_free(other) &&
               component[index(cell)] == component[index(other)];
      });
      const bool is_pocket = in_pocket(layer, GetParam().topology, cells, other);
      ASSERT_FALSE(is_pocket && meet) << "round " << round;
      apart += meet ? 0 : 1;
      found += is_pocket ? 1 : 0;
    }
  }
  EXPECT_GT(found, apart / 4);
}

INSTANTIATE_TEST_SUITE_P(EveryRule, ComponentsAreThoseOfAFlood,
                         testing::Values(Kind{Topology::k4, CornerRule::kNone},
                                         Kind{Topology::k8, CornerRule::kNone},
                                         Kind{Topology::k8, CornerRule::kOne},
                                         Kind{Topology::kHex, CornerRule::kNone}),
                         [](const auto& test) {
                           if (test.param.topology == Topology::k4) return "FourNeighbours";
                           if (test.param.topology == Topology::kHex) return "Hexagons";
                           return test.param.rule == CornerRule::kNone ? "NoCorners" : "OneFlank";
                         });

WorkUnits units_to_update(Components* components, const Rows& rows) {
  WorkUnits units = 100'000;
  EXPECT_TRUE(components->update(layer_of(rows), &units));
  return 100'000 - units;
}

// An edit costs its bands; more only if parts are joined differently than before.
TEST(Components, LookAtWhatWasTouched) {
  constexpr std::uint64_t kBands = 10 * 40;
  Rows rows(640, std::string(640, '.'));
  Components components(layer_of(rows));
  const auto wall = [&](std::uint32_t y, std::uint32_t from, std::uint32_t to, char c) {
    for (std::uint32_t x = from; x < to; ++x) {
      rows[y][x] = c;
      components.touch(NodeId{y * 640 + x});
    }
  };
  EXPECT_EQ(units_to_update(&components, rows), kBands * (Components::kUnitsToLabel + 1));
  EXPECT_EQ(units_to_update(&components, rows), 0u);
  wall(100, 100, 101, '#');
  EXPECT_EQ(units_to_update(&components, rows), Components::kUnitsToLabel);
  // The wall cuts a band in two; its halves meet again two bands further on.
  wall(70, 64, 128, '#');
  EXPECT_EQ(units_to_update(&components, rows), Components::kUnitsToLabel + 2);
  // The wall cuts the map in two; then the gap in it is opened again.
  wall(70, 0, 640, '#');
  EXPECT_EQ(units_to_update(&components, rows), 161u);
  wall(70, 300, 301, '.');
  EXPECT_EQ(units_to_update(&components, rows), 54u);
}

}  // namespace
}  // namespace repath
