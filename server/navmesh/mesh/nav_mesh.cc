#include "navmesh/mesh/nav_mesh.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "base/equal_run.h"
#include "base/error.h"
#include "geometry/ring.h"
#include "navmesh/mesh/mesh_patch.h"

namespace repath {

namespace {

// Returns whether the direction `to` is beyond the one opposite to `from`. It was reached from
// `from` counterclockwise in steps of at most pi.
bool exceeds_half(LatticePoint o, LatticePoint from, LatticePoint to) {
  const std::int64_t t = turn(o, from, to);
  return t != 0 ? t < 0 : onward(from, o, to) < 0;  // in one line: once round
}

}  // namespace

void NavMesh::join(std::uint32_t a, std::uint32_t b) {
  edges_[a].twin = b;
  edges_[a].neighbour = owners_[b];
  edges_[b].twin = a;
  edges_[b].neighbour = owners_[a];
}

void NavMesh::collect_fan(std::uint32_t e, std::vector<std::uint32_t>* fan) const {
  std::uint32_t first = e;  // goes clockwise as far as the fan goes
  while (edges_[first].twin != kNoEdge) {
    first = next(edges_[first].twin);
    if (first == e) break;
  }
  fan->clear();
  for (std::uint32_t k = first;;) {
    fan->push_back(k);
    k = edges_[previous(k)].twin;
    if (k == kNoEdge || k == first) return;
  }
}

void NavMesh::settle_fan(const std::vector<std::uint32_t>& fan, std::uint32_t vertex) {
  const bool is_closed = edges_[previous(fan.back())].twin == fan.front();
  const LatticePoint o = point_of(fan.front());
  const LatticePoint after = point_of(next(fan.front()));
  const bool is_corner = !is_closed && std::ranges::any_of(fan, [&](std::uint32_t k) {
    return exceeds_half(o, after, point_of(previous(k)));
  });
  for (const std::uint32_t k : fan) {
    edges_[k].vertex = vertex;
    edges_[k].is_corner = is_corner;
  }
  vertices_[vertex].is_corner = is_corner;
  vertices_[vertex].after = after;
  vertices_[vertex].before = point_of(previous(fan.back()));
}

// The steps of NavMesh::build, in order.
class MeshBuilder {
 public:
  explicit MeshBuilder(const MeshSource& source) : source_(source) {}

  absl::StatusOr<NavMesh> run() {
    place_cells();
    if (auto s = join_edges(); !s.ok()) return s;
    place_vertices();
    DeadEndRepair().find_all(&mesh_);
    ComponentRepair().find_all(&mesh_);
    mesh_.links_ = source_.links;
    mesh_.settle_links();
    return std::move(mesh_);
  }

 private:
  using Edge = NavMesh::Edge;

  void place_cells() {
    mesh_.edges_.reserve(source_.corners.size());
    mesh_.owners_.reserve(source_.corners.size());
    mesh_.cells_.reserve(source_.cells.size());
    for (const MeshSource::Cell& from : source_.cells) {
      const auto cell = static_cast<std::uint32_t>(mesh_.cells_.size());
      mesh_.cells_.push_back({.first = static_cast<std::uint32_t>(mesh_.edges_.size()),
                              .count = from.count,
                              .area = from.area,
                              .flags = from.flags});
      for (std::uint32_t k = 0; k < from.count; ++k) {
        const std::uint32_t v = source_.corners[from.first + k];
        const LatticePoint p = source_.vertices[v].at;
        mesh_.edges_.push_back({.x = static_cast<double>(p.x),
                                .z = static_cast<double>(p.z),
                                .vertex = v,
                                .place = static_cast<std::uint8_t>(k),
                                .count = static_cast<std::uint8_t>(from.count)});
        mesh_.owners_.push_back(cell);
      }
    }
  }

