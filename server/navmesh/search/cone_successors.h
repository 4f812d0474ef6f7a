// The successors of a cone: what its root, or a corner that it bends at, sees of the other edges of
// the cell behind its edge.
//
// Source: M. Cui, D. Harabor, A. Grastien, "Compromise-free pathfinding on a navigation mesh"
// (Polyanya), IJCAI 2017: observable successors go straight on, non-observable ones bend at an end
// of the interval that is a corner. We depart in this: sides are decided exactly, by rays; and a
// bend must be taut, that is, the blocked ground at the corner lies on its inner side.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/prefetch.h"
#include "navmesh/mesh/exact_side.h"
#include "navmesh/mesh/nav_mesh.h"
#include "navmesh/search/cone.h"
#include "navmesh/search/cone_roots.h"

namespace repath {

// Cells lie anywhere in memory: asks for most of the one that the edge belongs to.
inline void prefetch_cell_around(const NavMesh::Edge* edge) {
  for (std::ptrdiff_t line = -1; line <= 2; ++line) prefetch(edge, line);
}

// A cell's corners counterclockwise. Corner 0 is the right end of the edge by which the cell was
// entered, corner last() the left end. slot(k) is the edge from corner k to corner k + 1.
class CellChain {
 public:
  CellChain(const NavMesh::Edge* edges, std::uint32_t entered)
      : first_(edges + entered - edges[entered].place),
        begin_(edges[entered].place + 1u),
        count_(edges[entered].count) {}
  std::uint32_t last() const { return count_ - 1; }
  const NavMesh::Edge& slot(std::uint32_t k) const {
    const std::uint32_t place = begin_ + k;
    return first_[place >= count_ ? place - count_ : place];
  }

 private:
  const NavMesh::Edge* first_;
  std::uint32_t begin_;
  std::uint32_t count_;
};

// Makes successors and hands them to a `Sink`, in a fixed order. Lives for one slice of a search.
// The sink has two functions: `bool enters(edge)` returns whether the ground behind an edge is
// wanted; `void take(cone, right, left)` takes a successor and the ends of its edge.
template <class Sink>
class ConeSuccessors {
 public:
  using Edge = NavMesh::Edge;

  ConeSuccessors(const NavMesh& mesh, ConeRoots& roots, Sink& sink)
      : mesh_(mesh), roots_(roots), sink_(sink) {}

  // Makes what the start sees of a cell that holds it. Edges that hold the start lead to other
  // cells that hold it, and make no cone.
  void from_start(const ConeRoot& start, std::uint32_t cell) {
    for (const Edge& u : mesh_.edges_of(cell)) {
      const Edge& w = NavMesh::after(u);
      const Ray to_u = ray(start, u);
      const Ray to_w = ray(start, w);
      if (side_of(to_u.x, to_u.z, to_w.x, to_w.z) > 0) {
        see(start, u, w, to_w, to_u, false, false);
      } else if (to_u.x * to_w.x + to_u.z * to_w.z > 0) {  // both in one line with the start
        const bool u_is_nearer =
            std::abs(to_u.x) + std::abs(to_u.z) < std::abs(to_w.x) + std::abs(to_w.z);
        const Edge& near = u_is_nearer ? u : w;
        roots_.note(u, start);
        roots_.note(w, start);
        ConeRoot root;
        if (near.is_corner && roots_.reach(near, start, &root))
          see(root, u, w, to_w, to_u, !u_is_nearer, u_is_nearer);
      }
    }
  }

