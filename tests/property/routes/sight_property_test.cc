// Waypoints linked by sight against a plain model of maps and of plans, with whole numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "routes/sight_import.h"
#include "support/random_polygons.h"
#include "support/seed.h"

namespace repath {
namespace {

// Points are whole steps.
struct At {
  std::int64_t x = 0;
  std::int64_t z = 0;
};

// A place on a line: the share n / d of its way, d > 0.
struct Share {
  std::int64_t n = 0;
  std::int64_t d = 1;
  bool operator<(const Share& other) const { return n * other.d < other.n * d; }
  bool operator==(const Share& other) const { return n * other.d == other.n * d; }
};

Share share(std::int64_t n, std::int64_t d) { return d < 0 ? Share{-n, -d} : Share{n, d}; }

// Returns whether test(middle x, middle z, scale) holds in the middle between every two shares that
// follow each other. The coordinates of the middle are multiplied by `scale`.
template <class Test>
bool all_middles(At a, At b, std::vector<Share> shares, Test test) {
  shares.push_back({0, 1});
  shares.push_back({1, 1});
  std::sort(shares.begin(), shares.end());
  for (std::size_t i = 0; i + 1 < shares.size(); ++i) {
    const Share s = shares[i];
    const Share t = shares[i + 1];
    if (s == t || s < Share{0, 1} || Share{1, 1} < t) continue;
    const std::int64_t scale = 2 * s.d * t.d;
    const std::int64_t part = s.n * t.d + t.n * s.d;
    if (!test(a.x * scale + (b.x - a.x) * part, a.z * scale + (b.z - a.z) * part, scale))
      return false;
  }
  return true;
}

std::int64_t floor_div(std::int64_t n, std::int64_t d) {
  return n >= 0 ? n / d : -((-n + d - 1) / d);
}

// A map whose cells are kStep steps wide.
constexpr std::int64_t kStep = 4;

struct Cells {
  std::vector<std::string> rows;
  bool rule_is_one = false;

