// Random batches on random worlds: views, deltas, hashes and rejections against the naive world.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "property/world/naive_world.h"
#include "support/seed.h"

namespace repath {
namespace {

class RandomWorld {
 public:
  explicit RandomWorld(std::uint64_t seed) : random_(seed) {
    GridMap map{.width = 1 + int_below(110), .height = 1 + int_below(90)};
    map.cells.resize(static_cast<std::size_t>(map.width) * static_cast<std::size_t>(map.height));
    for (TerrainId& t : map.cells) t = random_.below(3) == 0 ? terrain() : TerrainId{0};
    const double cell_size = random_.below(2) == 0 ? 1 : 0.25 + random_.unit() * 3;
    naive = {map, cell_size, {}};
    naive.profiles = {Profile{}, profile("second"), profile("third")};
    auto made = World::create(
        {.name = "w", .map = map, .cell_size = cell_size, .profiles = naive.profiles}, {});
    EXPECT_TRUE(made.ok()) << made.status();
    world = *std::move(made);
  }

  ChangeBatch batch() {
    ChangeBatch b;
    std::vector<ObstacleId> named;
    const auto fresh = [&](ObstacleId id) {
      if (std::find(named.begin(), named.end(), id) != named.end()) return false;
      named.push_back(id);
      return true;
    };
    for (std::uint32_t n = random_.below(6); n > 0; --n) {
      const ObstacleId id{random_.below(40)};
      if (fresh(id)) b.upsert_obstacles.push_back(obstacle(id));
    }
    for (const auto& [id, spec] : naive.obstacles) {
      if (random_.below(8) == 0 && fresh(id)) b.remove_obstacles.push_back(id);
      if (random_.below(5) == 0 && fresh(id))
        b.switch_obstacles.push_back({id, random_.below(2) == 0});
    }
    for (std::uint32_t n = random_.below(3); n > 0; --n)
      b.terrain_edits.push_back({rect(), terrain()});
    for (std::uint32_t n = random_.below(4); n > 0; --n) {
      if (random_.below(4) == 0) {
        b.decay_influence.push_back({team(), layer(), int_below(1000), {}});
        if (random_.below(2) == 0) b.decay_influence.back().cells = rect();
      } else {
        b.influence_edits.push_back({patch(), team(), layer(), level_change()});
      }
    }
    for (std::uint64_t id = 0; id < 8; ++id) {
      if (random_.below(4) != 0) continue;
      if (naive.bodies.contains(AgentId{id}) && random_.below(2) == 0) {
        b.walk_on.push_back(AgentId{id});
      } else {
        b.stand.push_back({AgentId{id}, shape()});
      }
    }
    for (std::uint32_t n = random_.below(3); n > 0; --n)
      b.fog_edits.push_back({patch(), team(), random_.below(3) == 0});
    if (random_.below(20) == 0)
      b.add_profiles.push_back(profile("added" + std::to_string(naive.revision)));
    if (b.entries() == 0) b.terrain_edits.push_back({rect(), terrain()});
    return b;
  }

  std::int32_t int_below(std::int32_t n) {
    return static_cast<std::int32_t>(random_.below(static_cast<std::uint32_t>(n)));
  }
  // Sometimes the whole map or whole tiles of it.
  Shape patch() {
    switch (random_.below(4)) {
      case 0:
        return CellRect{0, 0, naive.map.width, naive.map.height};
      case 1:
        return CellRect{0, 0, 64, 64};
      default:
        return shape();
    }
  }
  LevelChange any_change() {
    if (random_.below(4) == 0) return {LevelChange::Kind::kKeep, int_below(1000)};
    return level_change();
  }
  TeamId team() { return TeamId{static_cast<std::uint8_t>(random_.below(3))}; }
  const Profile& any_profile() {
    return naive.profiles[random_.below(static_cast<std::uint32_t>(naive.profiles.size()))];
  }
  Random& random() { return random_; }

  test::NaiveWorld naive;
  std::unique_ptr<World> world;

