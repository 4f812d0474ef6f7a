#include "navmesh/search/corridor_path.h"

#include <algorithm>

#include "navmesh/search/cone.h"

namespace repath {
namespace {

constexpr std::uint32_t kNoVertex = ~std::uint32_t{0};

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
  passed_.push_back({x, z, kNoVertex, static_cast<std::uint32_t>(portals_.size())});
  cells_.push_back(mesh_->cell_of(edge));
}

void CorridorPath::add_link(const LinkRide& ride) {
  end(ride.near.x, ride.near.z);
  corners_.back().link = ride.link;
  const NavLink& link = mesh_->links()[ride.link];
  append({to_point(ride.far)},
         from_steps(ride.length()) * (link.factor / 1000.0) * filter_->factor(link.area));
  begin_stretch(ride.far.x, ride.far.z, ride.far_cell);
}

void CorridorPath::end(double x, double z) {
  pulled_.clear();
  pull_string(from_x_, from_z_, x, z, portals_, &pulled_);
  double cost = cost_of(pulled_);
  if (!filter_->is_uniform()) {
    passed_.push_back({x, z, kNoVertex, static_cast<std::uint32_t>(portals_.size())});
    const double unpulled = cost_of(passed_);
    if (unpulled < cost) {
      cost = unpulled;
      pulled_ = passed_;
    }
  }
  for (std::size_t i = 0; i < pulled_.size(); ++i) {
    const FunnelPoint& p = pulled_[i];
    append({{from_steps(p.x), from_steps(p.z)}, p.vertex}, i == 0 ? from_steps(cost) : 0);
  }
}

// Lattice steps times factors: each part is cut where it passes portals.
double CorridorPath::cost_of(const std::vector<FunnelPoint>& points) const {
  double cost = 0;
  double x = from_x_;
  double z = from_z_;
  std::uint32_t passed = 0;
  const auto factor = [&] { return filter_->factor(mesh_->cell(cells_[first_cell_ + passed])); };
  for (const FunnelPoint& to : points) {
    const double dx = to.x - x;
    const double dz = to.z - z;
    const double length = length_of(dx, dz);
    double done = 0;
    for (; passed < to.passed; ++passed) {
      const Portal& p = portals_[passed];
      const double ex = p.right_x - p.left_x;
      const double ez = p.right_z - p.left_z;
      const double across = dx * ez - dz * ex;
      const double share =
          across != 0 ? std::clamp(((p.left_x - x) * ez - (p.left_z - z) * ex) / across, done, 1.0)
                      : done;
      cost += (share - done) * length * factor();
      done = share;
    }
    cost += (1 - done) * length * factor();
    x = to.x;
    z = to.z;
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
         (passed_.capacity() + pulled_.capacity()) * sizeof(FunnelPoint) +
         cells_.capacity() * sizeof(std::uint32_t);
}

}  // namespace repath
