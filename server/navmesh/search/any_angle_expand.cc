// AnyAngleSearch: the successors of a node, edge by edge of the cell it looks into.
#include "base/prefetch.h"
#include "navmesh/search/any_angle.h"

namespace repath {

void AnyAngleSearch::expand(const Cone& cone) {
  const Chain chain(mesh_->edges(), cone.edge);
  for (std::uint32_t i = 0; i < chain.count(); ++i) prefetch(&roots_[chain.slot(i).vertex]);
  const Origin from{cone.root_x, cone.root_z, cone.g, cone.root};
  double before = 0;  // below 0: the right ray cuts the edge from corner k
  std::uint32_t k = right_end(cone, from, chain, &before);
  const std::uint32_t last = chain.count() - 1;
  Ray right{cone.right_x, cone.right_z, false};
  if (before == 0) right = {chain.slot(k).x - from.x, chain.slot(k).z - from.z, true};
  std::uint32_t end = last;
  if (cone.root_is_left) {  // the edges that run towards the root are seen from no inner angle
    const double dx = chain.slot(last - 1).x - from.x;
    const double dz = chain.slot(last - 1).z - from.z;
    --end;
    while (side_of(dx, dz, chain.slot(end - 1).x - from.x, chain.slot(end - 1).z - from.z) == 0)
      --end;
  }
  for (;; ++k) {
    const Edge& to = chain.slot(k + 1);
    const Ray left{to.x - from.x, to.z - from.z, true};
    const double after = cone.root_is_left ? (k + 1 == end ? 0.0 : -1.0)
                                           : side_of(cone.left_x, cone.left_z, left.x, left.z);
    see(from, chain.slot(k), to, after > 0 ? Ray{cone.left_x, cone.left_z, false} : left, right,
        false, false);
    if (after >= 0) {
      left_end(cone, from, chain, k + 1, after);
      return;
    }
    right = left;
  }
}

// Successors to the right of what the root sees. Returns the last corner that is not left of the
// right ray; `before` is below 0 if it lies to the right of it, 0 if on it.
std::uint32_t AnyAngleSearch::right_end(const Cone& cone, const Origin& from, const Chain& chain,
                                        double* before) {
  std::uint32_t k = 0;
  if (cone.root_is_right) {
    const Edge& first = chain.slot(1);
    see(from, chain.slot(0), first, {first.x - from.x, first.z - from.z, true}, {0, 0, true}, false,
        true);
    for (k = 1; side_of(first.x - from.x, first.z - from.z, chain.slot(k + 1).x - from.x,
                        chain.slot(k + 1).z - from.z) == 0;
         ++k)
      bend_along_right(from, chain, k);
    *before = 0;
    return k;
  }
  *before = cone.right_at_vertex ? 0 : -1;
  double first = 1;
  for (;; ++k) {
    const Edge& to = chain.slot(k + 1);
    const double side = side_of(cone.right_x, cone.right_z, to.x - from.x, to.z - from.z);
    if (k == 0) first = side;
    if (side > 0) break;
    *before = side;
  }
  if (!cone.right_at_vertex || first > 0) return k;
  if (first < 0) {
    turn_right(cone, from, chain, k, *before);
  } else {
    for (std::uint32_t i = 0; i < k; ++i) bend_along_right(from, chain, i);
  }
  return k;
}

// The same to the left of corner `last`, the first that is not right of the left ray; `after` is
// above 0 if it lies to the left of it.
void AnyAngleSearch::left_end(const Cone& cone, const Origin& from, const Chain& chain,
                              std::uint32_t last, double after) {
  const std::uint32_t end = chain.count() - 1;
  if (cone.root_is_left) {
    const Edge& first = chain.slot(end - 1);
    for (std::uint32_t k = last; k + 1 < end; ++k) bend_along_left(from, chain, k + 1);
    see(from, first, chain.slot(end), {0, 0, true}, {first.x - from.x, first.z - from.z, true},
        true, false);
    return;
  }
  if (!cone.left_at_vertex || last == end) return;
  const Edge& first = chain.slot(end - 1);
  const double side = side_of(cone.left_x, cone.left_z, first.x - from.x, first.z - from.z);
  if (side > 0) {
    turn_left(cone, from, chain, last, after);
  } else {
    for (std::uint32_t k = last; k < end; ++k) bend_along_left(from, chain, k + 1);
  }
}

// Around the edge's right end: edges up to where the ray from the old root over it goes on.
void AnyAngleSearch::turn_right(const Cone& cone, const Origin& from, const Chain& chain,
                                std::uint32_t last, double before) {
  const Edge& pivot = chain.slot(0);
  Origin root{};
  if (!pivot.is_corner || !is_taut(pivot, cone.right_x, cone.right_z, -1) ||
      !reach(pivot, from, &root))
    return;
  const auto ray = [&root](const Edge& e) { return Ray{e.x - root.x, e.z - root.z, true}; };
  const Ray first = ray(chain.slot(1));
  see(root, pivot, chain.slot(1), first, {0, 0, true}, false, true);
  std::uint32_t k = 1;
  for (; k < last; ++k) {
    const Ray to = ray(chain.slot(k + 1));
    if (side_of(first.x, first.z, to.x, to.z) != 0) break;
    bend_along_right(root, chain, k);
  }
  for (; k < last; ++k)
    see(root, chain.slot(k), chain.slot(k + 1), ray(chain.slot(k + 1)), ray(chain.slot(k)), false,
        false);
  if (before < 0)
    see(root, chain.slot(last), chain.slot(last + 1), {cone.right_x, cone.right_z, false},
        ray(chain.slot(last)), false, false);
}

void AnyAngleSearch::turn_left(const Cone& cone, const Origin& from, const Chain& chain,
                               std::uint32_t last, double after) {
  const std::uint32_t end = chain.count() - 1;
  const Edge& pivot = chain.slot(end);
  Origin root{};
  if (!pivot.is_corner || !is_taut(pivot, cone.left_x, cone.left_z, 1) ||
      !reach(pivot, from, &root))
    return;
  const auto ray = [&root](const Edge& e) { return Ray{e.x - root.x, e.z - root.z, true}; };
  const Ray first = ray(chain.slot(end - 1));
  see(root, chain.slot(end - 1), pivot, {0, 0, true}, first, true, false);
  std::uint32_t k = end - 1;
  for (; k > last; --k) {
    const Ray to = ray(chain.slot(k - 1));
    if (side_of(first.x, first.z, to.x, to.z) != 0) break;
    bend_along_left(root, chain, k);
  }
  for (; k > last; --k)
    see(root, chain.slot(k - 1), chain.slot(k), ray(chain.slot(k)), ray(chain.slot(k - 1)), false,
        false);
  if (after > 0)
    see(root, chain.slot(last - 1), chain.slot(last), ray(chain.slot(last)),
        {cone.left_x, cone.left_z, false}, false, false);
}

// Through an edge along which the root looks: only by a bend at its nearer end. Here the edge from
// corner k, to the right.
void AnyAngleSearch::bend_along_right(const Origin& from, const Chain& chain, std::uint32_t k) {
  const Edge& to = chain.slot(k + 1);
  note(to, from);
  Origin root{};
  if (!chain.slot(k).is_corner || !reach(chain.slot(k), from, &root)) return;
  see(root, chain.slot(k), to, {to.x - root.x, to.z - root.z, true}, {0, 0, true}, false, true);
}

// And here the edge to corner k, to the left.
void AnyAngleSearch::bend_along_left(const Origin& from, const Chain& chain, std::uint32_t k) {
  const Edge& to = chain.slot(k - 1);
  note(to, from);
  Origin root{};
  if (!chain.slot(k).is_corner || !reach(chain.slot(k), from, &root)) return;
  see(root, to, chain.slot(k), {0, 0, true}, {to.x - root.x, to.z - root.z, true}, true, false);
}

// Whether blocked ground at the corner lies on the inner side of a path that comes in direction
// (dx, dz) and turns: to the right with inner = -1, to the left with 1.
bool AnyAngleSearch::is_taut(const Edge& corner, double dx, double dz, double inner) const {
  const NavMesh::Vertex& v = mesh_->vertex(corner.vertex);
  return inner * side_of(dx, dz, v.after.x - corner.x, v.after.z - corner.z) >= 0 &&
         inner * side_of(dx, dz, v.before.x - corner.x, v.before.z - corner.z) >= 0;
}

}  // namespace repath