  // Joins edges between the same two vertices, in the order of these.
  absl::Status join_edges() {
    struct Key {
      std::uint32_t low, high, edge;
      bool is_up;
    };
    std::vector<Key> keys;
    keys.reserve(mesh_.edges_.size());
    for (std::uint32_t e = 0; e < mesh_.edges_end(); ++e) {
      const std::uint32_t u = mesh_.edges_[e].vertex;
      const std::uint32_t w = mesh_.edges_[mesh_.next(e)].vertex;
      keys.push_back({std::min(u, w), std::max(u, w), e, u < w});
    }
    std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
      return std::tie(a.low, a.high, a.is_up, a.edge) < std::tie(b.low, b.high, b.is_up, b.edge);
    });
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
      const Key& a = keys[i];
      const Key& b = keys[i + 1];
      if (a.low != b.low || a.high != b.high) continue;
      if (a.is_up == b.is_up) {
        return invalid_field(
            "EDGE_SHARED", item("cells", mesh_.owners_[b.edge]),
            "has an edge on the same side as cell " + std::to_string(mesh_.owners_[a.edge]));
      }
      mesh_.join(a.edge, b.edge);
    }
    return absl::OkStatus();
  }
  // Gives each fan of cells around a vertex a vertex of its own; the first fan keeps the number.
  void place_vertices() {
    mesh_.vertices_.resize(source_.vertices.size());
    std::vector<bool> is_taken(source_.vertices.size(), false);
    for (std::size_t v = 0; v < source_.vertices.size(); ++v)
      mesh_.vertices_[v] = {.at = source_.vertices[v].at, .y = source_.vertices[v].y};
    std::vector<bool> is_done(mesh_.edges_.size(), false);
    for (std::uint32_t e = 0; e < mesh_.edges_end(); ++e) {
      if (is_done[e]) continue;
      std::uint32_t vertex = mesh_.edges_[e].vertex;
      if (is_taken[vertex]) {
        mesh_.vertices_.push_back(
            {.at = mesh_.vertices_[vertex].at, .y = mesh_.vertices_[vertex].y});
        vertex = static_cast<std::uint32_t>(mesh_.vertices_.size() - 1);
      } else {
        is_taken[vertex] = true;
      }
      mesh_.collect_fan(e, &fan_);
      for (const std::uint32_t k : fan_) is_done[k] = true;
      mesh_.settle_fan(fan_, vertex);
    }
  }

  const MeshSource& source_;
  NavMesh mesh_;
  std::vector<std::uint32_t> fan_;
};

absl::StatusOr<NavMesh> NavMesh::build(const MeshSource& source) {
  if (auto s = check_source(source); !s.ok()) return s;
  return MeshBuilder(source).run();
}

std::span<const NavMesh::LinkEnd> NavMesh::link_ends_of(std::uint32_t cell) const {
  return equal_run(link_ends_, cell, &LinkEnd::cell);
}

void NavMesh::place_links(std::span<const LinkPlace> places) {
  for (const LinkPlace& place : places) {
    links_[place.link].from_cell = place.from_cell;
    links_[place.link].to_cell = place.to_cell;
  }
  settle_links();
}

void NavMesh::settle_links() {
  link_ends_.clear();
  united_.clear();
  for (std::uint32_t i = 0; i < links_.size(); ++i) {
    const NavLink& link = links_[i];
    if (link.from_cell == kNoCell || link.to_cell == kNoCell) continue;
    link_ends_.push_back({link.from_cell, i, true});
    if (link.both_ways) link_ends_.push_back({link.to_cell, i, false});
    for (const std::uint32_t cell : {link.from_cell, link.to_cell})
      united_.push_back({cells_[cell].component, cells_[cell].component});
  }
  std::ranges::stable_sort(link_ends_, {}, &LinkEnd::cell);
  std::ranges::sort(united_);
  united_.erase(std::unique(united_.begin(), united_.end()), united_.end());
  // The second element of each pair leads to one that is not greater, and in the end to itself.
  const auto root_of = [this](std::uint32_t cell) {
    const auto entry_of = [this](std::uint32_t component) {
      return std::ranges::lower_bound(united_, std::pair(component, 0u));
    };
    auto entry = entry_of(cells_[cell].component);
    while (entry->second != entry->first) {
      const auto next = entry_of(entry->second);
      entry->second = next->second;
      entry = next;
    }
    return entry;
  };
  for (const NavLink& link : links_) {
    if (link.from_cell == kNoCell || link.to_cell == kNoCell) continue;
    const auto a = root_of(link.from_cell);
    const auto b = root_of(link.to_cell);
    std::max(a, b)->second = std::min(a, b)->first;
  }
  for (auto& [component, root] : united_)  // smaller components are settled
    root = std::ranges::lower_bound(united_, std::pair(root, 0u))->second;
}

