// Components against a plain flood, on random layers that are edited, with the labels brought up to
// date a few units at a time.
#include "grid/components.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "grid/graph.h"
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

// By the graph's own steps, so that it also shows that no rule of movement matters.
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
    Components components(layer_of(rows));
    for (int edit = 0; edit < 6; ++edit) {
      const GridLayer layer = layer_of(rows);
      const GridGraph graph(&layer, GetParam().topology, GetParam().rule);
      WorkUnits units = 0;
      bool is_done = false;
      // Now and then the next edit comes before the labels are there.
      const std::uint32_t slices = random.below(3) == 0 ? random.below(20) : 200;
      for (std::uint32_t slice = 0; slice < slices && !is_done; ++slice) {
        units = 2 + random.below(4);
        is_done = components.update(layer, &units);
      }
      ASSERT_TRUE(is_done || slices < 20);
      if (is_done) expect_equal(components, graph);
      if (HasFatalFailure()) return;
      for (std::uint32_t flips = random.below(30); flips > 0; --flips) {
        const std::uint32_t cell = random.below(static_cast<std::uint32_t>(width * height));
        char& c = rows[cell / static_cast<std::uint32_t>(width)]
                      [cell % static_cast<std::uint32_t>(width)];
        c = c == '#' ? '.' : '#';
        components.touch(NodeId{cell});
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryRule, ComponentsAreThoseOfAFlood,
                         testing::Values(Kind{Topology::k4, CornerRule::kNone},
                                         Kind{Topology::k8, CornerRule::kNone},
                                         Kind{Topology::k8, CornerRule::kOne}),
                         [](const auto& test) {
                           if (test.param.topology == Topology::k4) return "FourNeighbours";
                           return test.param.rule == CornerRule::kNone ? "NoCorners" : "OneFlank";
                         });

WorkUnits units_to_update(Components* components, const Rows& rows) {
  WorkUnits units = 1000;
  EXPECT_TRUE(components->update(layer_of(rows), &units));
  return 1000 - units;
}

// An edit costs its tile and three borders; the map, one unit for 16 tiles, only if labels meet
// otherwise than before.
TEST(Components, RelabelWhatWasTouched) {
  Rows rows(640, std::string(640, '.'));
  Components components(layer_of(rows));
  EXPECT_EQ(units_to_update(&components, rows), 200u + 100u + 7u);
  EXPECT_EQ(units_to_update(&components, rows), 0u);
  rows[100][100] = '#';
  components.touch(NodeId{100 * 640 + 100});
  EXPECT_EQ(units_to_update(&components, rows), 2u + 3u);
  for (std::uint32_t x = 64; x < 128; ++x) {
    rows[70][x] = '#';
    components.touch(NodeId{70 * 640 + x});
  }
  EXPECT_EQ(units_to_update(&components, rows), 2u + 3u + 7u);
}

}  // namespace
}  // namespace repath
