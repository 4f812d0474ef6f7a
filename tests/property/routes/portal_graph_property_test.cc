// Repairs over portals against searches from scratch: random meshes with areas, ground that is
// barred, links and obstacles, random edits, and starts that move. The costs must be equal: they
// are those of one graph.
#include "routes/portal_graph.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "routes/kept_kernels.h"
#include "routes/places.h"
#include "support/patchwork.h"
#include "support/route_kinds.h"
#include "support/seed.h"

namespace repath {
namespace {

constexpr std::uint32_t kEndless = std::numeric_limits<std::uint32_t>::max();

// A graph and a kernel that reads it.
struct PortalKernel {
  PortalKernel(SearchKind kind, const NavGround& ground, const MeshPlace& from,
               const MeshPlace& goal, std::optional<Point> first)
      : graph(&ground, {goal.x, goal.z}, first) {
    graph.place_goal(goal);
    std::vector<NodeId> nodes;
    graph.place_start(from, &nodes);
    kernel = make_kept_kernel(kind, graph, graph.start(), GoalSet{PortalGraph::kGoal});
  }
  Cost run() {
    std::uint32_t plenty = kEndless;
    const Progress progress = kernel->advance(graph.start(), &plenty);
    EXPECT_NE(progress, Progress::kOutOfBudget);
    return progress == Progress::kPathFound ? kernel->path_cost(graph.start()) : kUnreachable;
  }
  PortalGraph graph;
  std::unique_ptr<PathSearch> kernel;
};

class RepairTrial {
 public:
  RepairTrial(SearchKind kind, Random* random) : kind_(kind), random_(random) {
    if (random->below(2) == 0) {
      uneven_ = std::make_unique<test::UnevenKind>(random->below(4) != 0);
      kept_world_ = uneven_->make(random);
      world_ = dynamic_cast<NavWorld*>(kept_world_.get());
    } else {
      kept_world_ = test::patchwork_world(random, random->below(2) == 0, 15).world;
      world_ = dynamic_cast<NavWorld*>(kept_world_.get());
    }
    const auto& profile = world_->profiles().back().name;
    view_ = *world_->acquire_view(profile, TeamId{0});
  }
  bool begin() {
    std::optional<RoutePlace> from = some_place();
    std::optional<RoutePlace> goal = some_place();
    if (!from || !goal) return false;
    // Where two pieces of ground touch in a point, it is in the one that is found.
    from = stand_again(ground(), from->at);
    goal = stand_again(ground(), goal->at);
    if (!from || !goal) return false;
    start_ = from->at;
    goal_ = goal->at;
    if (kind_ != SearchKind::kField) first_ = mesh_place(*from).point();
    if (first_) first_ = {to_fine_steps(first_->x), to_fine_steps(first_->z)};
    kept_ = std::make_unique<PortalKernel>(kind_, ground(), mesh_place(*from), mesh_place(*goal),
                                           first_);
    return true;
  }
  void edit() {
    const bool is_own = uneven_ == nullptr || random_->below(2) == 0;
    const auto commit = world_->apply(is_own ? batch() : uneven_->batch(random_));
    ASSERT_TRUE(commit.ok()) << commit.status();
    for (const RouteDelta& delta : commit->views)
      if (delta.view == view_)
        pending_.insert(pending_.end(), delta.tails.begin(), delta.tails.end());
    is_edited_ |= !commit->views.empty();
    std::ranges::sort(pending_);
    pending_.erase(std::unique(pending_.begin(), pending_.end()), pending_.end());
    if (random_->below(3) != 0) return;
    const auto from = stand_again(ground(), start_);
    if (!from || !(from->at == start_)) return;
    take_in(*from);
    std::uint32_t some = random_->below(20);
    static_cast<void>(kept_->kernel->advance(kept_->graph.start(), &some));
  }
  void check() {
    if (is_goal_rooted(kind_) && random_->below(2) == 0)
      if (const auto other = some_place()) start_ = other->at;
    const auto from = stand_again(ground(), start_);
    const auto goal = stand_again(ground(), goal_);
    // A place moved aside by rounding is another question.
    if (!from || !goal || !(from->at == start_) || !(goal->at == goal_)) return;
    take_in(*from);
    const Cost repaired = kept_->run();
    PortalKernel fresh(kind_, ground(), mesh_place(*from), mesh_place(*goal), first_);
    ASSERT_EQ(repaired, fresh.run());
    // As a search over cells says.
    const auto search = ground().search(*from, {&*goal, 1});
    std::uint32_t plenty = kEndless;
    ASSERT_EQ(search->advance(&plenty) == Progress::kPathFound, repaired != kUnreachable);
    if (repaired == kUnreachable) return;
    ++found_;
    std::vector<NodeId> nodes;
    ASSERT_TRUE(kept_->kernel->append_path(kept_->graph.start(), &nodes));
    CorridorPath path;
    kept_->graph.trace(nodes, &path);
    EXPECT_EQ(path.corners().front().at, mesh_place(*from).point());
    // Pulled tight a way is no longer than it was, but for the rounding of points, and so no longer
    // than it cost.
    EXPECT_LE(path.length(), static_cast<double>(repaired) / kLatticePerUnit * (1 + 1e-3) + 0.1);
  }
  // An incremental kernel relies on it: the edges out of nodes are those into nodes, and no node
  // leads to itself.
  void expect_same_edges_both_ways() const {
    if (is_edited_) return;  // there was no question since
    using Edge = std::tuple<NodeId, NodeId, Cost>;
    std::set<Edge> out;
    std::set<Edge> in;
    const PortalGraph& graph = kept_->graph;
    for (std::uint32_t i = 0; i < graph.size(); ++i) {  // nodes are met on the way
      const NodeId n{i};
      graph.for_each_successor(n, [&](NodeId to, Cost cost) { out.insert({n, to, cost}); });
      graph.for_each_predecessor(n, [&](NodeId from, Cost cost) { in.insert({from, n, cost}); });
    }
    EXPECT_EQ(out, in);
    for (const auto& [from, to, cost] : out) EXPECT_NE(from, to);
  }
  int found() const { return found_; }