std::uint32_t NavMesh::united(std::uint32_t component) const {
  const auto entry = std::ranges::lower_bound(united_, std::pair(component, 0u));
  return entry != united_.end() && entry->first == component ? entry->second : component;
}

double NavMesh::height_at(std::uint32_t cell, double x, double z) const {
  const std::span<const Edge> corners = edges_of(cell);
  double low = vertices_[corners[0].vertex].y;
  double high = low;
  for (const Edge& e : corners) {
    low = std::min(low, vertices_[e.vertex].y);
    high = std::max(high, vertices_[e.vertex].y);
  }
  if (low == high) return low;
  for (const Edge& e : corners) {
    // Starts at the vertex with the smaller number, so that both cells get the same height.
    const bool is_up = e.vertex < after(e).vertex;
    const Edge& a = is_up ? e : after(e);
    const Edge& b = is_up ? after(e) : e;
    const double dx = b.x - a.x;
    const double dz = b.z - a.z;
    const double length2 = dx * dx + dz * dz;
    const double across = dx * (z - a.z) - dz * (x - a.x);
    if (across * across > kEdgeReach * kEdgeReach * length2) continue;
    const double along = dx * (x - a.x) + dz * (z - a.z);
    const double beyond = std::max(-along, along - length2);
    if (beyond > 0 && beyond * beyond > kEdgeReach * kEdgeReach * length2) continue;
    const double share = std::clamp(along / length2, 0.0, 1.0);
    const double ya = vertices_[a.vertex].y;
    const double yb = vertices_[b.vertex].y;
    return share == 1 ? yb : ya + share * (yb - ya);
  }
  return std::clamp(height_in_fan(cell, x, z), low, high);
}

double NavMesh::height_in_fan(std::uint32_t cell, double x, double z) const {
  const std::span<const Edge> corners = edges_of(cell);
  const Edge& a = corners[0];
  const auto cross = [](const Edge& o, const Edge& p, double px, double pz) {
    return (p.x - o.x) * (pz - o.z) - (p.z - o.z) * (px - o.x);
  };
  std::size_t k = 1;
  while (k + 2 < corners.size() && cross(a, corners[k + 1], x, z) > 0) ++k;
  const Edge& b = corners[k];
  const Edge& c = corners[k + 1];
  const double whole = cross(a, b, c.x, c.z);
  const double ya = vertices_[a.vertex].y;
  if (whole == 0) return ya;  // three corners in a line
  const double to_c = cross(a, b, x, z) / whole;
  const double to_b = (x - a.x) * (c.z - a.z) - (z - a.z) * (c.x - a.x);
  return ya + (to_b / whole) * (vertices_[b.vertex].y - ya) + to_c * (vertices_[c.vertex].y - ya);
}

std::size_t NavMesh::bytes_to_insert(std::size_t cells, std::size_t edges) const {
  constexpr std::size_t kOfMarks = 6 * sizeof(std::uint32_t);  // of a cell, and of a vertex
  const auto growth = [](const auto& list, std::size_t more, std::size_t aside = 0) {
    const std::size_t size = list.size() + more;
    if (size <= list.capacity()) return std::size_t{0};
    const std::size_t grown = std::max(size, 2 * list.capacity());
    return (grown - list.capacity()) * (sizeof(list[0]) + aside);
  };
  return growth(edges_, edges) + growth(owners_, edges) + growth(cells_, cells, kOfMarks) +
         growth(vertices_, edges, kOfMarks);
}

std::size_t NavMesh::bytes() const {
  return edges_.capacity() * sizeof(Edge) + owners_.capacity() * sizeof(std::uint32_t) +
         cells_.capacity() * sizeof(Cell) + vertices_.capacity() * sizeof(Vertex) +
         links_.capacity() * sizeof(NavLink) + link_ends_.capacity() * sizeof(LinkEnd) +
         (free_cells_.capacity() + free_vertices_.capacity() + free_components_.capacity() +
          component_cells_.capacity() + cell_marks_.of.capacity() + vertex_marks_.of.capacity()) *
             sizeof(std::uint32_t);
}

}  // namespace repath
