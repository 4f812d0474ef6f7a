// Graph worlds under random batches, against a plain list of edges and Dijkstra, and against worlds
// made from scratch.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "routes/graph_world.h"
#include "support/reach.h"
#include "support/seed.h"

namespace repath {
namespace {

using Id = std::uint64_t;
using Name = std::tuple<Id, Id, std::uint8_t>;  // of an edge: from, to, key

struct Model {
  std::map<Id, GraphNode> nodes;
  std::map<Name, GraphEdge> edges;

  GraphSource source() const {
    GraphSource all;
    for (const auto& [id, node] : nodes) all.nodes.push_back(node);
    for (const auto& [name, edge] : edges) all.edges.push_back(edge);
    return all;
  }

  // Returns false if the edit must be rejected; then nothing changed.
  bool edit(const GraphEdit& edit) {
    return std::visit([this](const auto& e) { return apply(e); }, edit);
  }
  bool apply(const GraphNode& node) { return nodes.try_emplace(node.id, node).second; }
  bool apply(const RemoveGraphNode& e) {
    std::erase_if(edges, [&](const auto& edge) {
      return edge.second.from == e.id || edge.second.to == e.id;
    });
    return nodes.erase(e.id) > 0;
  }
  bool apply(const SwitchGraphNode& e) {
    if (nodes.contains(e.id)) nodes[e.id].enabled = e.enabled;
    return nodes.contains(e.id);
  }
  bool apply(GraphEdge e) {
    if (!nodes.contains(e.from) || !nodes.contains(e.to) || e.from == e.to) return false;
    if (std::exchange(e.both, false)) {
      GraphEdge back = e;
      std::swap(back.from, back.to);
      edges[{back.from, back.to, back.key}] = back;
    }
    edges[{e.from, e.to, e.key}] = e;
    return true;
  }
  bool apply(const RemoveGraphEdge& e) { return edges.erase({e.from, e.to, e.key}) > 0; }
  bool apply(const SwitchGraphEdge& e) {
    if (!edges.contains({e.from, e.to, e.key})) return false;
    edges[{e.from, e.to, e.key}].enabled = e.enabled;
    return true;
  }
  bool apply(const PriceGraphEdge& e) {
    if (!edges.contains({e.from, e.to, e.key})) return false;
    edges[{e.from, e.to, e.key}].cost = e.cost;
    return true;
  }