 private:
  const NavGround& ground() const { return world_->ground(view_); }
  std::optional<RoutePlace> some_place() {
    auto place = ground().random_place({}, std::numeric_limits<double>::infinity(), random_);
    if (!place || random_->below(3) != 0) return place;
    // A corner of its cell, where many cells may meet.
    const auto edges = ground().mesh().edges_of(place->cell);
    const auto& corner = edges[random_->below(static_cast<std::uint32_t>(edges.size()))];
    return ground().place_of({place->cell, corner.x, corner.z});
  }
  void take_in(const RoutePlace& from) {
    std::vector<NodeId> nodes;
    PortalGraph& graph = kept_->graph;
    if (is_edited_) {
      graph.take_in(pending_, &nodes);
      const auto goal = stand_again(ground(), goal_);
      graph.place_goal(goal ? std::optional(mesh_place(*goal)) : std::nullopt);
    }
    graph.place_start(mesh_place(from), &nodes);
    if (is_edited_) graph.append_ends(&nodes);
    is_edited_ = false;
    for (const NodeId node : nodes) kept_->kernel->on_edges_changed(node);
    pending_.clear();
  }
  ChangeBatch batch() {
    ChangeBatch batch;
    const std::uint64_t id = 11 + random_->below(8);
    if (known_[id] && random_->below(2) == 0) {
      batch.switch_obstacles.push_back({ObstacleId{id}, random_->below(2) == 0});
      return batch;
    }
    known_[id] = true;
    ObstacleSpec obstacle{.id = ObstacleId{id}};
    const Point at = some_place() ? Point{some_place()->at.x, some_place()->at.z} : Point{};
    obstacle.shape = Box{.center = at,
                         .half_x = 0.1 + 2 * random_->unit(),
                         .half_z = 0.1 + 2 * random_->unit(),
                         .yaw = 3 * random_->unit()};
    if (random_->below(3) == 0)
      obstacle.effect = {.blocked = false, .factor = 1 + 0.5 * random_->below(8)};
    batch.upsert_obstacles.push_back(obstacle);
    return batch;
  }

  SearchKind kind_;
  Random* random_;
  std::unique_ptr<test::UnevenKind> uneven_;
  std::unique_ptr<RouteWorld> kept_world_;
  NavWorld* world_ = nullptr;
  RouteViewId view_{};
  Spot start_;
  Spot goal_;
  std::optional<Point> first_;  // lattice steps
  std::unique_ptr<PortalKernel> kept_;
  std::vector<NodeId> pending_;
  bool is_edited_ = false;
  std::map<std::uint64_t, bool> known_;
  int found_ = 0;
};

TEST(PortalRepair, CostsWhatASearchFromScratchDoes) {
  for (const SearchKind kind : {SearchKind::kLpa, SearchKind::kDStarLite, SearchKind::kField}) {
    int found = 0;
    for (int run = 0; run < 50 && !HasFailure(); ++run) {
      const std::uint64_t seed = test::seed() + static_cast<std::uint64_t>(run);
      SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(seed) + ", kind " +
                   std::to_string(static_cast<int>(kind)));
      Random random(seed);
      RepairTrial trial(kind, &random);
      for (int question = 0; question < 3 && trial.begin(); ++question)
        for (int act = 0; act < 25 && !HasFailure(); ++act) {
          trial.edit();
          if (random.below(2) == 0) trial.check();
        }
      found += trial.found();
    }
    EXPECT_GT(found, 700) << "too little happened";
  }
}

TEST(PortalRepair, EdgesAreTheSameBothWays) {
  for (int run = 0; run < 50 && !HasFailure(); ++run) {
    const std::uint64_t seed = test::seed() + static_cast<std::uint64_t>(run);
    SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(seed));
    Random random(seed);
    RepairTrial trial(SearchKind::kDStarLite, &random);
    if (!trial.begin()) continue;
    for (int act = 0; act < 5 && !HasFailure(); ++act) {
      trial.edit();
      trial.check();
      trial.expect_same_edges_both_ways();
    }
  }
}

}  // namespace
}  // namespace repath
