// The core of an any-angle search: its open list, cones that wait, and roots. It is memory that
// several searches may share, one at a time; navmesh/search/cone_steps.h works on it.
//
// Not thread-safe. Borrows the mesh from begin() until the next; the mesh must not change before
// the search is done. Memory is kept from search to search: 24 bytes a vertex, and 88 a cone that
// waits. Nothing is allocated once it is as large as the searches need.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/prefetch.h"
#include "navmesh/mesh/mesh_place.h"
#include "navmesh/mesh/nav_mesh.h"
#include "navmesh/search/cone.h"
#include "navmesh/search/cone_roots.h"
#include "navmesh/search/node_queue.h"
#include "search/graph.h"

namespace repath {

// A cone for ExplainPath and for drawings. Lattice steps.
struct SeenCone {
  std::uint32_t root = 0;  // vertex; vertices_end(): the start
  std::uint32_t edge = 0;  // an edge of the cell behind it
  std::uint32_t cell = 0;  // the cell behind the edge
  Point from;              // the root
  Point left;              // ends of what the root sees of the edge
  Point right;
  Point at;      // the point between them that is nearest to the root
  double g = 0;  // length of the way to that point
  double f = 0;  // no path through the edge there is shorter
};

struct ConeCore {
  using Edge = NavMesh::Edge;

  // A successor, and the ends of its edge.
  struct Made {
    Cone cone;
    const Edge* left;
    const Edge* right;
  };

  // Begins a search with nothing to expand. Cones are compared with the ends of their edges once
  // `uncompared` were expanded. `lists`: roots.noted() is asked for. REQUIRES: the place lies in
  // its live cell. O(1), and O(vertices) when the mesh has grown.
  void begin(const NavMesh& on, const MeshPlace& from, std::uint64_t uncompared = 0,
             bool lists = false);

  // Makes the best waiting cone the current one. Returns false if none waits, or if `goes_on`,
  // which is asked before each is taken, says that those which wait are not worth it.
  template <class GoesOn>
  bool take_next(GoesOn goes_on) {
    NodeHeap& heap = queue.heap;
    while (!heap.empty()) {
      if (!goes_on()) return false;
      const NodeHeap::Entry top = heap.top();
      heap.pop();
      if (!heap.empty()) {
        prefetch(&cones[heap.top().node]);
        prefetch(&cones[heap.top().node], 1);
      }
      free.push_back(top.node);
      const Cone& cone = cones[top.node];
      if (roots.is_outdated(cone.root)) continue;
      if (roots.is_beaten(cone, left_end(cone), right_end(cone))) continue;
      current = cone;
      current_f = top.f;
      return has_current = true;
    }
    return false;
  }
  void wait(const Cone& cone, double f) {
    if (free.empty()) {
      free.push_back(static_cast<std::uint32_t>(cones.size()));
      cones.emplace_back();
    }
    const std::uint32_t node = free.back();
    free.pop_back();
    cones[node] = cone;
    queue.push(f, node);
  }
  // Raises the f of each waiting cone to what `bound` says of it now.
  template <class Bound>
  void bound_again(Bound bound) {
    const std::vector<NodeHeap::Entry> waiting = queue.heap.entries();
    queue.heap.clear();
    for (NodeHeap::Entry entry : waiting) {
      const Cone& cone = cones[entry.node];
      entry.f = std::max(entry.f, bound(cone, left_end(cone), right_end(cone)));
      queue.heap.push(entry);
    }
  }

  const Edge& left_end(const Cone& cone) const { return mesh->edge(cone.edge); }
  const Edge& right_end(const Cone& cone) const { return mesh->edge(mesh->next(cone.edge)); }
  // The start as a root.
  ConeRoot start_root() const { return {start.x, start.z, 0, mesh->vertices_end()}; }
  // `straight`: no path through the cone is shorter, if f does not say so already.
  SeenCone seen(const Cone& cone, double f, double straight) const;
  std::size_t bytes() const;

  const NavMesh* mesh = nullptr;
  MeshPlace start;
  std::vector<std::uint32_t> start_cells;
  ConeRoots roots;
  NodeQueue queue;  // its nodes are places in `cones`
  std::vector<Cone> cones;
  std::vector<std::uint32_t> free;  // places in `cones`
  std::vector<Made> made;           // successors of the cone that is expanded
  Cone current{};
  bool has_current = false;  // a single successor, which is expanded without waiting
  double current_f = 0;      // no path through it is shorter
  std::uint64_t compared_after = 0;
};

// A search with a core of its own, for a caller that runs only one search. `Search` is constructed
// with the core that it works on.
struct OwnedConeCore {
  ConeCore core;
};
template <class Search>
class WithOwnCore : private OwnedConeCore, public Search {
 public:
  WithOwnCore() : Search(&core) {}
  WithOwnCore(const WithOwnCore&) = delete;
  WithOwnCore& operator=(const WithOwnCore&) = delete;
};

}  // namespace repath
