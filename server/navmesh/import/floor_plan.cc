#include "navmesh/import/floor_plan.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json_input.h"
#include "navmesh/import/plan_rings.h"

namespace repath {
namespace {

LatticePoint to_lattice(const double* xz) {
  return {static_cast<std::int32_t>(std::floor(xz[0] * kLatticePerUnit + 0.5)),
          static_cast<std::int32_t>(std::floor(xz[1] * kLatticePerUnit + 0.5))};
}

// Makes a mesh from floors and links, which it reads one after another.
class PlanReader {
 public:
  PlanReader(PlanMethod method, WorkMeter* work) : method_(method), work_(*work) {}

  absl::Status read(const Json& document);
  MeshSource take() { return std::move(mesh_); }

 private:
  absl::Status read_floors(const Json& list, const std::string& field);
  absl::Status read_floor(const Json& value, const std::string& path);
  absl::Status read_ring(const Json& value, std::string field, std::size_t* corners,
                         std::vector<PlanRing>* rings);
  absl::Status add_cells(const std::vector<PlanRing>& rings, const JsonObject& floor);
  void add_cell(std::vector<std::uint32_t> corners, const MeshSource::Cell& like);
  absl::Status read_links(const Json& list, const std::string& field);
  absl::Status read_link(const JsonObject& value, std::size_t place);
  absl::Status read_end(const JsonObject& value, const char* end, std::uint32_t* cell,
                        LatticePoint* at, double* y);
  bool is_in_cell(const MeshSource::Cell& cell, LatticePoint p) const;
  LatticePoint corner(std::uint32_t place) const { return mesh_.vertices[mesh_.corners[place]].at; }

  PlanMethod method_;
  WorkMeter& work_;
  MeshSource mesh_;
  std::uint32_t floors_ = 0;
  Partitioner partitioner_;
  Partition partition_;
};

absl::Status PlanReader::read(const Json& document) {
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

absl::Status PlanReader::read_floors(const Json& list, const std::string& field) {
  if (list.empty() || list.size() > kPlanFloorsMax + 1)
    return json_field_error(field, "a plan has 1 to " + std::to_string(kPlanFloorsMax) + " floors");
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

absl::Status PlanReader::read_ring(const Json& value, std::string field, std::size_t* corners,
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
    ring.corners.push_back(to_lattice(xz));
  }
  rings->push_back(std::move(ring));
  return absl::OkStatus();
}

absl::Status PlanReader::read_floor(const Json& value, const std::string& path) {
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
  ++floors_;
  return absl::OkStatus();
}

absl::Status PlanReader::add_cells(const std::vector<PlanRing>& rings, const JsonObject& floor) {
  double y = 0;
  std::uint64_t area = 0;
  std::uint64_t flags = 0;
  if (auto s = floor.number("y", -kHeightMax, kHeightMax, 0.0, &y); !s.ok()) return s;
  if (auto s = floor.whole("area", kAreaTypes - 1, 0, &area); !s.ok()) return s;
  if (auto s = floor.whole("flags", 0xffff, 1, &flags); !s.ok()) return s;
  LatticeRing points;
  std::vector<std::uint32_t> loop_ends;
  for (std::size_t r = 0; r < rings.size(); ++r) {
    LatticeRing ring = rings[r].corners;
    if ((twice_area(ring) > 0) != (r == 0)) std::ranges::reverse(ring);
    points.insert(points.end(), ring.begin(), ring.end());
    loop_ends.push_back(static_cast<std::uint32_t>(points.size()));
  }
  const bool done = partitioner_.run(points, loop_ends, method_, &partition_, &work_);
  if (work_.is_over()) return work_.error(floor.field("outer"));
  if (!done)
    return invalid_field("PLAN_NOT_SIMPLE", floor.field("outer"),
                         "the floor cannot be cut into convex cells");
  const auto first = static_cast<std::uint32_t>(mesh_.vertices.size());
  for (const LatticePoint p : partition_.points) mesh_.vertices.push_back({p, y});
  MeshSource::Cell like;
  like.area = static_cast<AreaType>(area);
  like.flags = static_cast<std::uint16_t>(flags);
  like.origin.tile = floors_;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : partition_.cell_ends) {
    std::vector<std::uint32_t> cell;
    for (; begin < end; ++begin) cell.push_back(first + partition_.edges[begin].from);
    add_cell(std::move(cell), like);
    if (work_.is_over()) return work_.error(floor.field("outer"));
    ++like.origin.polygon;
  }
  return absl::OkStatus();
}

// Adds a cell. Splits a cell with too many corners by cuts between corners that leave an area on
// both sides.
void PlanReader::add_cell(std::vector<std::uint32_t> corners, const MeshSource::Cell& like) {
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
      std::ranges::rotate(corners, corners.begin() + 1);
      continue;
    }
    add_cell(std::move(part), like);
    corners = std::move(rest);
  }
  MeshSource::Cell& cell = mesh_.add_cell(corners);
  cell.area = like.area;
  cell.flags = like.flags;
  cell.origin = like.origin;
}