 private:
  TerrainId terrain() {
    return TerrainId{static_cast<std::uint8_t>(
        random_.below(static_cast<std::uint32_t>(default_terrain().size())))};
  }
  CellRect rect() {
    const std::int32_t x = int_below(naive.map.width);
    const std::int32_t y = int_below(naive.map.height);
    return {x - int_below(3), y - int_below(3), x + 1 + int_below(random_.below(4) == 0 ? 90 : 6),
            y + 1 + int_below(random_.below(4) == 0 ? 90 : 6)};
  }
  Point point() {
    return {(random_.unit() * 1.2 - 0.1) * naive.map.width * naive.cell_size,
            (random_.unit() * 1.2 - 0.1) * naive.map.height * naive.cell_size};
  }
  double extent() {
    return (0.05 + random_.unit() * (random_.below(5) == 0 ? 40 : 4)) * naive.cell_size;
  }
  Shape shape() {
    switch (random_.below(5)) {
      case 0:
        return rect();
      case 1:
        return Box{point(), extent(), extent(), random_.unit() * 7};
      case 2:
        return Circle{point(), extent()};
      case 3:
        return Capsule{point(), point(), extent()};
      default: {
        const Point p = point();
        return Polygon{{{p.x, p.z}, {p.x + extent(), p.z}, {p.x, p.z + extent()}}};
      }
    }
  }
  std::uint8_t layer() { return static_cast<std::uint8_t>(random_.below(2) * 7); }
  LevelChange level_change() {
    const bool sets = random_.below(2) == 0;
    const std::int32_t most = random_.below(5) == 0 ? kLevelMax + 1 : 300;
    return {sets ? LevelChange::Kind::kSet : LevelChange::Kind::kAdd,
            int_below(most) - (sets || random_.below(2) == 0 ? 0 : most - 1)};
  }
  // In cells; some radii put centres exactly on the rim.
  double radius() {
    switch (random_.below(8)) {
      case 0:
        return 32;
      case 1:
        return random_.unit() * 12;
      default:
        return std::vector<double>{0.5, 1, 1.5, 2.5, std::sqrt(0.5)}[random_.below(5)];
    }
  }
  ObstacleSpec obstacle(ObstacleId id) {
    ObstacleSpec spec{.id = id, .shape = shape()};
    if (random_.below(3) == 0)
      spec.effect = {false, 1 + random_.unit() * (random_.below(2) == 0 ? 3 : 900)};
    if (random_.below(2) == 0) spec.teams = 1 + random_.below(7);
    spec.enabled = random_.below(4) != 0;
    return spec;
  }
  Profile profile(const std::string& name) {
    Profile p{.name = name};
    p.topology = std::vector<Topology>{Topology::k4, Topology::kHex, Topology::k8,
                                       Topology::k8}[random_.below(4)];
    p.corner_rule = random_.below(2) == 0 ? CornerRule::kNone : CornerRule::kOne;
    for (std::uint8_t t = 0; t < default_terrain().size(); ++t)
      if (random_.below(6) == 0)
        p.terrain_rules.push_back({TerrainId{t}, 1 + random_.unit() * 5, random_.below(3) == 0});
    if (random_.below(2) == 0) p.radius = radius() * naive.cell_size;
    return p;
  }

