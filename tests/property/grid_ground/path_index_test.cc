// PathIndex against a look at every step of every path.
#include "grid_ground/path_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "support/ascii_grid.h"
#include "support/seed.h"

namespace repath {
namespace {

constexpr std::uint32_t kMapSide = 100;
constexpr std::uint32_t kAgents = 60;
constexpr std::int32_t kLast = kMapSide - 1;

class PathIndexProperty : public ::testing::Test {
 protected:
  PathIndexProperty() {
    for (std::uint64_t id = 1; id <= kAgents; ++id) agents_.add(AgentId{id});
  }

  // Gives the agent a random walk over the map. Every second walk ends as the walk before it does.
  // It is made from its end on.
  void give_path(Slot slot) {
    HeldPath& path = agents_[slot].path;
    const auto ahead = static_cast<std::uint32_t>(path.points.size()) - path.at;
    const std::size_t kept = ahead > 0 && random_.below(2) == 0 ? 1 + random_.below(ahead) : 0;
    std::ranges::reverse(path.points);
    path.points.resize(kept);
    if (kept == 0) path.points.push_back(layer_.node_at(some_place(), some_place()));
    for (std::uint32_t left = 1 + random_.below(100); left > 0; --left) {
      const Place end = place_of(layer_, path.points.back());
      const NodeId next = layer_.node_at(some_place_near(end.x), some_place_near(end.y));
      if (next != path.points.back()) path.points.push_back(next);
    }
    std::ranges::reverse(path.points);
    path.at = 0;
    agents_.row(slot).standing = Standing::kPath;
    index_.add(layer_, slot, kept);
  }
  std::int32_t some_place() { return static_cast<std::int32_t>(random_.below(kMapSide)); }
  std::int32_t some_place_near(std::int32_t place) {
    return std::clamp(place + static_cast<std::int32_t>(random_.below(3)) - 1, 0, kLast);
  }

  std::vector<EdgeChange> some_changes() {
    std::vector<EdgeChange> changes;
    const std::uint32_t near = random_.below(2) == 0 ? 6 : kMapSide;  // together, or anywhere
    const std::uint32_t left = random_.below(kMapSide - near + 1);
    const std::uint32_t top = random_.below(kMapSide - near + 1);
    for (int i = 0; i < 40; ++i) {
      const auto x = static_cast<std::int32_t>(left + random_.below(near));
      const auto y = static_cast<std::int32_t>(top + random_.below(near));
      const NodeId from = layer_.node_at(x, y);
      for (std::int32_t dx = -1; dx <= 1; ++dx)
        for (std::int32_t dy = 0; dy <= 1; ++dy)
          if (layer_.contains(x + dx, y + dy) && (dx != 0 || dy != 0))
            changes.push_back({from, layer_.node_at(x + dx, y + dy)});
    }
    const auto edge = [](const EdgeChange& c) { return std::pair(c.from, c.to); };
    std::ranges::sort(changes, {}, edge);
    const auto is_again = [&](const EdgeChange& a, const EdgeChange& b) {
      return edge(a) == edge(b);
    };
    changes.erase(std::unique(changes.begin(), changes.end(), is_again), changes.end());
    return changes;
  }

  using Hit = std::tuple<Slot, std::uint32_t, NodeId, NodeId>;
  std::vector<Hit> found(const std::vector<EdgeChange>& changes) {
    std::vector<PathHit> hits;
    index_.find(ViewId{}, layer_, changes, &hits);
    std::vector<Hit> all;
    for (const PathHit& hit : hits)
      all.emplace_back(hit.slot, hit.step, hit.change->from, hit.change->to);
    return all;
  }
  std::vector<Hit> looked_up(const std::vector<EdgeChange>& changes) const {
    std::vector<Hit> all;
    for (Slot slot = 0; slot < kAgents; ++slot) {
      if (agents_.row(slot).standing != Standing::kPath) continue;
      const HeldPath& path = agents_[slot].path;
      for (std::uint32_t step = path.at; step + 1 < path.points.size(); ++step)
        for (const EdgeChange& change : changes)
          if (change.from == path.points[step] && change.to == path.points[step + 1])
            all.emplace_back(slot, step, change.from, change.to);
    }
    return all;
  }

