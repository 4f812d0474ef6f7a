#include "routes/portal_graph.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "routes/boxes.h"

namespace repath {
namespace {

// Nodes that there may be, for each portal and link at the beginning: the mesh may grow, and nodes
// that are gone keep their numbers for a while.
constexpr std::size_t kGrowth = 2;
constexpr std::size_t kNodesLeast = 512;

LatticePoint rounded(Point steps) {
  return {static_cast<std::int32_t>(std::floor(steps.x + 0.5)),
          static_cast<std::int32_t>(std::floor(steps.z + 0.5))};
}

bool is_among(std::span<const NodeId> base_cells, std::uint32_t base) {
  return std::ranges::binary_search(base_cells, NodeId{base});
}

}  // namespace

std::size_t PortalGraph::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = 0;
  for (const std::uint64_t part :
       {static_cast<std::uint64_t>(key.least.x), static_cast<std::uint64_t>(key.least.z),
        static_cast<std::uint64_t>(key.most.x), static_cast<std::uint64_t>(key.most.z),
        std::uint64_t{key.base} << 32 | key.other}) {
    hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  return hash;
}

PortalGraph::PortalGraph(const NavGround* ground, Point goal, std::optional<Point> first)
    : ground_(ground),
      node_count_(static_cast<std::uint32_t>(kGrowth * most_portals_and_links() + kNodesLeast)),
      goal_(goal),
      first_(first) {
  add({.kind = Kind::kGoal, .at = rounded(goal), .pass = goal});
  list_exits();
}

void PortalGraph::read(const NavGround* ground) {
  ground_ = ground;
  list_exits();
}

// An edge of the mesh is one of the two of a portal.
std::size_t PortalGraph::most_portals_and_links() const {
  return mesh().edges_end() / 2 + 2 * mesh().links().size();
}

NodeId PortalGraph::add(const Node& node) const {
  REPATH_CHECK(nodes_.size() < node_count_);
  nodes_.push_back(node);
  return NodeId{static_cast<std::uint32_t>(nodes_.size() - 1)};
}

// The exact root of a whole number, rounded up.
Cost PortalGraph::steps(LatticePoint a, LatticePoint b) {
  const std::int64_t dx = std::int64_t{a.x} - b.x;
  const std::int64_t dz = std::int64_t{a.z} - b.z;
  const auto square = static_cast<std::uint64_t>(dx * dx) + static_cast<std::uint64_t>(dz * dz);
  auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(square)));
  while (root > 0 && root * root >= square) --root;
  while (root * root < square) ++root;
  return root;
}

Cost PortalGraph::cost_of(LatticePoint a, LatticePoint b, double factor) {
  const Cost apart = steps(a, b);
  const auto cost = static_cast<Cost>(std::ceil(static_cast<double>(apart) * factor));
  return std::max({cost, apart, Cost{1}});
}

std::uint32_t PortalGraph::near_cell_of(std::uint32_t ride) const {
  const NavLink& link = mesh().links()[ride / 2];
  return ride % 2 == 0 ? link.from_cell : link.to_cell;
}

bool PortalGraph::is_open(std::uint32_t ride) const {
  const NavLink& link = mesh().links()[ride / 2];
  return link.enabled && filter().allows(link.flags) && (ride % 2 == 0 || link.both_ways) &&
         allows(link.from_cell) && allows(link.to_cell);
}

Cost PortalGraph::cost_of_ride(std::uint32_t ride) const {
  const NavLink& link = mesh().links()[ride / 2];
  return cost_of(link.from, link.to, filter().factor(link));
}

void PortalGraph::list_exits() {
  exits_.clear();
  const std::vector<NavLink>& links = mesh().links();
  for (std::uint32_t i = 0; i < links.size(); ++i) {
    if (links[i].from_cell == kNoCell || links[i].to_cell == kNoCell) continue;
    exits_.push_back(2 * i);
    if (links[i].both_ways) exits_.push_back(2 * i + 1);
  }
  std::ranges::stable_sort(exits_, {},
                           [this](std::uint32_t ride) { return ride_of(ride).far_cell; });
}

PortalGraph::Key PortalGraph::key_of(std::uint32_t edge) const {
  const NavMesh::Edge& a = mesh().edge(edge);
  const NavMesh::Edge& b = NavMesh::after(a);
  Key key{.least = rounded({a.x, a.z}),
          .most = rounded({b.x, b.z}),
          .base = ground_->carved().base_of(mesh().cell_of(edge)),
          .other = ground_->carved().base_of(a.neighbour)};
  if (std::pair(key.most.x, key.most.z) < std::pair(key.least.x, key.least.z))
    std::swap(key.least, key.most);
  if (key.other < key.base) std::swap(key.base, key.other);
  return key;
}

