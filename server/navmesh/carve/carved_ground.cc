#include "navmesh/carve/carved_ground.h"

#include <algorithm>
#include <cmath>

namespace repath {
namespace {

constexpr std::size_t kSpansMax = 64;
constexpr std::uint64_t kUnitsPerLinkCell = 16;
constexpr std::uint64_t kLooksOfOffer = 4;  // at each vertex of a cell that may be nearest

// Returns whether the box, in lattice steps, lies on the outer side of one of the cell's edges.
bool is_beyond_an_edge(const NavMesh& mesh, std::uint32_t cell, double min_x, double max_x,
                       double min_z, double max_z) {
  return std::ranges::any_of(mesh.edges_of(cell), [&](const NavMesh::Edge& a) {
    const NavMesh::Edge& b = NavMesh::after(a);
    const double dx = b.x - a.x;
    const double dz = b.z - a.z;
    const double x = dz > 0 ? min_x : max_x;  // its corner farthest to the left
    const double z = dx > 0 ? max_z : min_z;
    return dx * (z - a.z) - dz * (x - a.x) < 0;
  });
}

}  // namespace

// If `work` is over afterwards, the base is of no use.
CarvedGround::Base::Base(NavMesh made, NavMesh whole, std::vector<std::uint32_t> cut_from,
                         std::optional<std::uint32_t> landmark_count, WorkMeter* work)
    : mesh(std::move(made)),
      finder(mesh),
      landmarks(mesh, landmark_count.value_or(Landmarks::worth(mesh)), work) {
  if (landmarks.count() > 0) {
    uncut = std::move(whole);
    uncut_of = std::move(cut_from);
  }
  std::vector<std::uint32_t> around;
  for (std::uint32_t i = 0; i < mesh.links().size(); ++i) {
    const NavLink& link = mesh.links()[i];
    links_by_id.push_back({link.id, i});
    for (const auto& [cell, at] : {std::pair{link.from_cell, link.from}, {link.to_cell, link.to}}) {
      cells_around(mesh, {cell, static_cast<double>(at.x), static_cast<double>(at.z)}, &around);
      if (!work->spend(kUnitsPerLinkCell * (1 + around.size()))) return;
      for (const std::uint32_t c : around) link_cells.push_back({c, i});
    }
  }
  std::ranges::sort(link_cells);
  link_cells.erase(std::unique(link_cells.begin(), link_cells.end()), link_cells.end());
  std::ranges::sort(links_by_id);
}

LandmarkView CarvedGround::landmarks() const {
  LandmarkView view{&base_->landmarks, &base_->mesh, base_of_.data()};
  if (!base_->uncut_of.empty()) {
    view.uncut = &base_->uncut;
    view.uncut_of = base_->uncut_of.data();
  }
  return view;
}

std::optional<std::uint32_t> CarvedGround::find_link(std::uint64_t id) const {
  const auto& links = base_->links_by_id;
  const auto known = std::ranges::lower_bound(links, std::pair(id, std::uint32_t{0}));
  if (known == links.end() || known->first != id) return std::nullopt;
  return known->second;
}

void CarvedGround::count_changed(std::uint32_t base_cell, const Fragments& fragments, int by) {
  for (const FragmentGround& ground : fragments.grounds) {
    if (!ground.is_changed()) continue;
    const std::pair key(ground.area.value_or(base().cell(base_cell).area), ground.factor);
    std::size_t& count = changed_[key];
    count += static_cast<std::size_t>(by);
    if (count == 0) changed_.erase(key);
    had_changed_ = true;
  }
}

std::vector<std::uint32_t> CarvedGround::links_in(std::span<const std::uint32_t> base_cells) const {
  std::vector<std::uint32_t> links;
  const auto& by_cell = base_->link_cells;
  if (by_cell.empty()) return links;
  for (const std::uint32_t c : base_cells)
    for (auto at = std::ranges::lower_bound(by_cell, std::pair(c, std::uint32_t{0}));
         at != by_cell.end() && at->first == c; ++at)
      links.push_back(at->second);
  std::ranges::sort(links);
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

bool CarvedGround::append_spans(Point least, Point most, std::vector<LandmarkSpan>* spans) const {
  const LandmarkView view = landmarks();
  if (view.is_empty()) return false;
  constexpr double kRounded = 2;  // steps; what is left of a cell may be so much beyond it
  const double min_x = least.x * kLatticePerUnit - kRounded;
  const double max_x = most.x * kLatticePerUnit + kRounded;
  const double min_z = least.z * kLatticePerUnit - kRounded;
  const double max_z = most.z * kLatticePerUnit + kRounded;
  std::vector<std::uint32_t> near;
  finder().find_boxes(min_x, max_x, min_z, max_z, &near);
  if (near.size() > kSpansMax) return false;
  for (const std::uint32_t cell : near)
    if (!is_beyond_an_edge(base(), cell, min_x, max_x, min_z, max_z))
      spans->push_back(view.span_of(cell, min_x, max_x, min_z, max_z));
  return true;
}

// Returns the cell in which an end of a link lies. If several base cells hold the point, it may be
// any of them that is not carved away there.
std::uint32_t CarvedGround::find_end(std::uint32_t base_cell, LatticePoint at) const {
  const auto x = static_cast<double>(at.x);
  const auto z = static_cast<double>(at.z);
  std::vector<std::uint32_t> around;
  cells_around(base_->mesh, {base_cell, x, z}, &around);
  for (const std::uint32_t c : around)
    for (const std::uint32_t cell : cells_[c])
      if (holds(mesh_, cell, x, z)) return cell;
  return kNoCell;
}

void CarvedGround::place_links(std::span<const std::uint32_t> links) {
  std::vector<NavMesh::LinkPlace> places;
  for (const std::uint32_t i : links) {
    const NavLink& link = base_->mesh.links()[i];
    places.push_back({i, find_end(link.from_cell, link.from), find_end(link.to_cell, link.to)});
  }
  mesh_.place_links(places);
}

std::optional<CarvedGround::Plumb> CarvedGround::plumb(Point at, double y, double reach,
                                                       const NavFilter* filter,
                                                       std::uint64_t* looks) const {
  if (!is_in_extent(at)) return std::nullopt;
  Plumb made{to_fine_steps(at.x), to_fine_steps(at.z), y, reach, filter, {}};
  constexpr double kRounded = 1;  // step; rounding moves half of one
  finder().find_boxes(made.x - kRounded, made.x + kRounded, made.z - kRounded, made.z + kRounded,
                      &made.near, looks);
  return made;
}

template <class Visit>
void CarvedGround::for_each_holder(const Plumb& plumb, std::uint64_t* looks, Visit&& visit) const {
  std::uint64_t looked_at = 0;
  for (const std::uint32_t base_cell : plumb.near)
    for (const std::uint32_t cell : cells_[base_cell]) {
      looked_at += mesh_.edges_of(cell).size();
      if (holds(mesh_, cell, plumb.x, plumb.z)) visit(cell);
    }
  if (looks != nullptr) *looks += looked_at;
}

std::optional<MeshPlace> CarvedGround::nearest_live(const Plumb& plumb, std::optional<double> floor,
                                                    std::uint64_t* looks) const {
  std::optional<MeshPlace> best;
  double least = plumb.reach;
  for_each_holder(plumb, looks, [&](std::uint32_t cell) {
    if (plumb.filter != nullptr && !plumb.filter->allows(mesh_.cell(cell).flags)) return;
    const double height = height_at(cell, plumb.x, plumb.z);
    const double away = std::abs(height - plumb.y);
    if (away > least || (best && away >= least)) return;
    if (floor && std::abs(height - *floor) > kOneFloor) return;
    least = away;
    best = MeshPlace{cell, plumb.x, plumb.z};
  });
  return best;
}

std::optional<double> CarvedGround::base_floor(const Plumb& plumb, std::uint64_t* looks) const {
  std::optional<double> floor;
  double least = plumb.reach;
  std::uint64_t looked_at = 0;
  for (const std::uint32_t cell : plumb.near) {
    if (plumb.filter != nullptr && !plumb.filter->allows(base().cell(cell).flags)) continue;
    looked_at += base().edges_of(cell).size();
    if (!holds(base(), cell, plumb.x, plumb.z)) continue;
    const double height = base().height_at(cell, plumb.x, plumb.z);
    const double away = std::abs(height - plumb.y);
    if (away > least || (floor && away >= least)) continue;
    least = away;
    floor = height;
  }
  if (looks != nullptr) *looks += looked_at;
  return floor;
}

// At the border of a floor what is left may reach half a step beyond the base, so it counts, too.
std::optional<double> CarvedGround::find_floor(Point at, double y, double reach,
                                               const NavFilter* filter,
                                               std::uint64_t* looks) const {
  const std::optional<Plumb> here = plumb(at, y, reach, filter, looks);
  if (!here) return std::nullopt;
  const std::optional<double> floor = base_floor(*here, looks);
  const std::optional<MeshPlace> live = nearest_live(*here, std::nullopt, looks);
  if (!live || (floor && std::abs(*floor - y) <= std::abs(height_of(*live) - y))) return floor;
  return height_of(*live);
}

std::optional<MeshPlace> CarvedGround::find_cell(Point at, double y, double reach,
                                                 const NavFilter* filter,
                                                 std::uint64_t* looks) const {
  const std::optional<Plumb> here = plumb(at, y, reach, filter, looks);
  if (!here) return std::nullopt;
  const std::optional<MeshPlace> live = nearest_live(*here, std::nullopt, looks);
  if (!live || here->near.size() == 1) return live;
  // A floor that is covered may be nearer, if not this near.
  const double height = height_of(*live);
  if (std::abs(height - y) <= kOneFloor / 2) return live;
  const std::optional<double> floor = base_floor(*here, looks);
  if (!floor || std::abs(height - *floor) <= kOneFloor ||
      std::abs(height - y) < std::abs(*floor - y))
    return live;
  return nearest_live(*here, floor, looks);
}

std::optional<NearestPlace> CarvedGround::find_beside(Point at, double y, double radius,
                                                      double reach, const NavFilter& filter,
                                                      std::uint64_t* looks) const {
  std::optional<double> floor = find_floor(at, y, reach, &filter, looks);
  if (!floor) {
    const auto ground = finder().find_nearest(at, y, radius, reach, filter, looks);
    if (!ground) return std::nullopt;
    floor = ground->y;
  }
  return find_nearest(at, *floor, radius, kOneFloor, filter, looks);
}

void CarvedGround::find_cells(Point at, std::vector<std::uint32_t>* cells) const {
  const std::optional<Plumb> here = plumb(at, 0, 0, nullptr, nullptr);
  if (here) for_each_holder(*here, nullptr, [&](std::uint32_t cell) { cells->push_back(cell); });
}

std::optional<NearestPlace> CarvedGround::find_nearest(Point at, double y, double radius,
                                                       double reach, const NavFilter& filter,
                                                       std::uint64_t* looks) const {
  std::uint64_t looked_at = 0;
  const auto offer = [&](std::uint32_t base_cell, const NearestWish& wish, auto* best) {
    for (const std::uint32_t cell : cells_[base_cell]) {
      looked_at += kLooksOfOffer * mesh_.edges_of(cell).size();
      if (!filter.allows(mesh_.cell(cell).flags)) continue;
      std::optional<NearestPlace> found;
      if (offer_nearest(cell, wish, &found) && (!*best || found->distance < (*best)->distance))
        *best = found;
    }
  };
  const auto found = finder().find_nearest_of(mesh_, at, y, radius, reach, offer, looks);
  if (looks != nullptr) *looks += looked_at;
  return found;
}

std::size_t CarvedGround::bytes() const {
  constexpr std::size_t kOfList = 40;  // with what a small allocation takes
  return mesh_.bytes() + cells_.capacity() * (sizeof(cells_[0]) + kOfList) +
         base_of_.capacity() * sizeof(std::uint32_t);
}

}  // namespace repath