  bool free(std::int64_t x, std::int64_t y) const {
    return rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == '.';
  }
  // Cells hold their lower borders. A line is free if it passes free cells only and no corner that
  // the rule shuts.
  bool sees(At a, At b) const {
    std::vector<Share> shares;
    std::vector<Share> across_x;
    for (std::int64_t x = 0; x <= 20 * kStep; x += kStep)
      if (a.x != b.x) across_x.push_back(share(x - a.x, b.x - a.x));
    shares = across_x;
    for (std::int64_t z = 0; z <= 20 * kStep; z += kStep) {
      if (a.z == b.z) break;
      const Share at = share(z - a.z, b.z - a.z);
      shares.push_back(at);
      // A corner belongs to the cell below and to the right of it.
      const bool is_left = at == Share{0, 1} && b.x < a.x && b.z < a.z;
      const bool is_entered = at == Share{1, 1} && b.x > a.x && b.z > a.z;
      const bool is_within = Share{0, 1} < at && at < Share{1, 1};
      if (!(is_within || is_left || is_entered) ||
          std::find(across_x.begin(), across_x.end(), at) == across_x.end())
        continue;
      // The corner at (x, z), and the two cells beside the line there.
      const std::int64_t cx = (a.x + (b.x - a.x) * at.n / at.d) / kStep;
      const std::int64_t cz = z / kStep;
      const bool falls = (b.x > a.x) == (b.z > a.z);
      const bool one = free(cx, falls ? cz - 1 : cz);
      const bool other = free(cx - 1, falls ? cz : cz - 1);
      if (rule_is_one ? !one && !other : !one || !other) return false;
    }
    if (!free(b.x / kStep, b.z / kStep)) return false;
    return all_middles(a, b, shares, [&](std::int64_t x, std::int64_t z, std::int64_t scale) {
      return free(floor_div(x, kStep * scale), floor_div(z, kStep * scale));
    });
  }
};

std::string nodes_text(const std::vector<At>& nodes, double unit) {
  std::string text = R"("nodes":[)";
  for (std::size_t i = 0; i < nodes.size(); ++i)
    text += (i == 0 ? R"({"id":)" : R"(,{"id":)") + std::to_string(i) + R"(,"position":[)" +
            std::to_string(static_cast<double>(nodes[i].x) * unit) + ",0," +
            std::to_string(static_cast<double>(nodes[i].z) * unit) + "]}";
  return text + "]";
}

using Links = std::set<std::pair<std::uint64_t, std::uint64_t>>;

template <class Sees>
Links model_links(const std::vector<At>& nodes, std::int64_t distance, Sees sees) {
  Links links;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::size_t k = i + 1; k < nodes.size(); ++k) {
      const std::int64_t dx = nodes[i].x - nodes[k].x;
      const std::int64_t dz = nodes[i].z - nodes[k].z;
      if (dx * dx + dz * dz <= distance * distance && sees(nodes[i], nodes[k]))
        links.insert({i, k});
    }
  return links;
}

Links links_of(const GraphSource& graph) {
  Links links;
  for (const GraphEdge& edge : graph.edges)
    EXPECT_TRUE(links.insert({edge.from, edge.to}).second) << "linked twice";
  return links;
}

TEST(SightModel, LinksOverMapsAreThoseOfTheModel) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  std::size_t linked = 0;
  std::size_t apart = 0;
  for (int round = 0; round < 150; ++round) {
    Cells map;
    map.rule_is_one = random.below(2) == 0;
    const std::uint32_t blocked = 5 + random.below(40);
    for (int y = 0; y < 20; ++y) {
      map.rows.emplace_back();
      for (int x = 0; x < 20; ++x) map.rows.back() += random.below(100) < blocked ? '#' : '.';
    }
    std::vector<At> nodes;
    while (nodes.size() < 40) {
      const At at{random.below(20 * kStep), random.below(20 * kStep)};
      if (map.free(at.x / kStep, at.z / kStep)) nodes.push_back(at);
    }
    const std::int64_t distance = 1 + random.below(60);
    const double unit = random.below(2) == 0 ? 0.25 : 1;  // a step
    std::string text;
    for (const std::string& row : map.rows) text += row + "\\n";
    const auto graph = import_sight_json(
        "{" + nodes_text(nodes, unit) + R"(,"link_distance":)" +
        std::to_string(static_cast<double>(distance) * unit) + R"(,"cell_size":)" +
        std::to_string(kStep * unit) + R"(,"corner_rule":")" + (map.rule_is_one ? "one" : "none") +
        R"(","map":")" + text + "\"}");
    ASSERT_TRUE(graph.ok()) << graph.status();
    const Links expected = model_links(nodes, distance, [&](At a, At b) { return map.sees(a, b); });
    ASSERT_EQ(links_of(*graph), expected) << "round " << round;
    linked += expected.size();
    apart += model_links(nodes, distance, [](At, At) { return true; }).size() - expected.size();
  }
  EXPECT_GT(linked, 5000u);
  EXPECT_GT(apart, 5000u);
}

// The polygons of a plan in whole millimetres.
struct Polygons {
  std::vector<std::vector<At>> rings;  // the first is the outline

  // By the parity of edges to the left; a point on an edge is on the rim.
  static bool is_inside(const std::vector<At>& ring, std::int64_t x, std::int64_t z,
                        std::int64_t scale, bool* on_rim) {
    bool inside = false;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      At a = ring[i];
      At b = ring[(i + 1) % ring.size()];
      if (a.z > b.z || (a.z == b.z && a.x > b.x)) std::swap(a, b);
      const Wide side = Wide{b.x - a.x} * (z - a.z * scale) - Wide{b.z - a.z} * (x - a.x * scale);
      const bool in_rows = a.z * scale <= z && z <= b.z * scale;
      const bool in_columns = std::min(a.x, b.x) * scale <= x && x <= std::max(a.x, b.x) * scale;
      if (side == 0 && in_rows && in_columns) *on_rim = true;
      if (a.z * scale <= z && z < b.z * scale && side < 0) inside = !inside;
    }
    return inside;
  }
  bool is_ground(std::int64_t x, std::int64_t z, std::int64_t scale) const {
    for (std::size_t r = 0; r < rings.size(); ++r) {
      bool on_rim = false;
      const bool inside = is_inside(rings[r], x, z, scale, &on_rim);
      if (!on_rim && inside != (r == 0)) return false;
    }
    return true;
  }
  bool sees(At a, At b) const {
    std::vector<Share> shares;
    for (const auto& ring : rings)
      for (std::size_t i = 0; i < ring.size(); ++i) {
        const At c = ring[i];
        const At d = ring[(i + 1) % ring.size()];
        const std::int64_t from = (d.x - c.x) * (a.z - c.z) - (d.z - c.z) * (a.x - c.x);
        const std::int64_t to = (d.x - c.x) * (b.z - c.z) - (d.z - c.z) * (b.x - c.x);
        if (from != to) shares.push_back(share(from, from - to));
        if (a.x != b.x) shares.push_back(share(c.x - a.x, b.x - a.x));
        if (a.z != b.z) shares.push_back(share(c.z - a.z, b.z - a.z));
      }
    return all_middles(a, b, shares, [&](std::int64_t x, std::int64_t z, std::int64_t scale) {
      return is_ground(x, z, scale);
    });
  }
};