NodeId PortalGraph::portal_of(std::uint32_t edge) const {
  const Key key = key_of(edge);
  const auto [known, is_new] =
      portals_.try_emplace(key, NodeId{static_cast<std::uint32_t>(nodes_.size())});
  if (!is_new) return known->second;
  const Point pass = passed_at(key);
  add({.kind = Kind::kPortal,
       .at = rounded(pass),
       .pass = pass,
       .edge = edge,
       .base = key.base,
       .other = key.other});
  beside_[key.base].push_back(known->second);
  if (key.other != key.base) beside_[key.other].push_back(known->second);
  return known->second;
}

NodeId PortalGraph::link_of(std::uint32_t ride) const {
  const auto [known, is_new] =
      links_.try_emplace(ride, NodeId{static_cast<std::uint32_t>(nodes_.size())});
  if (!is_new) return known->second;
  const LatticePoint far = ride_of(ride).far;
  add({.kind = Kind::kLink,
       .at = far,
       .pass = {static_cast<double>(far.x), static_cast<double>(far.z)},
       .ride = ride});
  link_nodes_.push_back(known->second);
  return known->second;
}

std::span<const NodeId> PortalGraph::portals_beside(std::uint32_t base) const {
  const auto known = beside_.find(base);
  return known == beside_.end() ? std::span<const NodeId>() : known->second;
}

// As CorridorSearch passes a portal, from a fixed point before it.
Point PortalGraph::passed_at(const Key& key) const {
  const Point a{static_cast<double>(key.least.x), static_cast<double>(key.least.z)};
  const double ex = key.most.x - a.x;
  const double ez = key.most.z - a.z;
  const auto share_of = [&](Point p) {
    return ((p.x - a.x) * ex + (p.z - a.z) * ez) / (ex * ex + ez * ez);
  };
  const auto off = [&](Point p) { return std::abs(ex * (p.z - a.z) - ez * (p.x - a.x)); };
  double share = share_of(goal_);
  if (first_) {
    const double here = off(*first_);
    const double there = off(goal_);
    const double from = share_of(*first_);
    share = here + there > 0 ? from + (share - from) * (here / (here + there)) : from;
  }
  share = std::clamp(share, 0.0, 1.0);
  return {a.x + share * ex, a.z + share * ez};
}

void PortalGraph::take_in(std::span<const NodeId> base_cells, std::vector<NodeId>* changed) {
  list_exits();
  std::vector<NodeId> detached;
  for (const NodeId base : base_cells)
    for (const NodeId n : portals_beside(index(base))) {
      changed->push_back(n);
      if (node(n).edge == kNoEdge) continue;
      nodes_[index(n)].edge = kNoEdge;
      ++gone_;
      detached.push_back(n);
    }
  changed->insert(changed->end(), link_nodes_.begin(), link_nodes_.end());
  const auto before = static_cast<std::uint32_t>(nodes_.size());
  for (const NodeId base : base_cells)
    if (is_near_known(index(base))) attach_portals(index(base));
  for (const std::uint32_t ride : exits_)
    for (const std::uint32_t cell : {near_cell_of(ride), ride_of(ride).far_cell}) {
      const std::uint32_t base = ground_->carved().base_of(cell);
      if (!is_among(base_cells, base)) continue;
      static_cast<void>(link_of(ride));
      attach_portals(base);  // they may be known by the link alone
    }
  for (std::uint32_t i = before; i < nodes_.size(); ++i) changed->push_back(NodeId{i});
  append_beside_gone(detached, changed);
}

// Appends the portals that shared a cell with one of these that is gone. Such a cell may be as it
// was, but for the neighbour that it lost, and then its base cell counts as unchanged.
void PortalGraph::append_beside_gone(std::span<const NodeId> detached,
                                     std::vector<NodeId>* changed) const {
  std::vector<NodeId> bases;
  for (const NodeId n : detached)
    if (node(n).edge == kNoEdge)
      bases.insert(bases.end(), {NodeId{node(n).base}, NodeId{node(n).other}});
  std::ranges::sort(bases);
  bases.erase(std::unique(bases.begin(), bases.end()), bases.end());
  for (const NodeId base : bases) {
    const std::span<const NodeId> beside = portals_beside(index(base));
    changed->insert(changed->end(), beside.begin(), beside.end());
  }
}

