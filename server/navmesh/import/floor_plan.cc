#include "navmesh/import/floor_plan.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json_input.h"
#include "geometry/ring.h"

namespace repath {
namespace {

struct PlanRing {
  LatticeRing corners;  // of either orientation
  std::string field;    // "floors[0].outer"
};

struct PlanEdge {
  LatticePoint a;
  LatticePoint b;
  std::uint32_t ring;
  std::uint32_t corner;
  std::int32_t low() const { return std::min(a.z, b.z); }
  std::int32_t high() const { return std::max(a.z, b.z); }
};

absl::Status not_simple(const std::vector<PlanRing>& rings, std::uint32_t ring, std::size_t corner,
                        const std::string& what) {
  return invalid_field("PLAN_NOT_SIMPLE", item(rings[ring].field, corner), what);
}

bool are_neighbours(const std::vector<PlanRing>& rings, const PlanEdge& e, const PlanEdge& f) {
  if (e.ring != f.ring) return false;
  const std::size_t n = rings[e.ring].corners.size();
  return (e.corner + 1) % n == f.corner || (f.corner + 1) % n == e.corner;
}

// Reports neighbouring edges that lie on each other, and edges without length.
absl::Status check_corners(const std::vector<PlanRing>& rings) {
  for (std::uint32_t r = 0; r < rings.size(); ++r) {
    const LatticeRing& ring = rings[r].corners;
    const std::size_t n = ring.size();
    for (std::size_t i = 0; i < n; ++i)
      if (ring[i] == ring[(i + n - 1) % n])
        return not_simple(rings, r, i, "this corner equals the one before it, rounded to 1/16 mm");
    for (std::size_t i = 0; i < n; ++i) {
      const LatticePoint before = ring[(i + n - 1) % n];
      const LatticePoint after = ring[(i + 1) % n];
      if (turn(before, ring[i], after) == 0 && onward(before, ring[i], after) <= 0)
        return not_simple(rings, r, i, "the two edges at this corner lie on each other");
    }
  }
  return absl::OkStatus();
}

std::vector<PlanEdge> edges_by_z(const std::vector<PlanRing>& rings) {
  std::vector<PlanEdge> edges;
  for (std::uint32_t r = 0; r < rings.size(); ++r) {
    const LatticeRing& ring = rings[r].corners;
    for (std::uint32_t i = 0; i < ring.size(); ++i)
      edges.push_back({ring[i], ring[(i + 1) % ring.size()], r, i});
  }
  std::ranges::sort(
      edges, {}, [](const PlanEdge& e) { return std::pair(e.low(), std::pair(e.ring, e.corner)); });
  return edges;
}

absl::Status check_edges(const std::vector<PlanRing>& rings, WorkMeter* work) {
  const std::vector<PlanEdge> edges = edges_by_z(rings);
  using Pair = std::pair<std::pair<std::uint32_t, std::uint32_t>, const PlanEdge*>;
  std::optional<Pair> first;  // least corner whose edge meets another, and that other edge
  for (std::size_t i = 0; i < edges.size(); ++i)
    for (std::size_t k = i + 1; k < edges.size() && edges[k].low() <= edges[i].high(); ++k) {
      if (!work->spend(2)) return work->error(rings[0].field);
      if (are_neighbours(rings, edges[i], edges[k]) ||
          !segments_meet(edges[i].a, edges[i].b, edges[k].a, edges[k].b))
        continue;
      for (const auto& [e, f] : {std::pair(i, k), std::pair(k, i)})
        if (const Pair found{{edges[e].ring, edges[e].corner}, &edges[f]};
            !first || found.first < first->first)
          first = found;
    }
  if (!first) return absl::OkStatus();
  const PlanEdge& other = *first->second;
  return not_simple(rings, first->first.first, first->first.second,
                    "the edge from this corner meets the edge from " +
                        item(rings[other.ring].field, other.corner) +
                        "; rings must neither cross nor touch");
}

// Decides by the parity of edges to the left. REQUIRES: p is on none of the edges.
bool lies_inside(const LatticeRing& ring, LatticePoint p) {
  bool inside = false;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    LatticePoint a = ring[i];
    LatticePoint b = ring[(i + 1) % ring.size()];
    if (a.z > b.z) std::swap(a, b);
    if (a.z <= p.z && p.z < b.z && turn(a, b, p) < 0) inside = !inside;
  }
  return inside;
}

// Checks that the rings of a floor are simple, disjoint and properly nested; the first is the outer
// one. Returns PLAN_NOT_SIMPLE or PLAN_HOLE, naming the corner or ring, or WorkMeter::error(),
// naming the outer ring. Exact. O(n^2) at worst, sorted by z.
absl::Status check_rings(const std::vector<PlanRing>& rings, WorkMeter* work) {
  if (auto s = check_corners(rings); !s.ok()) return s;
  if (auto s = check_edges(rings, work); !s.ok()) return s;
  std::uint64_t corners = 0;
  for (const PlanRing& ring : rings) corners += ring.corners.size();
  for (std::size_t r = 1; r < rings.size(); ++r) {
    if (!work->spend(2 * corners)) return work->error(rings[r].field);
    if (!lies_inside(rings[0].corners, rings[r].corners[0]))
      return invalid_field("PLAN_HOLE", item(rings[r].field, 0), "lies outside of the outer ring");
    for (std::size_t k = 1; k < rings.size(); ++k)
      if (k != r && lies_inside(rings[k].corners, rings[r].corners[0]))
        return invalid_field("PLAN_HOLE", item(rings[r].field, 0), "lies in " + rings[k].field);
  }
  return absl::OkStatus();
}

// Makes a mesh from floors and links, which it reads one after another.
class PlanReader {
 public:
  PlanReader(PlanMethod method, double tau, WorkMeter* work)
      : method_(method), tau_(tau), work_(*work) {}

