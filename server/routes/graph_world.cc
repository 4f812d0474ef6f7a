#include "routes/graph_world.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/check.h"
#include "base/error.h"
#include "routes/boxes.h"
#include "world/checks.h"
#include "world/content_hash.h"

namespace repath {
namespace {

// Rough memory that an entry of a batch may add to a world.
constexpr std::uint64_t kBytesPerEdit = 512;

constexpr ProfileRules kGraphRules{.kind = WorldKind::kGraph};

double greatest_factor(const std::vector<Profile>& profiles) {
  double most = 1;
  for (const Profile& profile : profiles)
    for (const AreaFactor& rule : profile.areas) most = std::max(most, rule.factor);
  return most;
}

absl::Status check_dearness(double units, const std::string& field) {
  if (units <= kGraphDearnessMax) return absl::OkStatus();
  return make_error(
      absl::StatusCode::kResourceExhausted, "GRAPH_TOO_DEAR", field,
      "the costs of the dearest edges out of all nodes, each times the greatest area factor of all "
      "profiles but at most 1000000, may add up to 500000000; use smaller costs or factors");
}

}  // namespace

absl::StatusOr<std::unique_ptr<GraphWorld>> GraphWorld::create(Source source,
                                                               const WorldLimits& limits) {
  if (auto s = check_profiles(&source.profiles, kGraphRules); !s.ok()) return s;
  absl::StatusOr<WaypointGraph> graph = WaypointGraph::build(source.graph);
  if (!graph.ok()) return with_field_prefix(graph.status(), "graph.");
  source.graph = {};
  std::unique_ptr<GraphWorld> world(new GraphWorld(std::move(source), *std::move(graph), limits));
  const double units = cells_from_cost(world->dearest_);
  if (auto s = check_dearness(units, "graph.edges"); !s.ok()) return s;
  if (world->bytes() > limits.memory_bytes) return no_memory(limits.memory_bytes);
  return world;
}

GraphWorld::GraphWorld(Source source, WaypointGraph graph, const WorldLimits& limits)
    : RouteWorld(std::move(source.name), std::move(source.profiles), limits),
      space_(std::make_unique<GraphSpace>(std::move(graph))),
      factor_(greatest_factor(profiles())) {
  for (std::uint32_t i = 0; i < space_->graph.node_count(); ++i) {
    const NodeId n{i};
    content_hash_ += content_hash(space_->graph.node(n));
    for (const WaypointGraph::Edge& e : space_->graph.edges_from(n)) content_hash_ += hash_of(n, e);
  }
  dearest_ = dearest_at(factor_);
}

GraphWorld::GraphWorld(const GraphWorld& other)
    : RouteWorld(other),
      space_(std::make_unique<GraphSpace>(*other.space_)),
      dearest_(other.dearest_),
      factor_(other.factor_),
      shape_since_(other.shape_since_),
      bounds_(other.bounds_),
      is_bounds_old_(other.is_bounds_old_) {
  copy_views<GraphGround>(other, [this](const GraphGround& ground) {
    return std::make_unique<GraphGround>(space_.get(), ground.filter());
  });
}

std::unique_ptr<RouteWorld> GraphWorld::clone() const {
  return std::unique_ptr<RouteWorld>(new GraphWorld(*this));
}

RouteBox GraphWorld::bounds() const {
  if (!is_bounds_old_) return bounds_;
  bounds_ = {};
  for (std::uint32_t i = 0; i < space_->graph.node_count(); ++i)
    if (space_->graph.is_live(NodeId{i})) add_to(&bounds_, spot_of(space_->graph.node(NodeId{i})));
  is_bounds_old_ = false;
  return bounds_;
}

std::uint64_t GraphWorld::bytes() const {
  return sizeof *this + space_->graph.bytes() + space_->nodes.bytes() +
         view_count() * sizeof(GraphGround);
}

absl::StatusOr<std::unique_ptr<QueryGround>> GraphWorld::make_ground(const Profile& profile,
                                                                     TeamId) {
  return std::make_unique<GraphGround>(space_.get(), graph_filter(profile));
}

std::shared_ptr<const QueryGround> GraphWorld::keep(RouteViewId view) {
  const GraphFilter& filter = static_cast<const GraphGround&>(ground(view)).filter();
  if (kept_ == nullptr) kept_ = std::make_shared<const GraphSpace>(*space_);
  return std::make_shared<GraphGround>(kept_.get(), filter, kept_);
}

absl::Status GraphWorld::check(const ChangeBatch& batch) const {
  if (auto s = check_lists(batch.sizes(), WorldKind::kGraph); !s.ok()) return s;
  if (auto s = check_new_profiles(profiles(), batch.add_profiles, kGraphRules); !s.ok()) return s;
  const double factor = std::max(factor_, greatest_factor(batch.add_profiles));
  double brought = 0;
  if (auto s = check_graph_edits(space_->graph, batch.graph_edits, factor, &brought); !s.ok())
    return s;
  if (brought > 0 || factor > factor_) {
    const Cost dearest = factor > factor_ ? dearest_at(factor) : dearest_;
    const double units = cells_from_cost(dearest) + brought;
    if (auto s = check_dearness(units, brought > 0 ? "graph_edits" : "add_profiles"); !s.ok())
      return s;
  }
  if (bytes() + kBytesPerEdit * batch.entries() > limits().memory_bytes)
    return no_memory(limits().memory_bytes);
  return absl::OkStatus();
}

class GraphWorld::Staged final : public StagedRoutes {
 public:
  Staged(GraphWorld* world, const ChangeBatch* batch) : world_(*world), batch_(*batch) {}
  RouteCommit commit() override { return world_.commit(batch_); }

