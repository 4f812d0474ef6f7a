#include "navmesh/mesh/cell_finder.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/check.h"

namespace repath {
namespace {

struct CellBox {
  double min_x, max_x, min_z, max_z;
};

CellBox cell_box(const NavMesh& mesh, std::uint32_t cell) {
  const auto [left, right] = std::ranges::minmax(mesh.edges_of(cell), {}, &NavMesh::Edge::x);
  const auto [low, high] = std::ranges::minmax(mesh.edges_of(cell), {}, &NavMesh::Edge::z);
  return {left.x, right.x, low.z, high.z};
}

double twice_area_of(const NavMesh::Edge& a, const NavMesh::Edge& b, const NavMesh::Edge& c) {
  return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
}

// Finds the point of the closed cell that is nearest to (x, z) in the plane.
void nearest_in(const NavMesh& mesh, std::uint32_t cell, double x, double z, double* px,
                double* pz) {
  *px = x;
  *pz = z;
  if (holds(mesh, cell, x, z)) return;
  double best = -1;
  for (const NavMesh::Edge& a : mesh.edges_of(cell)) {
    const NavMesh::Edge& b = NavMesh::after(a);
    const double ex = b.x - a.x;
    const double ez = b.z - a.z;
    const double share =
        std::clamp(((x - a.x) * ex + (z - a.z) * ez) / (ex * ex + ez * ez), 0., 1.);
    const double cx = a.x + share * ex;
    const double cz = a.z + share * ez;
    const double d2 = (cx - x) * (cx - x) + (cz - z) * (cz - z);
    if (best >= 0 && d2 >= best) continue;
    best = d2;
    *px = cx;
    *pz = cz;
  }
}

}  // namespace

CellFinder::CellFinder(const NavMesh& mesh) : mesh_(&mesh) {
  choose_side();
  fill();
  double sum = 0;
  areas_.reserve(mesh.cells_end());
  for (std::uint32_t c = 0; c < mesh.cells_end(); ++c) {
    const std::span<const NavMesh::Edge> edges = mesh.edges_of(c);
    for (std::size_t k = 1; k + 1 < edges.size(); ++k)
      sum += twice_area_of(edges[0], edges[k], edges[k + 1]);
    areas_.push_back(sum);
  }
}

// Chooses the side of a bucket so that there is about one bucket for each cell. If large cells
// would then be in many buckets, takes larger ones.
void CellFinder::choose_side() {
  double max_x = 0;
  double max_z = 0;
  std::size_t live = 0;
  for (std::uint32_t c = 0; c < mesh_->cells_end(); ++c) {
    if (!mesh_->is_live(c)) continue;
    const CellBox box = cell_box(*mesh_, c);
    min_x_ = live == 0 ? box.min_x : std::min(min_x_, box.min_x);
    min_z_ = live == 0 ? box.min_z : std::min(min_z_, box.min_z);
    max_x = live == 0 ? box.max_x : std::max(max_x, box.max_x);
    max_z = live == 0 ? box.max_z : std::max(max_z, box.max_z);
    ++live;
  }
  const double w = max_x - min_x_ + 1;
  const double h = max_z - min_z_ + 1;
  side_ = std::max({1.0, std::sqrt(w * h / static_cast<double>(live + 1)), w / 4096, h / 4096});
  for (;; side_ *= 2) {
    width_ = static_cast<std::int64_t>(w / side_) + 1;
    height_ = static_cast<std::int64_t>(h / side_) + 1;
    std::int64_t entries = 0;
    for (std::uint32_t c = 0; c < mesh_->cells_end(); ++c) {
      if (!mesh_->is_live(c)) continue;
      const Range r = box_of(c);
      entries += (r.right - r.left + 1) * (r.bottom - r.top + 1);
    }
    if (entries <= static_cast<std::int64_t>(8 * live + 8) || (width_ == 1 && height_ == 1)) return;
  }
}

void CellFinder::fill() {
  firsts_.assign(static_cast<std::size_t>(width_ * height_) + 1, 0);
  const auto for_each_bucket = [this](std::uint32_t c, auto&& visit) {
    const Range r = box_of(c);
    for (std::int64_t z = r.top; z <= r.bottom; ++z)
      for (std::int64_t x = r.left; x <= r.right; ++x)
        visit(static_cast<std::size_t>(z * width_ + x));
  };
  for (std::uint32_t c = 0; c < mesh_->cells_end(); ++c)
    if (mesh_->is_live(c)) for_each_bucket(c, [&](std::size_t b) { ++firsts_[b + 1]; });
  for (std::size_t b = 1; b < firsts_.size(); ++b) firsts_[b] += firsts_[b - 1];
  cells_.resize(firsts_.back());
  std::vector<std::uint32_t> next(firsts_.begin(), firsts_.end() - 1);
  for (std::uint32_t c = 0; c < mesh_->cells_end(); ++c)
    if (mesh_->is_live(c)) for_each_bucket(c, [&](std::size_t b) { cells_[next[b]++] = c; });
}

CellFinder::Range CellFinder::buckets_of(double min_x, double max_x, double min_z,
                                         double max_z) const {
  const auto place = [this](double v, double from, std::int64_t end) {
    return std::clamp(static_cast<std::int64_t>(std::floor((v - from) / side_)), std::int64_t{0},
                      end - 1);
  };
  return {place(min_x, min_x_, width_), place(max_x, min_x_, width_), place(min_z, min_z_, height_),
          place(max_z, min_z_, height_)};
}

CellFinder::Range CellFinder::box_of(std::uint32_t cell) const {
  const CellBox box = cell_box(*mesh_, cell);
  return buckets_of(box.min_x, box.max_x, box.min_z, box.max_z);
}

std::optional<MeshPlace> CellFinder::find_cell(Point at, double y, double reach) const {
  if (!is_in_extent(at)) return std::nullopt;
  const double x = to_fine_steps(at.x);
  const double z = to_fine_steps(at.z);
  const Range r = buckets_of(x, x, z, z);
  const auto bucket = static_cast<std::size_t>(r.top * width_ + r.left);
  std::optional<MeshPlace> best;
  double least = reach;
  for (std::uint32_t i = firsts_[bucket]; i < firsts_[bucket + 1]; ++i) {
    const std::uint32_t cell = cells_[i];
    if (!holds(*mesh_, cell, x, z)) continue;
    const double away = std::abs(mesh_->height_at(cell, x, z) - y);
    if (away > least || (best && away >= least)) continue;
    least = away;
    best = MeshPlace{cell, x, z};
  }
  return best;
}

std::optional<NearestPlace> CellFinder::find_nearest(Point at, double y, double radius,
                                                     double reach, const NavFilter& filter,
                                                     std::uint64_t* looks) const {
  const auto offer = [&](std::uint32_t cell, const NearestWish& wish, auto* best) {
    if (filter.allows(mesh_->cell(cell).flags))
      offer_nearest(*mesh_, cell, {*mesh_, cell}, wish, best);
  };
  return find_nearest_of(*mesh_, at, y, radius, reach, offer, looks);
}

std::uint64_t CellFinder::count_near(Point at, double radius) const {
  const double x = to_fine_steps(at.x);
  const double z = to_fine_steps(at.z);
  const double far = std::min(radius, kNearestFar) * kLatticePerUnit;
  const Range r = buckets_of(x - far, x + far, z - far, z + far);
  const std::int64_t rings = std::max(r.right - r.left, r.bottom - r.top) + 1;
  auto sum = static_cast<std::uint64_t>(4 * rings * rings);
  for (std::int64_t bz = r.top; bz <= r.bottom; ++bz)
    sum += firsts_[static_cast<std::size_t>(bz * width_ + r.right) + 1] -
           firsts_[static_cast<std::size_t>(bz * width_ + r.left)];
  return sum;
}

bool offer_nearest(const NavMesh& mesh, std::uint32_t cell, const HeightCell& ground,
                   const NearestWish& wish, std::optional<NearestPlace>* best) {
  Point flat;  // the nearest in the plane: no point of the cell is nearer in space than that
  nearest_in(mesh, cell, wish.x, wish.z, &flat.x, &flat.z);
  const auto flat_squared = [&wish](Point p) {
    const double dx = from_steps(p.x - wish.x);
    const double dz = from_steps(p.z - wish.z);
    return dx * dx + dz * dz;
  };
  const double least2 = flat_squared(flat);
  if (least2 > wish.radius * wish.radius) return false;
  bool is_taken = false;
  const auto offer = [&](Point p) {
    const double flat2 = flat_squared(p);
    const double height = ground.mesh.height_at(ground.cell, p.x, p.z);
    const double dy = height - wish.y;
    if (flat2 > wish.radius * wish.radius || std::abs(dy) > wish.reach) return;
    const double distance = std::sqrt(flat2 + dy * dy);
    if (*best && (distance > (*best)->distance ||
                  (distance == (*best)->distance && cell >= (*best)->place.cell)))
      return;
    *best = NearestPlace{{cell, p.x, p.z}, height, distance};
    is_taken = true;
  };
  offer(flat);
  if (is_level(ground) || (*best && std::sqrt(least2) > (*best)->distance)) return is_taken;
  std::vector<Point> points;
  find_nearest_on_slope(mesh, cell, ground, wish, &points);
  for (const Point p : points) {
    const MeshPlace place = pull_into(mesh, cell, p.x, p.z);
    offer({place.x, place.z});
  }
  return is_taken;
}

void CellFinder::find_boxes(double min_x, double max_x, double min_z, double max_z,
                            std::vector<std::uint32_t>* cells, std::uint64_t* looks) const {
  const Range r = buckets_of(min_x, max_x, min_z, max_z);
  std::uint64_t looked_at = 0;
  const auto begin = static_cast<std::ptrdiff_t>(cells->size());
  for (std::int64_t bz = r.top; bz <= r.bottom; ++bz)
    for (std::int64_t bx = r.left; bx <= r.right; ++bx) {
      const auto bucket = static_cast<std::size_t>(bz * width_ + bx);
      ++looked_at;
      for (std::uint32_t i = firsts_[bucket]; i < firsts_[bucket + 1]; ++i) {
        looked_at += mesh_->edges_of(cells_[i]).size();
        const CellBox box = cell_box(*mesh_, cells_[i]);
        if (box.min_x <= max_x && box.max_x >= min_x && box.min_z <= max_z && box.max_z >= min_z)
          cells->push_back(cells_[i]);
      }
    }
  std::sort(cells->begin() + begin, cells->end());
  cells->erase(std::unique(cells->begin() + begin, cells->end()), cells->end());
  if (looks != nullptr) *looks += looked_at;
}

MeshPlace CellFinder::random_place(Random* random) const {
  REPATH_CHECK(!areas_.empty());
  const double chosen = random->unit() * areas_.back();
  const auto cell = static_cast<std::uint32_t>(std::min<std::ptrdiff_t>(
      std::upper_bound(areas_.begin(), areas_.end(), chosen) - areas_.begin(),
      static_cast<std::ptrdiff_t>(areas_.size()) - 1));
  double rest = chosen - (cell == 0 ? 0 : areas_[cell - 1]);
  const std::span<const NavMesh::Edge> edges = mesh_->edges_of(cell);
  std::size_t k = 1;
  for (; k + 2 < edges.size(); ++k) {
    const double area = twice_area_of(edges[0], edges[k], edges[k + 1]);
    if (rest < area) break;
    rest -= area;
  }
  double u = random->unit();
  double v = random->unit();
  if (u + v > 1) {
    u = 1 - u;
    v = 1 - v;
  }
  const NavMesh::Edge& a = edges[0];
  const NavMesh::Edge& b = edges[k];
  const NavMesh::Edge& c = edges[k + 1];
  return pull_into(*mesh_, cell, a.x + u * (b.x - a.x) + v * (c.x - a.x),
                   a.z + u * (b.z - a.z) + v * (c.z - a.z));
}

std::size_t CellFinder::bytes() const {
  return (firsts_.capacity() + cells_.capacity()) * sizeof(std::uint32_t) +
         areas_.capacity() * sizeof(double);
}

}  // namespace repath