  Random random_{test::seed()};
  GridLayer layer_ =
      test::draw_layer(std::vector<std::string_view>(kMapSide, std::string(kMapSide, '.')));
  AgentTable agents_;
  PathIndex index_{agents_, kMapSide, kMapSide};
};

TEST_F(PathIndexProperty, FindsTheStepsThatAreStillAhead) {
  SCOPED_TRACE(test::seed_trace());
  std::size_t hits = 0;
  for (int i = 0; i < 4'000; ++i) {
    const auto slot = Slot{random_.below(kAgents)};
    HeldPath& path = agents_[slot].path;
    switch (random_.below(4)) {
      case 0:
        agents_.row(slot).standing = Standing::kCutOff;
        path = {};
        index_.remove(slot);
        break;
      case 1:
        if (agents_.row(slot).standing == Standing::kPath)
          path.at += random_.below(static_cast<std::uint32_t>(path.points.size()) - path.at);
        break;
      default:
        give_path(slot);
    }
    if (i % 8 != 0) continue;
    const std::vector<EdgeChange> changes = some_changes();
    const std::vector<Hit> wanted = looked_up(changes);
    ASSERT_EQ(found(changes), wanted);
    hits += wanted.size();
  }
  EXPECT_GT(hits, 1'000u);
}

TEST_F(PathIndexProperty, FindsWhoseWayGoesOnFromWithinABox) {
  SCOPED_TRACE(test::seed_trace());
  std::size_t walkers = 0;
  for (int i = 0; i < 4'000; ++i) {
    const auto slot = Slot{random_.below(kAgents)};
    HeldPath& path = agents_[slot].path;
    const bool holds = agents_.row(slot).standing == Standing::kPath;
    const std::uint32_t what = random_.below(8);
    if (what == 0) {
      agents_.row(slot).standing = Standing::kCutOff;
      path = {};
      index_.remove(slot);
    } else if (what < 5 && holds) {
      path.at += random_.below(static_cast<std::uint32_t>(path.points.size()) - path.at);
    } else {
      give_path(slot);
    }
    if (path.holds()) agents_.row(slot).origin = place_of(layer_, path.points[path.at]);
    const Place corner{some_place(), some_place()};
    const PlaceBox box{corner.x - 10, corner.y - 20, corner.x + 30, corner.y + 5};
    std::set<Slot> wanted;
    for (Slot s = 0; s < kAgents; ++s)
      if (agents_.row(s).standing == Standing::kPath && box.contains(agents_.row(s).origin) &&
          agents_[s].path.at + 1 < agents_[s].path.points.size())
        wanted.insert(s);
    std::vector<Slot> found;
    index_.find_walkers(layer_, box, kAgents, &found);
    ASSERT_EQ(found.size(), wanted.size()) << "each once";
    ASSERT_EQ(std::set(found.begin(), found.end()), wanted);
    walkers += wanted.size();
    found.clear();
    index_.find_walkers(layer_, box, 2, &found);
    ASSERT_EQ(found.size(), std::min<std::size_t>(2, wanted.size()));
  }
  EXPECT_GT(walkers, 1'000u);
}

// No search runs, so only the sweep drops dead entries.
TEST_F(PathIndexProperty, TakesNoMemoryForPathsThatWereReplaced) {
  SCOPED_TRACE(test::seed_trace());
  const auto replace_all = [&](int times) {
    for (int i = 0; i < times; ++i)
      for (Slot slot = 0; slot < kAgents; ++slot) give_path(slot);
  };
  replace_all(10);
  const std::uint64_t bytes = index_.bytes();
  replace_all(200);
  EXPECT_LT(index_.bytes(), 2 * bytes);
}

}  // namespace
}  // namespace repath