  // Makes the successors of the cone. O(edges of the cell behind its edge).
  void of(const Cone& cone) {
    const ConeRoot& from = cone.root;
    const CellChain chain(mesh_.edges(), cone.edge);
    for (std::uint32_t i = 0; i <= chain.last(); ++i) roots_.prefetch(chain.slot(i).vertex);
    double before = 0;  // below 0: the right ray cuts the edge from corner k
    std::uint32_t k = right_end(cone, chain, &before);
    Ray right{cone.right_x, cone.right_z, false};
    if (before == 0) right = ray(from, chain.slot(k));
    std::uint32_t end = chain.last();
    if (cone.root_is_left) {  // the edges that run towards the root are seen from no inner angle
      const Ray along = ray(from, chain.slot(end - 1));
      do --end;
      while (side(along, ray(from, chain.slot(end - 1))) == 0);
    }
    for (;; ++k) {
      const Edge& to = chain.slot(k + 1);
      const Ray left = ray(from, to);
      const double after = cone.root_is_left ? (k + 1 == end ? 0.0 : -1.0)
                                             : side_of(cone.left_x, cone.left_z, left.x, left.z);
      see(from, chain.slot(k), to, after > 0 ? Ray{cone.left_x, cone.left_z, false} : left, right,
          false, false);
      if (after >= 0) return left_end(cone, chain, k + 1, after);
      right = left;
    }
  }

 private:
  struct Ray {
    double x, z;
    bool at_vertex;
  };
  static Ray ray(const ConeRoot& from, const Edge& to) {
    return {to.x - from.x, to.z - from.z, true};
  }
  static double side(Ray of, Ray point) { return side_of(of.x, of.z, point.x, point.z); }

  // The same is done from both ends of the edge. Corner i of a side is i corners from that end.
  enum class Side { kRight, kLeft };
  template <Side kSide>
  static const Edge& corner(const CellChain& chain, std::uint32_t i) {
    return chain.slot(kSide == Side::kRight ? i : chain.last() - i);
  }

  // Makes the successors to the right of what the root sees. Returns the last corner that is not
  // left of the right ray; `before` is below 0 if it lies to the right of the ray, 0 if on it.
  std::uint32_t right_end(const Cone& cone, const CellChain& chain, double* before) {
    const ConeRoot& from = cone.root;
    std::uint32_t k = 0;
    if (cone.root_is_right) {
      const Ray first = ray(from, chain.slot(1));
      see_next<Side::kRight>(from, chain, 0, {0, 0, true}, first, true);
      for (k = 1; side(first, ray(from, chain.slot(k + 1))) == 0; ++k)
        bend_along<Side::kRight>(from, chain, k);
      *before = 0;
      return k;
    }
    const Ray right{cone.right_x, cone.right_z, false};
    *before = cone.right_at_vertex ? 0 : -1;
    double first = 1;
    for (;; ++k) {
      const double next = side(right, ray(from, chain.slot(k + 1)));
      if (k == 0) first = next;
      if (next > 0) break;
      *before = next;
    }
    if (!cone.right_at_vertex || first > 0) return k;
    if (first < 0) {
      turn<Side::kRight>(cone, chain, k, *before < 0);
    } else {
      for (std::uint32_t i = 0; i < k; ++i) bend_along<Side::kRight>(from, chain, i);
    }
    return k;
  }

  // Makes the successors to the left of corner `last`, the first that is not right of the left ray;
  // `after` is above 0 if it lies to the left of the ray.
  void left_end(const Cone& cone, const CellChain& chain, std::uint32_t last, double after) {
    const ConeRoot& from = cone.root;
    const std::uint32_t away = chain.last() - last;
    const Ray first = ray(from, corner<Side::kLeft>(chain, 1));
    if (cone.root_is_left) {
      for (std::uint32_t i = away; i > 1; --i) bend_along<Side::kLeft>(from, chain, i - 1);
      return see_next<Side::kLeft>(from, chain, 0, {0, 0, true}, first, true);
    }
    if (!cone.left_at_vertex || away == 0) return;
    if (side({cone.left_x, cone.left_z, false}, first) > 0)
      return turn<Side::kLeft>(cone, chain, away, after > 0);
    for (std::uint32_t i = away; i > 0; --i) bend_along<Side::kLeft>(from, chain, i - 1);
  }