// Returns whether portals of the base cell, or of one next to it, are known: ground that opens
// beside a cell that is known may be reached from there.
bool PortalGraph::is_near_known(std::uint32_t base) const {
  const CarvedGround& ground = ground_->carved();
  if (beside_.contains(base)) return true;
  for (const std::uint32_t cell : ground.cells_of(base))
    for (const NavMesh::Edge& edge : mesh().edges_of(cell))
      if (edge.neighbour != kNoCell && beside_.contains(ground.base_of(edge.neighbour)))
        return true;
  return false;
}

// Sets which edge of the mesh each portal of the base cell is now.
void PortalGraph::attach_portals(std::uint32_t base) {
  for (const std::uint32_t cell : ground_->carved().cells_of(base)) {
    if (!allows(cell)) continue;
    const std::uint32_t first = mesh().cell(cell).first;
    for (const NavMesh::Edge& edge : mesh().edges_of(cell)) {
      if (edge.twin == kNoEdge || !allows(edge.neighbour)) continue;
      Node& portal = nodes_[index(portal_of(first + edge.place))];
      if (portal.edge == kNoEdge) --gone_;
      portal.edge = first + edge.place;
    }
  }
}

void PortalGraph::place_goal(const std::optional<MeshPlace>& goal) {
  goal_cells_.clear();
  if (goal) append_cells_at(*goal, &goal_cells_);
}

void PortalGraph::place_start(const MeshPlace& start, std::vector<NodeId>* changed) {
  const Point here{start.x, start.z};
  if (start_ != kNoNode) changed->push_back(start_);
  if (start_ == kNoNode || node(start_).pass != here) {
    if (start_ != kNoNode) ++gone_;
    start_ = add({.kind = Kind::kStart, .at = rounded(here), .pass = here});
    changed->push_back(start_);
  }
  start_cells_.clear();
  append_cells_at(start, &start_cells_);
}

// Appends the cells of all pieces of ground that hold the place.
void PortalGraph::append_cells_at(const MeshPlace& place, std::vector<std::uint32_t>* cells) const {
  if (!allows(place.cell)) return;
  std::vector<std::uint32_t> around;
  for (const std::uint32_t cell : ground_->pieces_at(place)) {
    cells_around(mesh(), {cell, place.x, place.z}, &around, &filter());
    cells->insert(cells->end(), around.begin(), around.end());
  }
}

void PortalGraph::append_ends(std::vector<NodeId>* changed) const {
  changed->push_back(kGoal);
  for (const auto* cells : {&start_cells_, &goal_cells_})
    for (const std::uint32_t cell : *cells)
      for_each_portal(cell, [&](NodeId n) { changed->push_back(n); });
}

// Returns the cheapest cell that holds both nodes; of equal ones the cell where the way is now.
std::uint32_t PortalGraph::cell_between(NodeId from, NodeId to, std::uint32_t now) const {
  std::uint32_t best = kNoCell;
  for_each_cell_out_of(from, [&](std::uint32_t cell) {
    bool holds_both = false;
    for_each_cell_into(to, [&](std::uint32_t other) { holds_both |= other == cell; });
    if (!holds_both) return;
    if (best == kNoCell || factor_of(cell) < factor_of(best) ||
        (cell == now && factor_of(cell) == factor_of(best)))
      best = cell;
  });
  REPATH_CHECK(best != kNoCell);
  return best;
}

void PortalGraph::trace(std::span<const NodeId> nodes, CorridorPath* path) const {
  std::uint32_t cell = kNoCell;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    const Node& one = node(nodes[i]);
    const std::uint32_t next = cell_between(nodes[i], nodes[i + 1], cell);
    if (one.kind == Kind::kStart) {
      path->begin(mesh(), filter(), {next, one.pass.x, one.pass.z});
    } else if (one.kind == Kind::kLink) {
      path->add_link(ride_of(one.ride));
    } else if (next != cell) {
      const bool is_its_edge = mesh().cell_of(one.edge) == next;
      path->add_portal(is_its_edge ? one.edge : mesh().edge(one.edge).twin, one.pass.x, one.pass.z);
    }
    cell = next;
  }
  path->end(goal_.x, goal_.z);
}

std::size_t PortalGraph::bytes() const {
  constexpr std::size_t kPerEntry = 3 * sizeof(void*);
  return nodes_.capacity() * sizeof(Node) +
         portals_.size() * (sizeof(Key) + 3 * sizeof(NodeId) + kPerEntry) +
         beside_.size() * (sizeof(NodeId) + sizeof(std::vector<NodeId>) + kPerEntry) +
         links_.size() * (2 * sizeof(NodeId) + kPerEntry) +
         (exits_.capacity() + start_cells_.capacity() + goal_cells_.capacity()) *
             sizeof(std::uint32_t) +
         link_nodes_.capacity() * sizeof(NodeId);
}

}  // namespace repath