 private:
  GraphWorld& world_;
  const ChangeBatch& batch_;
};

absl::StatusOr<std::unique_ptr<StagedRoutes>> GraphWorld::stage(const ChangeBatch& batch) {
  if (auto s = check(batch); !s.ok()) return s;
  return std::make_unique<Staged>(this, &batch);
}

// REQUIRES: check() is OK.
RouteCommit GraphWorld::commit(const ChangeBatch& batch) {
  add_profiles(batch.add_profiles);
  if (const double factor = greatest_factor(profiles()); factor > factor_) {
    factor_ = factor;
    dearest_ = dearest_at(factor);
  }
  copies_.for_each([&](GraphCopy& copy) { copy.note_before(batch.graph_edits); });
  Edited edited;
  edited.parts.emplace_back();
  for (const GraphEdit& one : batch.graph_edits) edit(one, &edited);
  kept_.reset();
  RouteCommit commit = begin_commit();
  if (edited.changes_shape) shape_since_ = commit.revision;
  for_each_view<GraphGround>([&](RouteViewId view, const GraphGround& ground) {
    RouteDelta delta = delta_for(view, ground.filter(), edited);
    if (delta.changes.empty()) return;
    commit.changed += delta.changes.size();
    commit.views.push_back(std::move(delta));
  });
  return commit;
}

std::optional<GraphPage> GraphWorld::read_graph(const GraphQuestion& question) const {
  return repath::read_graph(space_->graph, question);
}

absl::StatusOr<CopyId> GraphWorld::begin_copy() {
  if (copies_.size() >= kCopiesMax) return too_many_copies();
  return copies_.begin(std::make_unique<GraphCopy>(*this));
}

std::optional<WorldContent> GraphWorld::advance_copy(CopyId id, std::size_t bytes) {
  return copies_.advance(id, bytes);
}

std::uint64_t GraphWorld::hash_of(NodeId from, const WaypointGraph::Edge& edge) const {
  const WaypointGraph& graph = space_->graph;
  return content_hash(graph.node(from).id, graph.node(edge.to).id, edge);
}

std::uint64_t GraphWorld::hash_between(NodeId from, NodeId to) const {
  std::uint64_t sum = 0;
  for (const WaypointGraph::Edge& edge : space_->graph.edges_between(from, to))
    sum += hash_of(from, edge);
  return sum;
}

// Returns the most that an edge out of the node may cost a walker with that factor, rounded down;
// 0: none leads out.
Cost GraphWorld::dearest_from(NodeId n, double factor) const {
  Cost most = 0;
  for (const WaypointGraph::Edge& e : space_->graph.edges_from(n)) most = std::max(most, e.cost);
  return std::min(static_cast<Cost>(static_cast<double>(most) * factor),
                  to_graph_cost(kGraphCostMax));
}

// O(nodes + edges).
Cost GraphWorld::dearest_at(double factor) const {
  Cost sum = 0;
  for (std::uint32_t i = 0; i < space_->graph.node_count(); ++i)
    sum += dearest_from(NodeId{i}, factor);
  return sum;
}

void GraphWorld::edit(const GraphEdit& edit, Edited* edited) {
  WaypointGraph& graph = space_->graph;
  const auto change = [&](const auto& one) {
    using Edit = std::decay_t<decltype(one)>;
    if constexpr (std::is_same_v<Edit, GraphNode>) {
      add_node(one, edited);
    } else if constexpr (std::is_same_v<Edit, RemoveGraphNode>) {
      remove_node(one.id, edited);
    } else if constexpr (std::is_same_v<Edit, SwitchGraphNode>) {
      switch_node(one, edited);
    } else {
      change_edges(one.from, one.to, edited, [&](GraphChanges* changes) {
        if constexpr (std::is_same_v<Edit, GraphEdge>) return graph.set_edge(one, changes);
        if constexpr (std::is_same_v<Edit, RemoveGraphEdge>)
          return graph.remove_edge(one.from, one.to, changes, one.key);
        if constexpr (std::is_same_v<Edit, SwitchGraphEdge>)
          return graph.switch_edge(one.from, one.to, one.enabled, changes, one.key);
        if constexpr (std::is_same_v<Edit, PriceGraphEdge>)
          return graph.set_cost(one.from, one.to, one.cost, changes, one.key);
      });
    }
  };
  std::visit(change, edit);
}

void GraphWorld::add_node(const GraphNode& node, Edited* edited) {
  if (std::exchange(edited->has_removed, false)) edited->parts.emplace_back();
  REPATH_CHECK(space_->graph.add_node(node).ok());
  space_->nodes.add(space_->graph, space_->graph.find(node.id));
  space_->parts.forget();
  content_hash_ += content_hash(node);
  edited->opened[{node.x, node.z, node.y, node.id}] += node.enabled ? 1 : 0;
  is_bounds_old_ = true;
  edited->changes_shape = true;
}

void GraphWorld::remove_node(std::uint64_t id, Edited* edited) {
  WaypointGraph& graph = space_->graph;
  const NodeId n = graph.find(id);
  const GraphNode node = graph.node(n);
  const std::vector<NodeId> before(graph.nodes_before(n).begin(), graph.nodes_before(n).end());
  for (const NodeId m : before) {
    content_hash_ -= hash_between(m, n);
    dearest_ -= dearest_from(m, factor_);
  }
  for (const WaypointGraph::Edge& e : graph.edges_from(n)) content_hash_ -= hash_of(n, e);
  dearest_ -= dearest_from(n, factor_);
  content_hash_ -= content_hash(node);
  space_->nodes.remove(graph, n);
  GraphChanges changes;
  REPATH_CHECK(graph.remove_node(id, &changes).ok());
  for (const NodeId m : before) dearest_ += dearest_from(m, factor_);
  space_->parts.forget();
  note_edges(changes, edited);
  edited->opened[{node.x, node.z, node.y, node.id}] -= node.enabled ? 1 : 0;
  edited->has_removed = true;
  is_bounds_old_ = true;
}

void GraphWorld::switch_node(const SwitchGraphNode& edit, Edited* edited) {
  WaypointGraph& graph = space_->graph;
  const GraphNode before = graph.node(graph.find(edit.id));
  GraphChanges changes;
  REPATH_CHECK(graph.switch_node(edit.id, edit.enabled, &changes).ok());
  content_hash_ += content_hash(graph.node(graph.find(edit.id))) - content_hash(before);
  edited->opened[{before.x, before.z, before.y, before.id}] +=
      (edit.enabled ? 1 : 0) - (before.enabled ? 1 : 0);
  note_edges(changes, edited);
}

template <class Change>
void GraphWorld::change_edges(std::uint64_t from, std::uint64_t to, Edited* edited,
                              Change&& change) {
  const NodeId a = space_->graph.find(from);
  const NodeId b = space_->graph.find(to);
  content_hash_ -= hash_between(a, b) + hash_between(b, a);
  dearest_ -= dearest_from(a, factor_) + dearest_from(b, factor_);
  const std::size_t edges = space_->graph.edge_count();
  GraphChanges changes;
  REPATH_CHECK(change(&changes).ok());
  if (space_->graph.edge_count() != edges) space_->parts.forget();
  content_hash_ += hash_between(a, b) + hash_between(b, a);
  dearest_ += dearest_from(a, factor_) + dearest_from(b, factor_);
  note_edges(changes, edited);
}

void GraphWorld::note_edges(const GraphChanges& changes, Edited* edited) const {
  Edited::Part& part = edited->parts.back();
  edited->changes_shape |= changes.ratio_fell;
  for (const TouchedEdge& edge : changes.edges) {
    part.changes.edges.push_back(edge);
    for (const NodeId n : {edge.from, edge.to}) part.ends[n] = spot_of(space_->graph.node(n));
  }
}

RouteDelta GraphWorld::delta_for(RouteViewId view, const GraphFilter& filter,
                                 const Edited& edited) const {
  RouteDelta delta{.view = view, .changes = {}};
  for (const auto& [place, opened] : edited.opened) {
    if (opened == 0) continue;
    const RouteBox box = box_of({std::get<0>(place), 0, std::get<1>(place)});
    delta.changes.push_back({.from = box, .to = box, .rose = opened<0, .fell = opened> 0});
  }
  for (const Edited::Part& part : edited.parts) {
    const GraphDelta edges = graph_delta(part.changes, filter);
    const auto add = [&](const GraphEdgeChange& edge, bool rose) {
      delta.changes.push_back({.from = box_of(part.ends.at(edge.from)),
                               .to = box_of(part.ends.at(edge.to)),
                               .rose = rose,
                               .fell = !rose,
                               .least = rose ? 0 : route_cost_of_edge(edge.after)});
      delta.tails.push_back(edge.from);
      delta.heads.push_back(edge.to);
    };
    for (const GraphEdgeChange& edge : edges.risen) add(edge, true);
    for (const GraphEdgeChange& edge : edges.fallen) add(edge, false);
  }
  for (std::vector<NodeId>* nodes : {&delta.tails, &delta.heads}) {
    std::ranges::sort(*nodes);
    nodes->erase(std::unique(nodes->begin(), nodes->end()), nodes->end());
  }
  return delta;
}

}  // namespace repath