// Returns a random plan on a raster of 32 x 32, on which many corners lie on one line. Empty if its
// rings touch.
Polygons random_raster_plan(Random* random) {
  const auto star = [random](Point center, double reach, std::uint32_t corners) {
    std::vector<At> ring;
    for (const Point p : test::random_star(random, center, reach, corners).points)
      ring.push_back({std::llround(p.x), std::llround(p.z)});
    return ring;
  };
  const auto polygon_of = [](const std::vector<At>& ring) {
    Polygon polygon;
    for (const At p : ring)
      polygon.points.push_back({static_cast<double>(p.x), static_cast<double>(p.z)});
    return polygon;
  };
  Polygons plan;
  plan.rings.push_back(star({16, 16}, 16, 5 + random->below(8)));
  if (!check_polygon(polygon_of(plan.rings[0])).ok()) return {};
  for (int i = 0; i < 5; ++i) {
    const Point center{4 + 24 * random->unit(), 4 + 24 * random->unit()};
    const std::vector<At> hole = star(center, 2 + 3 * random->unit(), 3 + random->below(4));
    if (!check_polygon(polygon_of(hole)).ok()) continue;
    const LatticeRing ring = test::to_lattice(polygon_of(hole).points);
    bool is_clear = true;
    for (const auto& other : plan.rings) {
      const LatticeRing rim = test::to_lattice(polygon_of(other).points);
      const bool is_outer = &other == &plan.rings[0];
      is_clear = is_clear && !test::rings_meet(ring, rim) &&
                 test::lies_inside(rim.data(), rim.size(), ring[0]) == is_outer &&
                 (is_outer || !test::lies_inside(ring.data(), ring.size(), rim[0]));
    }
    if (is_clear) plan.rings.push_back(hole);
  }
  return plan;
}

TEST(SightModel, LinksOverPlansAreThoseOfTheModel) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 1);
  std::size_t linked = 0;
  std::size_t apart = 0;
  for (int round = 0; round < 200; ++round) {
    const Polygons plan = random_raster_plan(&random);
    if (plan.rings.empty()) continue;
    std::vector<At> nodes;
    for (int tries = 0; nodes.size() < 30 && tries < 2000; ++tries) {
      const At at{random.below(33), random.below(33)};
      if (plan.is_ground(at.x, at.z, 1)) nodes.push_back(at);
    }
    std::string text = R"(,"plan":{"outer":)";
    for (std::size_t r = 0; r < plan.rings.size(); ++r) {
      text += r == 0 ? "" : r == 1 ? R"(,"holes":[)" : ",";
      for (std::size_t i = 0; i < plan.rings[r].size(); ++i)
        text += (i == 0 ? "[[" : ",[") + std::to_string(plan.rings[r][i].x) + "," +
                std::to_string(plan.rings[r][i].z) + "]";
      text += "]";
    }
    text += plan.rings.size() > 1 ? "]}}" : "}}";
    const std::int64_t distance = 1 + random.below(45);
    const auto graph = import_sight_json("{" + nodes_text(nodes, 1) + R"(,"link_distance":)" +
                                         std::to_string(distance) + text);
    ASSERT_TRUE(graph.ok()) << graph.status() << text;
    const Links expected =
        model_links(nodes, distance, [&](At a, At b) { return plan.sees(a, b); });
    ASSERT_EQ(links_of(*graph), expected) << "round " << round << text;
    linked += expected.size();
    apart += model_links(nodes, distance, [](At, At) { return true; }).size() - expected.size();
  }
  EXPECT_GT(linked, 5000u);
  EXPECT_GT(apart, 3000u);
}

}  // namespace
}  // namespace repath