bool PlanReader::is_in_cell(const MeshSource::Cell& cell, LatticePoint p) const {
  for (std::uint32_t i = 0; i < cell.count; ++i)
    if (turn(corner(cell.first + i), corner(cell.first + (i + 1) % cell.count), p) < 0)
      return false;
  return true;
}

absl::Status PlanReader::read_end(const JsonObject& value, const char* end, std::uint32_t* cell,
                                  LatticePoint* at, double* y) {
  double xz[2];
  std::uint64_t floor = 0;
  if (auto s = value.whole(std::string(end) + "_floor", floors_ - 1, 0, &floor); !s.ok()) return s;
  if (auto s = value.numbers(end, 2, kLatticeExtent, xz); !s.ok()) return s;
  *at = to_lattice(xz);
  // Cells of a floor stand together, and floors are in order.
  const auto first = std::ranges::lower_bound(
      mesh_.cells, floor, {}, [](const MeshSource::Cell& c) { return c.origin.tile; });
  for (auto c = static_cast<std::uint32_t>(first - mesh_.cells.begin());
       c < mesh_.cells.size() && mesh_.cells[c].origin.tile == floor; ++c) {
    if (!work_.spend(mesh_.cells[c].count)) return work_.error(value.field(end));
    if (is_in_cell(mesh_.cells[c], *at)) {
      *cell = c;
      *y = mesh_.vertices[mesh_.corners[mesh_.cells[c].first]].y;
      return absl::OkStatus();
    }
  }
  return invalid_field("PLAN_LINK", value.field(end),
                       "lies on no ground of floor " + std::to_string(floor));
}

absl::Status PlanReader::read_link(const JsonObject& value, std::size_t place) {
  NavLink link;
  double factor = 1;
  std::uint64_t area = 0;
  std::uint64_t flags = 0;
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
  if (auto s = value.whole("area", kAreaTypes - 1, 0, &area); !s.ok()) return s;
  if (auto s = value.whole("flags", 0xffff, 1, &flags); !s.ok()) return s;
  link.factor = static_cast<std::uint32_t>(std::floor(factor * 1000 + 0.5));
  link.area = static_cast<AreaType>(area);
  link.flags = static_cast<std::uint16_t>(flags);
  mesh_.links.push_back(link);
  return absl::OkStatus();
}

absl::Status PlanReader::read_links(const Json& list, const std::string& field) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_object()) return json_field_error(item(field, i), "must be an object");
    if (auto s = read_link(JsonObject(list[i], item(field, i)), i); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<MeshSource> import_floor_plan(std::string_view text, PlanMethod method,
                                             WorkMeter* work) {
  WorkMeter own({}, text.size());
  if (work == nullptr) work = &own;
  auto document = parse_json(text, kPlanBytesMax, work);
  if (!document.ok()) return document.status();
  PlanReader reader(method, work);
  if (auto s = reader.read(*document); !s.ok()) return s;
  return reader.take();
}

}  // namespace repath