  Random random_;
};

void expect_layer(const GridLayer& layer, const std::vector<Factor>& expected) {
  const bool uniform = std::all_of(expected.begin(), expected.end(),
                                   [](Factor f) { return f == 0 || f == kFactorOne; });
  ASSERT_EQ(layer.is_uniform(), uniform) << "factors are kept only where they say something";
  std::vector<Factor> seen;
  bool neutral = true;
  for (std::uint32_t n = 0; n < layer.node_count(); ++n) {
    const std::int32_t x = layer.x_of(NodeId{n});
    const std::int32_t y = layer.y_of(NodeId{n});
    seen.push_back(layer.is_free(x, y) ? layer.factor(x, y) : 0);
    neutral = neutral && (seen.back() != 0 || layer.factor(x, y) == kFactorOne);
  }
  ASSERT_TRUE(neutral) << "blocked cells have factor one";
  const auto differs = std::mismatch(seen.begin(), seen.end(), expected.begin()).first;
  ASSERT_TRUE(differs == seen.end()) << "node " << differs - seen.begin();
}

void expect_edges(const GridGraph& graph, const test::Edges& expected) {
  test::Edges found;
  for (std::uint32_t n = 0; n < graph.node_count(); ++n)
    graph.for_each_successor(NodeId{n}, [&](NodeId to, Cost cost) {
      found.push_back({n, index(to), cost});
    });
  ASSERT_EQ(found.size(), expected.size());
  ASSERT_TRUE(found == expected);
}

// Returns all edges that differ, each with its old and new cost, by (from, to).
std::vector<EdgeChange> differences(const test::Edges& was, const test::Edges& is) {
  const auto key = [](const test::Edge& e) { return std::pair(e.from, e.to); };
  std::vector<EdgeChange> changes;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < was.size() || j < is.size()) {
    const bool in_was = i < was.size() && (j == is.size() || key(was[i]) <= key(is[j]));
    const bool in_is = j < is.size() && (i == was.size() || key(is[j]) <= key(was[i]));
    const test::Edge& edge = in_was ? was[i] : is[j];
    const EdgeChange change{NodeId{edge.from}, NodeId{edge.to}, in_was ? was[i].cost : kUnreachable,
                            in_is ? is[j].cost : kUnreachable};
    if (change.before != change.after) changes.push_back(change);
    i += in_was ? 1 : 0;
    j += in_is ? 1 : 0;
  }
  return changes;
}

void expect_delta(const ViewDelta* delta, const test::Edges& was, const test::Edges& is,
                  std::size_t causes) {
  static const ViewDelta kNothing;
  if (delta == nullptr) delta = &kNothing;
  std::size_t risen = 0;
  std::size_t fallen = 0;
  std::vector<NodeId> ends;
  for (EdgeChange expected : differences(was, is)) {
    const bool rises = expected.after > expected.before;
    const auto& list = rises ? delta->risen : delta->fallen;
    std::size_t& next = rises ? risen : fallen;
    ASSERT_LT(next, list.size());
    const EdgeChange& change = list[next++];
    ASSERT_TRUE(change.cause < causes || change.cause == kNoCause);
    expected.cause = change.cause;
    ASSERT_EQ(change, expected);
    if (ends.empty() || ends.back() != change.from) ends.push_back(change.from);
  }
  ASSERT_EQ(risen, delta->risen.size());
  ASSERT_EQ(fallen, delta->fallen.size());
  ASSERT_EQ(delta->changed_nodes, ends);
}

// The cells that one entry of a batch changes: those of the obstacle before and after.
using Marks = std::vector<CellSpan>;

// Every change names an entry that changes a cell near it, or none if terrain or a team's own plane
// was edited there.
void expect_causes(const ViewDelta* delta, const GridLayer& layer, std::int32_t reach,
                   const std::vector<Marks>& causes, const Marks& terrain) {
  if (delta == nullptr) return;
  const auto is_near = [&](const Marks& marks, NodeId n) {
    return std::any_of(marks.begin(), marks.end(), [&](const CellSpan& span) {
      return std::abs(span.y - layer.y_of(n)) <= reach + 1 &&
             span.x0 <= layer.x_of(n) + reach + 1 && span.x1 > layer.x_of(n) - reach - 1;
    });
  };
  for (const auto* list : {&delta->risen, &delta->fallen})
    for (const EdgeChange& change : *list)
      ASSERT_TRUE(is_near(change.cause == kNoCause ? terrain : causes[change.cause], change.from));
}

void expect_cells(const ViewDelta* delta, const std::vector<Factor>& was,
                  const std::vector<Factor>& is) {
  std::vector<NodeId> freed;
  std::vector<NodeId> blocked;
  for (std::uint32_t n = 0; n < is.size(); ++n) {
    if (was[n] == 0 && is[n] != 0) freed.push_back(NodeId{n});
    if (was[n] != 0 && is[n] == 0) blocked.push_back(NodeId{n});
  }
  ASSERT_EQ(delta == nullptr ? std::vector<NodeId>{} : delta->freed, freed);
  ASSERT_EQ(delta == nullptr ? std::vector<NodeId>{} : delta->blocked, blocked);
}

void add_marks(const RandomWorld& w, const Shape& shape, Marks* marks) {
  const CellSpans cells = w.naive.cells_of(shape);
  marks->insert(marks->end(), cells.begin(), cells.end());
}

// Runs one world with some views and some batches.
void run_world(std::uint64_t seed) {
  RandomWorld w(seed);
  struct Eye {
    ViewId id;
    Profile profile;
    TeamId team;
    std::optional<AgentId> without;
    test::Edges edges;
    std::vector<Factor> factors;
  };
  std::vector<Eye> eyes;
  for (int round = 0; round < 12; ++round) {
    if (round % 3 == 0 && eyes.size() < 3) {
      Eye eye{{}, w.any_profile(), w.team(), {}, {}, {}};
      if (w.int_below(2) == 0) eye.without = AgentId{static_cast<std::uint64_t>(w.int_below(8))};
      eye.id = *w.world->acquire_view(eye.profile.name, eye.team, eye.without);
      eye.edges = w.naive.edges(eye.profile, eye.team, eye.without);
      eye.factors = w.naive.factors(eye.profile, eye.team, eye.without);
      ASSERT_NO_FATAL_FAILURE(expect_layer(w.world->layer(eye.id), eye.factors));
      ASSERT_EQ(w.world->keep_jumps(eye.id), eye.profile.topology == Topology::k8);
      eyes.push_back(eye);
    }
    const ChangeBatch batch = w.batch();
    const std::uint64_t hash_before = w.world->state_hash();
    auto staged = w.world->stage(batch);
    ASSERT_TRUE(staged.ok()) << staged.status();
    ASSERT_EQ(w.world->state_hash(), hash_before);
    const auto marks_before = w.naive.marks();
    const auto bodies_before = w.naive.bodies;
    const Commit commit = w.world->commit(*std::move(staged));
    w.naive.apply(batch);
    std::vector<Marks> marks;
    for (const ObstacleId id : commit.causes) {
      marks.push_back({});
      for (const auto& all : {marks_before, w.naive.marks()})
        if (const auto at = all.find(id); at != all.end())
          marks.back().insert(marks.back().end(), at->second.begin(), at->second.end());
    }
    Marks terrain;
    for (const InfluenceDecay& decay : batch.decay_influence)
      add_marks(w, decay.cells.value_or(CellRect{0, 0, w.naive.map.width, w.naive.map.height}),
                &terrain);
    for (const InfluenceEdit& edit : batch.influence_edits) add_marks(w, edit.shape, &terrain);
    for (const FogEdit& edit : batch.fog_edits) add_marks(w, edit.shape, &terrain);
    for (const Body& body : batch.stand) add_marks(w, body.shape, &terrain);
    for (const auto& [agent, body] : bodies_before) add_marks(w, body.shape, &terrain);
    for (const TerrainEdit& edit : batch.terrain_edits)
      for (std::int32_t y = edit.cells.y0; y < edit.cells.y1; ++y)
        terrain.push_back({y, edit.cells.x0, edit.cells.x1});
    ASSERT_EQ(commit.state_hash, w.naive.state_hash());
    for (Eye& eye : eyes) {
      const auto found = std::find_if(commit.views.begin(), commit.views.end(),
                                      [&](const ViewDelta& d) { return d.view == eye.id; });
      const ViewDelta* delta = found == commit.views.end() ? nullptr : &*found;
      const auto edges = w.naive.edges(eye.profile, eye.team, eye.without);
      const auto factors = w.naive.factors(eye.profile, eye.team, eye.without);
      ASSERT_NO_FATAL_FAILURE(expect_layer(w.world->layer(eye.id), factors));
      ASSERT_NO_FATAL_FAILURE(expect_edges(w.world->graph(eye.id), edges));
      const JumpMap* jumps = w.world->jumps(eye.id);
      ASSERT_TRUE(jumps == nullptr ||
                  *jumps == JumpMap(w.world->layer(eye.id), eye.profile.corner_rule));
      ASSERT_NO_FATAL_FAILURE(expect_delta(delta, eye.edges, edges, commit.causes.size()));
      ASSERT_NO_FATAL_FAILURE(expect_cells(delta, eye.factors, factors));
      const auto reach =
          static_cast<std::int32_t>(std::ceil(eye.profile.radius / w.naive.cell_size));
      ASSERT_NO_FATAL_FAILURE(expect_causes(delta, w.world->layer(eye.id), reach, marks, terrain));
      eye.edges = edges;
      eye.factors = factors;
    }
  }
}

TEST(WorldModel, AgreesOnViewsDeltasAndHashes) {
  SCOPED_TRACE(test::seed_trace());
  for (std::uint64_t i = 0; i < 60; ++i) {
    SCOPED_TRACE("world " + std::to_string(i));
    run_world(test::seed() + i);
    if (testing::Test::HasFatalFailure()) return;
  }
}

void expect_plane(const Plane& plane, const std::vector<int>& expected, std::int32_t width,
                  std::int32_t height) {
  CellSpans used;
  for (std::int32_t y = 0; y < height; ++y)
    for (std::int32_t x = 0; x < width; ++x) {
      const int level = expected[static_cast<std::size_t>(y * width + x)];
      ASSERT_EQ(plane.at(x, y), level) << x << "," << y;
      if (level == 0) continue;
      if (!used.empty() && used.back().y == y && used.back().x1 == x) {
        ++used.back().x1;
      } else {
        used.push_back({y, x, x + 1});
      }
    }
  ASSERT_EQ(plane.used({0, 0, width, height}), used);
  ASSERT_EQ(plane.empty(), used.empty());
}

// Levels, memory and the cells in use against one number for each cell. The predicted memory holds,
// and equal content takes equal memory whatever led there.
TEST(PlaneModel, AgreesOnLevelsAndMemory) {
  SCOPED_TRACE(test::seed_trace());
  for (std::uint64_t i = 0; i < 40; ++i) {
    SCOPED_TRACE("plane " + std::to_string(i));
    RandomWorld w(test::seed() + 2000 + i);
    const std::int32_t width = w.naive.map.width;
    const std::int32_t height = w.naive.map.height;
    Plane plane(width, height);
    const PlaneKey key{};
    for (int round = 0; round < 25; ++round) {
      const LevelChange change = w.any_change();
      const CellSpans cells = w.naive.cells_of(w.patch());
      const std::uint64_t bytes = plane.bytes();
      const std::uint64_t most = bytes + plane.to_split(cells).size() * Plane::kSplitBytes;
      plane.apply(cells, change);
      ASSERT_LE(plane.bytes(), most);
      w.naive.edit_levels(key, cells,
                          [&](int* level) { *level = change.apply(static_cast<Level>(*level)); });
      ASSERT_NO_FATAL_FAILURE(expect_plane(plane, w.naive.levels[key], width, height));
      Plane anew(width, height);
      for (std::int32_t y = 0; y < height; ++y)
        for (std::int32_t x = 0; x < width; ++x)
          anew.apply({{y, x, x + 1}}, {LevelChange::Kind::kSet, plane.at(x, y)});
      ASSERT_EQ(plane.bytes(), anew.bytes());
    }
  }
}

// The covered cells of an obstacle and the obstacles that the index reports for a cell are the same
// relation.
TEST(WorldModel, AgreesOnWhatCoversACell) {
  SCOPED_TRACE(test::seed_trace());
  for (std::uint64_t i = 0; i < 10; ++i) {
    RandomWorld w(test::seed() + 1000 + i);
    for (int round = 0; round < 10; ++round) {
      const ChangeBatch batch = w.batch();
      w.world->commit(*w.world->stage(batch));
      w.naive.apply(batch);
    }
    const RasterFrame frame{w.naive.map.width, w.naive.map.height, w.naive.cell_size};
    for (int probe = 0; probe < 300; ++probe) {
      const std::int32_t x = w.int_below(frame.width);
      const std::int32_t y = w.int_below(frame.height);
      std::vector<ObstacleId> expected;
      for (const auto& [id, spec] : w.naive.obstacles)
        for (const CellSpan& span : covered_cells(spec.shape, frame))
          if (span.y == y && span.x0 <= x && x < span.x1) expected.push_back(id);
      std::vector<ObstacleId> covering;
      const ObstacleIndex& index = w.world->obstacle_index();
      for (const Obstacle* obstacle : index.in_tile(index.tile_of(x, y)))
        if ((bits_in_row(obstacle->cells, x >> kTileBits, y) >> (x & kTileMask) & 1u) != 0)
          covering.push_back(obstacle->spec.id);
      ASSERT_EQ(covering, expected);
    }
  }
}

}  // namespace
}  // namespace repath
