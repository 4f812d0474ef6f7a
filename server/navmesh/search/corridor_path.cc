#include "navmesh/search/corridor_path.h"

#include <cstddef>
#include <span>

#include "navmesh/mesh/exact_side.h"
#include "navmesh/mesh/leg_factor.h"
#include "navmesh/search/cone.h"

namespace repath {
namespace {

constexpr std::uint32_t kVertexOfNone = ~std::uint32_t{0};

double side(const FunnelPoint& apex, const FunnelPoint& ray, const FunnelPoint& p) {
  return side_of(ray.x - apex.x, ray.z - apex.z, p.x - apex.x, p.z - apex.z);
}

bool is_at(const FunnelPoint& apex, const FunnelPoint& p) { return apex.x == p.x && apex.z == p.z; }

// Appends the bends of the shortest line through the portals, and its end. O(portals) as a rule,
// O(portals x bends) at worst.
void pull_string(FunnelPoint apex, const FunnelPoint& end, const std::vector<Portal>& portals,
                 std::vector<FunnelPoint>* out) {
  // The end is a last portal of no width.
  const auto left_of = [&](std::uint32_t i) -> FunnelPoint {
    if (i == end.passed) return end;
    return {portals[i].left_x, portals[i].left_z, portals[i].left, i + 1};
  };
  const auto right_of = [&](std::uint32_t i) -> FunnelPoint {
    if (i == end.passed) return end;
    return {portals[i].right_x, portals[i].right_z, portals[i].right, i + 1};
  };
  for (bool bends = true; bends;) {
    FunnelPoint left = left_of(apex.passed);
    FunnelPoint right = right_of(apex.passed);
    bends = false;
    for (std::uint32_t k = apex.passed + 1; k <= end.passed && !bends; ++k) {
      const FunnelPoint to_left = left_of(k);
      const FunnelPoint to_right = right_of(k);
      if (is_at(apex, right) || side(apex, right, to_right) >= 0) {
        bends = !is_at(apex, left) && !is_at(apex, to_right) && side(apex, left, to_right) > 0;
        if (bends) out->push_back(apex = left);
        right = to_right;
      }
      if (!bends && (is_at(apex, left) || side(apex, left, to_left) <= 0)) {
        bends = !is_at(apex, right) && !is_at(apex, to_left) && side(apex, right, to_left) < 0;
        if (bends) out->push_back(apex = right);
        left = to_left;
      }
    }
  }
  out->push_back(end);
}

}  // namespace

LinkRide::LinkRide(const NavMesh& mesh, std::uint32_t place, bool is_forward) : link(place) {
  const NavLink& of = mesh.links()[place];
  near = is_forward ? of.from : of.to;
  far = is_forward ? of.to : of.from;
  far_cell = is_forward ? of.to_cell : of.from_cell;
}

double LinkRide::length() const { return length_of(far.x - near.x, far.z - near.z); }

void CorridorPath::clear() {
  cost_ = length_ = 0;
  corners_.clear();
  cells_.clear();
}

void CorridorPath::begin(const NavMesh& mesh, const NavFilter& filter, const MeshPlace& start) {
  clear();
  mesh_ = &mesh;
  filter_ = &filter;
  append({start.point()}, 0);
  begin_stretch(start.x, start.z, start.cell);
}

void CorridorPath::begin_stretch(double x, double z, std::uint32_t cell) {
  from_x_ = x;
  from_z_ = z;
  first_cell_ = cells_.size();
  cells_.push_back(cell);
  portals_.clear();
  passed_.clear();
}

void CorridorPath::add_portal(std::uint32_t edge, double x, double z) {
  const NavMesh::Edge& left = mesh_->edge(edge);
  const NavMesh::Edge& right = mesh_->edge(mesh_->next(edge));
  portals_.push_back({left.x, left.z, right.x, right.z, left.vertex, right.vertex});
  passed_.push_back({x, z, kVertexOfNone, static_cast<std::uint32_t>(portals_.size())});
  cells_.push_back(mesh_->cell_of(edge));
}

void CorridorPath::add_link(const LinkRide& ride) {
  end(ride.near.x, ride.near.z);
  corners_.back().link = ride.link;
  const NavLink& link = mesh_->links()[ride.link];
  append({to_point(ride.far)}, from_steps(ride.length()) * filter_->factor(link));
  begin_stretch(ride.far.x, ride.far.z, ride.far_cell);
}

void CorridorPath::end(double x, double z) {
  const FunnelPoint last{x, z, kVertexOfNone, static_cast<std::uint32_t>(portals_.size())};
  pulled_.clear();
  pull_string({from_x_, from_z_}, last, portals_, &pulled_);
  double cost = cost_of(pulled_);
  if (pull_in_parts(last)) {
    passed_.push_back(last);
    for (std::vector<FunnelPoint>* other : {&parts_, &passed_}) {
      const double other_cost = cost_of(*other);
      if (other_cost >= cost) continue;
      cost = other_cost;
      pulled_.swap(*other);
    }
  }
  for (std::size_t i = 0; i < pulled_.size(); ++i) {
    const FunnelPoint& p = pulled_[i];
    append({{from_steps(p.x), from_steps(p.z)}, p.vertex}, i == 0 ? from_steps(cost) : 0);
  }
}

// Pulls each part over ground of one factor by itself. Between them the line stays where the search
// passed from one to the other. Returns false if there is one part only.
bool CorridorPath::pull_in_parts(const FunnelPoint& last) {
  parts_.clear();
  FunnelPoint from{from_x_, from_z_};
  for (std::uint32_t k = 0; k < last.passed; ++k) {
    if (factor_at(k) == factor_at(k + 1)) continue;
    FunnelPoint border = passed_[k];
    border.passed = k;  // it stands for the portal
    pull_string(from, border, portals_, &parts_);
    parts_.back().passed = k + 1;
    from = parts_.back();
  }
  if (parts_.empty()) return false;
  pull_string(from, last, portals_, &parts_);
  return true;
}

double CorridorPath::factor_at(std::uint32_t passed) const {
  return filter_->factor(mesh_->cell(cells_[first_cell_ + passed]));
}

// Lattice steps times factors.
double CorridorPath::cost_of(const std::vector<FunnelPoint>& points) const {
  double cost = 0;
  Point from{from_x_, from_z_};
  std::uint32_t passed = 0;
  for (const FunnelPoint& to : points) {
    const std::span<const std::uint32_t> cells =
        std::span(cells_).subspan(first_cell_ + passed, to.passed - passed + std::size_t{1});
    const Point end{to.x, to.z};
    const double length = length_of(end.x - from.x, end.z - from.z);
    if (length > 0) cost += length * LegFactor(*mesh_, *filter_, from, end, cells).sum();
    passed = to.passed;
    from = end;
  }
  return cost;
}

// `cost` of the way from the last corner, world units times factors.
void CorridorPath::append(const CorridorCorner& corner, double cost) {
  cost_ += cost;
  if (!corners_.empty()) {
    const Point last = corners_.back().at;
    length_ += length_of(corner.at.x - last.x, corner.at.z - last.z);
  }
  corners_.push_back(corner);
}

std::size_t CorridorPath::bytes() const {
  return corners_.capacity() * sizeof(CorridorCorner) + portals_.capacity() * sizeof(Portal) +
         (passed_.capacity() + pulled_.capacity() + parts_.capacity()) * sizeof(FunnelPoint) +
         cells_.capacity() * sizeof(std::uint32_t);
}

}  // namespace repath
