#include "routes/route_copies.h"

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>
#include <variant>

#include "routes/graph_world.h"
#include "routes/nav_world.h"
#include "world/read_back.h"

namespace repath {
namespace {

constexpr std::size_t kBytesPerGraphEntry = 64;

// Returns all but the ground and what is copied in pieces.
WorldContent begin_content(const RouteWorld& world) {
  WorldContent content;
  content.kind = world.kind();
  content.revision = world.revision();
  content.state_hash = world.state_hash();
  content.profiles = world.profiles();
  return content;
}

}  // namespace

// ---- navmeshes ----

NavCopy::NavCopy(const NavWorld& world) : world_(world), content_(begin_content(world)) {
  content_.mesh = world.source();
  content_.mesh_cell_side = world.cell_side();
  content_.mesh_base_radius = world.base_radius();
  for (const NavLink& link : content_.mesh->links)
    if (world.is_link_enabled(link.id) != link.enabled)
      content_.switched_links.push_back({link.id, !link.enabled});
}

void NavCopy::note_before(ObstacleId id, const ObstacleSpec* before) {
  obstacles_.keep(id, [&] { return before == nullptr ? std::nullopt : std::optional(*before); });
}

bool NavCopy::advance(std::int64_t* bytes) {
  const auto& obstacles = world_.obstacles();
  return obstacles_.advance(
      bytes, [&](const auto& last) { return key_after(obstacles, last); },
      [&](ObstacleId id) { return obstacles.at(id); },
      [](const ObstacleSpec& obstacle) { return bytes_of(obstacle); });
}

WorldContent NavCopy::take() {
  content_.obstacles = obstacles_.take();
  return std::move(content_);
}

// ---- graphs ----

GraphCopy::GraphCopy(const GraphWorld& world) : world_(world), content_(begin_content(world)) {}

std::optional<GraphCopy::Part> GraphCopy::part(std::uint64_t id) const {
  const WaypointGraph& graph = world_.graph();
  const NodeId n = graph.find(id);
  if (n == kNoNode) return std::nullopt;
  Part part{graph.node(n), {}};
  part.edges.reserve(graph.edges_from(n).size());
  for (const WaypointGraph::Edge& edge : graph.edges_from(n))
    part.edges.push_back(edge_of(graph, n, edge));
  // The order of indices depends on the order of edits; equal graphs shall have equal copies.
  std::ranges::sort(part.edges, {}, [](const GraphEdge& e) { return std::pair(e.to, e.key); });
  return part;
}

void GraphCopy::note_before(std::span<const GraphEdit> edits) {
  const auto keep = [this](std::uint64_t id) { parts_.keep(id, [&] { return part(id); }); };
  const auto keep_edited = [&](const auto& edit) {
    using Edit = std::decay_t<decltype(edit)>;
    if constexpr (std::is_same_v<Edit, GraphNode> || std::is_same_v<Edit, SwitchGraphNode>) {
      keep(edit.id);
    } else if constexpr (std::is_same_v<Edit, RemoveGraphNode>) {
      keep(edit.id);
      const WaypointGraph& graph = world_.graph();
      const NodeId n = graph.find(edit.id);
      if (n == kNoNode) return;  // an earlier edit of the batch brings it
      for (const NodeId before : graph.nodes_before(n)) keep(graph.node(before).id);
    } else {
      keep(edit.from);
      if constexpr (std::is_same_v<Edit, GraphEdge>)
        if (edit.both) keep(edit.to);
    }
  };
  for (const GraphEdit& edit : edits) std::visit(keep_edited, edit);
}

bool GraphCopy::advance(std::int64_t* bytes) {
  const auto& ids = world_.graph().by_id();
  return parts_.advance(
      bytes, [&](const auto& last) { return key_after(ids, last); },
      [&](std::uint64_t id) { return *part(id); },
      [](const Part& one) { return kBytesPerGraphEntry * (1 + one.edges.size()); });
}

WorldContent GraphCopy::take() {
  for (Part& one : parts_.take()) {
    content_.graph.nodes.push_back(one.node);
    content_.graph.edges.insert(content_.graph.edges.end(), one.edges.begin(), one.edges.end());
  }
  return std::move(content_);
}

GraphEdge edge_of(const WaypointGraph& graph, NodeId from, const WaypointGraph::Edge& edge) {
  return {.from = graph.node(from).id,
          .to = graph.node(edge.to).id,
          .cost = cells_from_cost(edge.cost),
          .area = edge.area,
          .flags = edge.flags,
          .both = false,
          .enabled = edge.enabled,
          .key = edge.key,
          .width = from_edge_width(edge.width)};
}

GraphPage read_graph(const WaypointGraph& graph, const GraphQuestion& question) {
  GraphPage page;
  const auto is_full = [&] { return page.nodes.size() + page.edges.size() >= question.limit; };
  // Appends the node's edges from the `first` on. Returns false if the page is full before the
  // last.
  const auto add_edges = [&](NodeId n, std::uint32_t first) {
    const std::span<const WaypointGraph::Edge> edges = graph.edges_from(n);
    for (std::uint32_t i = first; i < edges.size(); ++i) {
      if (is_full()) {
        page.next = GraphCursor{graph.node(n).id, i};
        return false;
      }
      page.edges.push_back(edge_of(graph, n, edges[i]));
    }
    return true;
  };
  auto at = graph.by_id().begin();
  if (question.after) {
    const NodeId n = graph.find(question.after->node);
    if (n != kNoNode && question.after->edge && !add_edges(n, *question.after->edge)) return page;
    at = graph.by_id().upper_bound(question.after->node);
  }
  for (; at != graph.by_id().end(); ++at) {
    if (is_full()) {
      page.next = GraphCursor{std::prev(at)->first, {}};  // a full page has given a node before
      return page;
    }
    page.nodes.push_back(graph.node(at->second));
    if (!add_edges(at->second, 0)) return page;
  }
  return page;
}

}  // namespace repath