  // In world units; infinite if there is no edge.
  double cost(const Profile& profile, const GraphEdge& edge) const {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    if (!edge.enabled || !nodes.at(edge.from).enabled || !nodes.at(edge.to).enabled) return kNone;
    if ((edge.flags & profile.include) == 0 || (edge.flags & profile.exclude) != 0) return kNone;
    const bool fits = edge.width == 0 || edge.width + 1e-6 >= 2 * profile.radius;
    if (!fits) return kNone;
    double factor = 1;
    for (const auto& rule : profile.areas)
      if (rule.area == edge.area) factor = rule.factor;
    const Spot a = spot_of(nodes.at(edge.from));
    const Spot b = spot_of(nodes.at(edge.to));
    return factor * (edge.cost ? *edge.cost : distance_between(a, b));
  }
  std::map<Id, double> costs_from(const Profile& profile, Id start) const {
    std::map<Id, double> known{{start, 0}};
    for (bool changes = true; changes;) {
      changes = false;
      for (const auto& [name, edge] : edges) {
        const auto from = known.find(edge.from);
        const double step = cost(profile, edge);
        if (from == known.end() || step > 1e9) continue;
        const double whole = from->second + step;
        const auto to = known.find(edge.to);
        if (to != known.end() && to->second <= whole + 1e-9) continue;
        known[edge.to] = whole;
        changes = true;
      }
    }
    return known;
  }
};

GraphNode random_node(Random* random, Id id) {
  return {.id = id,
          .x = random->below(400) * 0.25,
          .y = random->below(8) * 0.5,
          .z = random->below(400) * 0.25,
          .area = static_cast<std::uint8_t>(random->below(4)),
          .enabled = random->below(8) != 0};
}

GraphEdge random_edge(Random* random, Id ids) {
  GraphEdge edge{.from = 1 + random->below(static_cast<std::uint32_t>(ids)),
                 .to = 1 + random->below(static_cast<std::uint32_t>(ids)),
                 .area = static_cast<std::uint8_t>(random->below(4)),
                 .flags = static_cast<std::uint16_t>(1 + random->below(3)),
                 .both = random->below(2) == 0,
                 .enabled = random->below(8) != 0};
  if (random->below(4) == 0) edge.cost = random->below(1000) * 0.125;
  if (random->below(3) == 0) edge.key = static_cast<std::uint8_t>(random->below(3));
  if (random->below(3) == 0) edge.width = 0.3 * random->below(6);
  return edge;
}

constexpr Id kIds = 24;

GraphEdit random_edit(Random* random, const Model& model) {
  const Id id = 1 + random->below(kIds);
  Name name{id, 1 + random->below(kIds), 0};
  if (!model.edges.empty() && random->below(6) != 0)
    name = std::next(model.edges.begin(),
                     random->below(static_cast<std::uint32_t>(model.edges.size())))
               ->first;
  const auto [from, to, key] = name;
  switch (random->below(13)) {
    case 0:
    case 1:
      return random_node(random, id);
    case 2:
      return RemoveGraphNode{id};
    case 3:
    case 4:
      return SwitchGraphNode{id, random->below(3) != 0};
    case 5:
      return RemoveGraphEdge{from, to, key};
    case 6:
    case 7:
      return SwitchGraphEdge{from, to, random->below(2) == 0, key};
    case 8:
      return PriceGraphEdge{from, to, random->below(900) * 0.25, key};
    case 9: {
      // Beside the edge, or in its place.
      GraphEdge edge = random_edge(random, kIds);
      edge.from = from;
      edge.to = to;
      return edge;
    }
    default:
      return random_edge(random, kIds);
  }
}

Profile odd_profile() {
  return {.name = "odd", .radius = 0.45, .include = 2, .exclude = 0, .areas = {{1, 2.5}, {3, 20}}};
}

std::unique_ptr<GraphWorld> world_of(const Model& model) {
  auto world =
      GraphWorld::create({.name = "g", .graph = model.source(), .profiles = {odd_profile()}});
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

// From every open node to every other: the cost, and the route if there is one.
using Answer = std::pair<Cost, std::vector<RoutePoint>>;
std::map<std::pair<Id, Id>, Answer> answers_of(const QueryGround& ground, const Model& model) {
  std::map<std::pair<Id, Id>, Answer> answers;
  const std::unique_ptr<ReachTable> reach = test::reach_table(ground);
  for (const auto& [from, a] : model.nodes)
    for (const auto& [to, b] : model.nodes) {
      if (!a.enabled || !b.enabled) continue;
      const RoutePlace start = *ground.locate(spot_of(a));
      const RoutePlace goal = *ground.locate(spot_of(b));
      // Two nodes at one spot.
      if (ground.node_id(start) != from || ground.node_id(goal) != to) continue;
      auto search = ground.search(start, {&goal, 1});
      std::uint32_t expansions = 10'000;
      Answer& answer = answers[{from, to}];
      answer.first = kUnreachable;
      const bool is_found = search->advance(&expansions) == Progress::kPathFound;
      EXPECT_EQ(test::leads(reach.get(), start, goal), is_found);
      if (!is_found) continue;
      answer.first = search->cost();
      EXPECT_EQ(search->lower_bound(), search->cost());
      EXPECT_TRUE(ground.may_reach(start, goal));
      search->append_route(&answer.second);
      EXPECT_EQ(ground.walk(answer.second).cost, answer.first);
      const RouteBox here{a.x, a.z, a.x, a.z};
      EXPECT_LE(ground.least_cost(here, {b.x, b.z, b.x, b.z}), answer.first);
    }
  return answers;
}

void expect_as_model(const QueryGround& ground, const Model& model, const Profile& profile) {
  const auto answers = answers_of(ground, model);
  std::optional<Id> last;
  std::map<Id, double> costs;
  for (const auto& [ends, answer] : answers) {
    if (last != ends.first) costs = model.costs_from(profile, ends.first);
    last = ends.first;
    const auto known = costs.find(ends.second);
    ASSERT_EQ(answer.first != kUnreachable, known != costs.end());
    if (known == costs.end()) continue;
    ASSERT_NEAR(units_from_route_cost(answer.first), known->second, 1e-4);
  }
}

bool is_at(const RouteBox& box, const Spot& at) { return box == RouteBox{at.x, at.z, at.x, at.z}; }

// Expects risen edges on the old route, and fallen edges that can be on the new one.
void expect_explained(const std::map<std::pair<Id, Id>, Answer>& before,
                      const std::map<std::pair<Id, Id>, Answer>& after, const QueryGround& ground,
                      std::span<const RouteChange> changes) {
  for (const auto& [ends, was] : before) {
    const auto now = after.find(ends);
    if (now == after.end() || now->second.first == was.first) continue;
    bool is_explained = false;
    if (now->second.first > was.first) {
      const std::vector<RoutePoint>& route = was.second;
      for (std::size_t i = 1; i < route.size(); ++i)
        for (const RouteChange& change : changes)
          is_explained = is_explained || (change.rose && is_at(change.from, route[i - 1].at) &&
                                          is_at(change.to, route[i].at));
    } else {
      const Spot p = now->second.second.front().at;
      const Spot q = now->second.second.back().at;
      for (const RouteChange& change : changes)
        is_explained =
            is_explained ||
            (change.fell && ground.least_cost({p.x, p.z, p.x, p.z}, change.from) + change.least +
                                    ground.least_cost(change.to, {q.x, q.z, q.x, q.z}) <=
                                now->second.first);
    }
    ASSERT_TRUE(is_explained) << ends.first << " to " << ends.second;
  }
}

TEST(GraphWorldProperty, BatchesDoWhatAPlainListSaysOrNothing) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 20; ++round) {
    Model model;
    for (Id id = 1; id <= kIds / 2; ++id) model.nodes[id] = random_node(&random, id);
    for (int i = 0; i < 30; ++i) model.apply(random_edge(&random, kIds / 2));
    auto world = world_of(model);
    const std::array views{*world->acquire_view("default", TeamId{0}),
                           *world->acquire_view("odd", TeamId{1})};
    const std::array profiles{Profile{}, odd_profile()};
    for (int step = 0; step < 25; ++step) {
      SCOPED_TRACE("round " + std::to_string(round) + ", step " + std::to_string(step));
      ChangeBatch batch;
      Model edited = model;
      bool is_good = true;
      for (std::uint32_t k = 1 + random.below(4); k > 0; --k) {
        batch.graph_edits.push_back(random_edit(&random, edited));
        is_good = is_good && edited.edit(batch.graph_edits.back());
      }
      std::array<std::map<std::pair<Id, Id>, Answer>, 2> before;
      for (std::size_t v = 0; v < 2; ++v) before[v] = answers_of(world->ground(views[v]), model);
      const std::uint64_t hash = world->state_hash();
      const auto commit = world->apply(batch);
      ASSERT_EQ(commit.ok(), is_good) << commit.status();
      if (!is_good) {
        EXPECT_FALSE(error_field(commit.status()).empty());
        EXPECT_EQ(world->state_hash(), hash);
        for (std::size_t v = 0; v < 2; ++v)
          EXPECT_TRUE(answers_of(world->ground(views[v]), model) == before[v]);
        continue;
      }
      model = edited;
      for (std::size_t v = 0; v < 2; ++v) {
        expect_as_model(world->ground(views[v]), model, profiles[v]);
        std::vector<RouteChange> changes;
        for (const RouteDelta& delta : commit->views)
          if (delta.view == views[v]) changes = delta.changes;
        expect_explained(before[v], answers_of(world->ground(views[v]), model),
                         world->ground(views[v]), changes);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(GraphWorldProperty, TheHashIsThatOfTheContent) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed() + 1);
  for (int round = 0; round < 40; ++round) {
    Model model;
    auto world = world_of(model);
    std::uint64_t commits = 0;
    for (int step = 0; step < 300; ++step) {
      ChangeBatch batch;
      Model edited = model;
      batch.graph_edits = {random_edit(&random, model)};
      if (!edited.edit(batch.graph_edits[0])) continue;
      ASSERT_TRUE(world->apply(batch).ok());
      ++commits;
      model = edited;
    }
    ASSERT_GT(commits, 20u);
    auto anew = world_of(model);
    ChangeBatch nothing;
    nothing.add_profiles = {odd_profile()};
    for (; commits > 0; --commits) ASSERT_TRUE(anew->apply(nothing).ok());
    ASSERT_EQ(anew->state_hash(), world->state_hash());
    EXPECT_EQ(anew->bounds(), world->bounds());
    const RouteViewId view = *world->acquire_view("odd", TeamId{0});
    const RouteViewId same = *anew->acquire_view("odd", TeamId{0});
    for (int i = 0; i < 50; ++i) {
      const Spot at{random.unit() * 120 - 10, random.unit() * 4, random.unit() * 120 - 10};
      const double radius = random.unit() * 30;
      const auto a = world->ground(view).nearest(at, radius);
      const auto b = anew->ground(same).nearest(at, radius);
      ASSERT_EQ(a.has_value(), b.has_value());
      double least = radius;
      for (const auto& [id, node] : model.nodes)
        if (node.enabled) least = std::min(least, distance_between(at, spot_of(node)));
      ASSERT_EQ(a.has_value(), least < radius);
      if (!a) continue;
      ASSERT_EQ(world->ground(view).node_id(*a), anew->ground(same).node_id(*b));
      ASSERT_EQ(distance_between(at, a->at), least);
    }
  }
}

}  // namespace
}  // namespace repath