  absl::Status read(const Json& document) {
    if (document.is_array()) return read_floors(document, "floors");
    if (!document.is_object())
      return json_field_error("", "a floor plan is an object or a list of floors");
    if (!document.contains("floors")) return read_floor(document, "");
    const JsonObject plan(document, "");
    const Json* floors = nullptr;
    const Json* links = nullptr;
    if (auto s = plan.only({"floors", "links"}); !s.ok()) return s;
    if (auto s = plan.list("floors", false, kPlanFloorsMax, &floors); !s.ok()) return s;
    if (auto s = plan.list("links", true, kNavLinksMax, &links); !s.ok()) return s;
    if (auto s = read_floors(*floors, "floors"); !s.ok()) return s;
    return links == nullptr ? absl::OkStatus() : read_links(*links, "links");
  }

  MeshSource take() { return std::move(mesh_); }

 private:
  absl::Status read_floors(const Json& list, const std::string& field) {
    if (list.empty() || list.size() > kPlanFloorsMax + 1)
      return json_field_error(field,
                              "a plan has 1 to " + std::to_string(kPlanFloorsMax) + " floors");
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string path = item(field, i);
      if (!list[i].is_object()) return json_field_error(path, "must be an object");
      const bool is_links = i + 1 == list.size() && i > 0 && list[i].contains("links");
      if (!is_links) {
        if (auto s = read_floor(list[i], path); !s.ok()) return s;
        continue;
      }
      const JsonObject last(list[i], path);
      const Json* links = nullptr;
      if (auto s = last.only({"links"}); !s.ok()) return s;
      if (auto s = last.list("links", false, kNavLinksMax, &links); !s.ok()) return s;
      if (auto s = read_links(*links, last.field("links")); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

  absl::Status read_ring(const Json& value, std::string field, std::size_t* corners,
                         std::vector<PlanRing>* rings) {
    if (!value.is_array() || value.size() < 3)
      return json_field_error(field, "must be a list of 3 or more corners");
    *corners += value.size();
    if (*corners > kPlanCornersMax)
      return make_error(absl::StatusCode::kResourceExhausted, "PLAN_TOO_LARGE", field,
                        "a floor has at most " + std::to_string(kPlanCornersMax) + " corners");
    PlanRing ring{{}, std::move(field)};
    ring.corners.reserve(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      double xz[2];
      if (auto s = read_numbers(value[i], item(ring.field, i), 2, kLatticeExtent, xz); !s.ok())
        return s;
      ring.corners.push_back(to_lattice({xz[0], xz[1]}));
    }
    rings->push_back(std::move(ring));
    return absl::OkStatus();
  }

  absl::Status read_floor(const Json& value, const std::string& path) {
    const JsonObject floor(value, path);
    if (auto s = floor.only({"outer", "holes", "y", "area", "flags"}); !s.ok()) return s;
    const Json* outer = nullptr;
    const Json* holes = nullptr;
    if (auto s = floor.list("outer", false, kPlanCornersMax, &outer); !s.ok()) return s;
    if (auto s = floor.list("holes", true, kPlanCornersMax, &holes); !s.ok()) return s;
    std::size_t corners = 0;
    std::vector<PlanRing> rings;
    if (auto s = read_ring(*outer, floor.field("outer"), &corners, &rings); !s.ok()) return s;
    for (std::size_t i = 0; holes != nullptr && i < holes->size(); ++i)
      if (auto s = read_ring((*holes)[i], item(floor.field("holes"), i), &corners, &rings); !s.ok())
        return s;
    if (auto s = check_rings(rings, &work_); !s.ok()) return s;
    if (auto s = add_cells(rings, floor); !s.ok()) return s;
    floor_ends_.push_back(static_cast<std::uint32_t>(mesh_.cells.size()));
    return absl::OkStatus();
  }

  absl::Status add_cells(const std::vector<PlanRing>& rings, const JsonObject& floor) {
    double y = 0;
    MeshSource::Cell like;
    if (auto s = floor.number("y", -kHeightMax, kHeightMax, 0.0, &y); !s.ok()) return s;
    if (auto s = read_kind(floor, &like.area, &like.flags); !s.ok()) return s;
    LatticeRing points;
    std::vector<std::uint32_t> loop_ends;
    for (std::size_t r = 0; r < rings.size(); ++r) {
      LatticeRing ring = rings[r].corners;
      if ((twice_area(ring) > 0) != (r == 0)) std::ranges::reverse(ring);
      points.insert(points.end(), ring.begin(), ring.end());
      loop_ends.push_back(static_cast<std::uint32_t>(points.size()));
    }
    const bool done =
        partitioner_.run(points, loop_ends, method_, &partition_, &work_, tau_, Dents::kCut);
    if (work_.is_over()) return work_.error(floor.field("outer"));
    if (!done)
      return invalid_field("PLAN_NOT_SIMPLE", floor.field("outer"),
                           "the floor cannot be cut into convex cells");
    const auto first = static_cast<std::uint32_t>(mesh_.vertices.size());
    for (const LatticePoint p : partition_.points) mesh_.vertices.push_back({p, y});
    std::uint32_t begin = 0;
    for (const std::uint32_t end : partition_.cell_ends) {
      std::vector<std::uint32_t> cell;
      for (; begin < end; ++begin) cell.push_back(first + partition_.edges[begin].from);
      add_cell(std::move(cell), like);
      if (work_.is_over()) return work_.error(floor.field("outer"));
    }
    return absl::OkStatus();
  }

  // Adds a cell. Splits a cell with too many corners by cuts between corners that leave an area on
  // both sides.
  void add_cell(std::vector<std::uint32_t> corners, const MeshSource::Cell& like) {
    const auto area = [this](const std::vector<std::uint32_t>& of) {
      LatticeRing ring;
      for (const std::uint32_t v : of) ring.push_back(mesh_.vertices[v].at);
      return twice_area(ring);
    };
    while (corners.size() > kCellEdgesMax) {
      if (!work_.spend(4 * corners.size())) return;
      std::vector<std::uint32_t> part(corners.begin(), corners.begin() + kCellEdgesMax);
      std::vector<std::uint32_t> rest(corners.begin() + kCellEdgesMax - 1, corners.end());
      rest.push_back(corners[0]);
      if (area(part) == 0 || area(rest) == 0) {
        std::rotate(corners.begin(), corners.begin() + 1, corners.end());
        continue;
      }
      add_cell(std::move(part), like);
      corners = std::move(rest);
    }
    mesh_.add_cell(corners, like);
  }

  absl::Status read_end(const JsonObject& value, const char* end, std::uint32_t* cell,
                        LatticePoint* at, double* y) {
    double xz[2];
    std::uint64_t floor = 0;
    if (auto s = value.whole(std::string(end) + "_floor", floor_ends_.size() - 1, 0, &floor);
        !s.ok())
      return s;
    if (auto s = value.numbers(end, 2, kLatticeExtent, xz); !s.ok()) return s;
    *at = to_lattice({xz[0], xz[1]});
    for (std::uint32_t c = floor == 0 ? 0 : floor_ends_[floor - 1]; c < floor_ends_[floor]; ++c) {
      if (!work_.spend(mesh_.cells[c].count)) return work_.error(value.field(end));
      if (!mesh_.holds(mesh_.cells[c], *at)) continue;
      *cell = c;
      *y = mesh_.vertices[mesh_.corners[mesh_.cells[c].first]].y;
      return absl::OkStatus();
    }
    return invalid_field("PLAN_LINK", value.field(end),
                         "lies on no ground of floor " + std::to_string(floor));
  }

  absl::Status read_link(const JsonObject& value, std::size_t place) {
    NavLink link;
    double factor = 1;
    if (auto s = value.only({"id", "from", "to", "from_floor", "to_floor", "both", "enabled",
                             "factor", "area", "flags"});
        !s.ok())
      return s;
    if (auto s = value.whole("id", ~std::uint64_t{0}, place + 1, &link.id); !s.ok()) return s;
    if (auto s = read_end(value, "from", &link.from_cell, &link.from, &link.from_y); !s.ok())
      return s;
    if (auto s = read_end(value, "to", &link.to_cell, &link.to, &link.to_y); !s.ok()) return s;
    if (auto s = value.flag("both", true, &link.both_ways); !s.ok()) return s;
    if (auto s = value.flag("enabled", true, &link.enabled); !s.ok()) return s;
    if (auto s = value.number("factor", 1, 1000, 1.0, &factor); !s.ok()) return s;
    if (auto s = read_kind(value, &link.area, &link.flags); !s.ok()) return s;
    link.factor = static_cast<std::uint32_t>(std::floor(factor * 1000 + 0.5));
    mesh_.links.push_back(link);
    return absl::OkStatus();
  }

  absl::Status read_links(const Json& list, const std::string& field) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list[i].is_object()) return json_field_error(item(field, i), "must be an object");
      if (auto s = read_link(JsonObject(list[i], item(field, i)), i); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

  // Reads "area" and "flags", which floors and links have in common.
  static absl::Status read_kind(const JsonObject& value, AreaType* area, std::uint16_t* flags) {
    std::uint64_t type = 0;
    std::uint64_t bits = 0;
    if (auto s = value.whole("area", kAreaTypes - 1, 0, &type); !s.ok()) return s;
    if (auto s = value.whole("flags", 0xffff, 1, &bits); !s.ok()) return s;
    *area = static_cast<AreaType>(type);
    *flags = static_cast<std::uint16_t>(bits);
    return absl::OkStatus();
  }

  PlanMethod method_;
  double tau_;
  WorkMeter& work_;
  MeshSource mesh_;
  std::vector<std::uint32_t> floor_ends_;  // in mesh_.cells
  Partitioner partitioner_;
  Partition partition_;
};

}  // namespace

absl::StatusOr<MeshSource> import_floor_plan(std::string_view text, PlanMethod method,
                                             WorkMeter* work, double tau) {
  WorkMeter own({}, text.size());
  if (work == nullptr) work = &own;
  auto document = parse_json(text, kPlanBytesMax, work);
  if (!document.ok()) return document.status();
  PlanReader reader(method, tau, work);
  if (auto s = reader.read(*document); !s.ok()) return s;
  return reader.take();
}

}  // namespace repath