  // Bends around the edge's end and sees the edges up to corner `last`. If the ray from the old
  // root over that end `cuts` the next edge, it sees the part of that edge before the ray as well.
  template <Side kSide>
  void turn(const Cone& cone, const CellChain& chain, std::uint32_t last, bool cuts) {
    constexpr bool kIsRight = kSide == Side::kRight;
    const Edge& pivot = corner<kSide>(chain, 0);
    const Ray on =
        kIsRight ? Ray{cone.right_x, cone.right_z, false} : Ray{cone.left_x, cone.left_z, false};
    ConeRoot root;
    if (!pivot.is_corner || !is_taut(pivot, on, kIsRight ? -1 : 1) ||
        !roots_.reach(pivot, cone.root, &root))
      return;
    const auto to = [&](std::uint32_t i) { return ray(root, corner<kSide>(chain, i)); };
    const Ray first = to(1);
    see_next<kSide>(root, chain, 0, {0, 0, true}, first, true);
    std::uint32_t i = 1;
    for (; i < last && side(first, to(i + 1)) == 0; ++i) bend_along<kSide>(root, chain, i);
    for (; i < last; ++i) see_next<kSide>(root, chain, i, to(i), to(i + 1), false);
    if (cuts) see_next<kSide>(root, chain, last, to(last), on, false);
  }

  // Goes through the edge beyond corner i, along which the root looks: only by a bend at the
  // corner.
  template <Side kSide>
  void bend_along(const ConeRoot& from, const CellChain& chain, std::uint32_t i) {
    const Edge& near = corner<kSide>(chain, i);
    const Edge& far = corner<kSide>(chain, i + 1);
    roots_.note(far, from);
    ConeRoot root;
    if (!near.is_corner || !roots_.reach(near, from, &root)) return;
    see_next<kSide>(root, chain, i, {0, 0, true}, ray(root, far), true);
  }

  // Sees the edge between corners i and i + 1 of that side.
  template <Side kSide>
  void see_next(const ConeRoot& from, const CellChain& chain, std::uint32_t i, Ray near, Ray far,
                bool root_is_near) {
    const Edge& a = corner<kSide>(chain, i);
    const Edge& b = corner<kSide>(chain, i + 1);
    if constexpr (kSide == Side::kRight) {
      see(from, a, b, far, near, false, root_is_near);
    } else {
      see(from, b, a, near, far, root_is_near, false);
    }
  }

  // `right` is the slot of the edge that is seen, from its right end to `left`.
  void see(const ConeRoot& from, const Edge& right, const Edge& left, Ray left_ray, Ray right_ray,
           bool root_is_left, bool root_is_right) {
    if (left_ray.at_vertex && !root_is_left) roots_.note(left, from);
    if (right_ray.at_vertex && !root_is_right) roots_.note(right, from);
    if (right.twin == kNoEdge) return;
    prefetch_cell_around(mesh_.edges() + right.twin);
    if (!sink_.enters(right)) return;
    sink_.take({from, left_ray.x, left_ray.z, right_ray.x, right_ray.z, right.twin,
                left_ray.at_vertex, right_ray.at_vertex, root_is_left, root_is_right},
               right, left);
  }

  // Returns whether blocked ground at the corner lies on the inner side of a path that comes along
  // the ray and turns: to the right with inner = -1, to the left with 1.
  bool is_taut(const Edge& corner, Ray on, double inner) const {
    const NavMesh::Vertex& v = mesh_.vertex(corner.vertex);
    return inner * side_of(on.x, on.z, v.after.x - corner.x, v.after.z - corner.z) >= 0 &&
           inner * side_of(on.x, on.z, v.before.x - corner.x, v.before.z - corner.z) >= 0;
  }

  const NavMesh& mesh_;
  ConeRoots& roots_;
  Sink& sink_;
};

}  // namespace repath
