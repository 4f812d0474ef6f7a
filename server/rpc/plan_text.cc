#include "rpc/plan_text.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "geometry/ring.h"
#include "rpc/number_text.h"

namespace repath {
namespace {

constexpr std::uint32_t kNoVertex = ~std::uint32_t{0};

// One floor: the vertices of its outer ring and of its holes.
struct PlanFloor {
  std::vector<std::vector<std::uint32_t>> rings;
  std::uint32_t cell = 0;  // one of its cells
};

absl::Status no_plan() {
  return make_error(absl::StatusCode::kFailedPrecondition, "PLAN_MISSING", "format",
                    "the mesh was not made of a floor plan; MAP_FORMAT_REPATH keeps any world, "
                    "MAP_FORMAT_OBJ shows the ground");
}

// Finds the rings in the borders of a mesh. An import numbers the vertices of a floor ring by ring,
// and then the points that it made on edges. So along a border the plan's corners are those whose
// numbers rise by one.
class PlanFinder {
 public:
  explicit PlanFinder(const MeshSource& mesh) : mesh_(mesh) {}

  // Returns the floors; empty if the borders are not numbered in that way.
  std::vector<PlanFloor> find() {
    if (!read_borders()) return {};
    std::vector<PlanFloor> floors;
    std::uint32_t corners_end = 0;  // behind the last ring
    std::uint32_t made_begin = 0;   // least vertex on this floor's borders that is no corner of it
    std::uint32_t made_end = 0;
    for (std::uint32_t first = next_ring(0); first != kNoVertex; first = next_ring(first)) {
      std::vector<std::uint32_t> made;
      std::vector<std::uint32_t> ring = corners_from(first, &made);
      if (ring.size() < 3) return {};
      const bool is_outer = is_counterclockwise(ring);
      if (is_outer) {
        if (first < made_end || made_begin < corners_end) return {};
        floors.push_back({{}, cell_at_[first]});
        corners_end = first;
        made_begin = kNoVertex;
        made_end = first;
      }
      if (floors.empty() || first != corners_end) return {};
      corners_end = first + static_cast<std::uint32_t>(ring.size());
      for (const std::uint32_t v : made) {
        made_begin = std::min(made_begin, v);
        made_end = std::max(made_end, v + 1);
      }
      made_end = std::max(made_end, corners_end);
      floors.back().rings.push_back(std::move(ring));
    }
    if (made_begin < corners_end || !are_level(floors)) return {};
    return floors;
  }

 private:
  // Fills in the border vertex after each border vertex. Returns false if borders touch.
  bool read_borders() {
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const MeshSource::Cell& cell : mesh_.cells)
      for_each_edge(cell, [&](std::uint32_t a, std::uint32_t b) { edges.emplace(a, b); });
    after_.assign(mesh_.vertices.size(), kNoVertex);
    cell_at_.assign(mesh_.vertices.size(), 0);
    bool is_plain = true;
    for (std::uint32_t c = 0; c < mesh_.cells.size(); ++c)
      for_each_edge(mesh_.cells[c], [&](std::uint32_t a, std::uint32_t b) {
        if (edges.contains({b, a})) return;
        is_plain = is_plain && after_[a] == kNoVertex;
        after_[a] = b;
        cell_at_[a] = c;
      });
    is_seen_.assign(mesh_.vertices.size(), false);
    return is_plain;
  }
  template <class Visit>
  void for_each_edge(const MeshSource::Cell& cell, Visit visit) const {
    const std::span<const std::uint32_t> ring = mesh_.corners_of(cell);
    for (std::size_t k = 0; k < ring.size(); ++k) visit(ring[k], ring[(k + 1) % ring.size()]);
  }
  // Returns the next vertex from `from` on whose border has not been read.
  std::uint32_t next_ring(std::uint32_t from) const {
    for (std::uint32_t v = from; v < after_.size(); ++v)
      if (after_[v] != kNoVertex && !is_seen_[v]) return v;
    return kNoVertex;
  }
  // Returns the vertices of the border whose numbers rise by one; puts the others into `made`.
  std::vector<std::uint32_t> corners_from(std::uint32_t first, std::vector<std::uint32_t>* made) {
    std::vector<std::uint32_t> ring;
    for (std::uint32_t v = first; v != kNoVertex && !is_seen_[v]; v = after_[v]) {
      is_seen_[v] = true;
      if (v == first + ring.size()) {
        ring.push_back(v);
      } else {
        made->push_back(v);
      }
    }
    return ring;
  }
  bool is_counterclockwise(const std::vector<std::uint32_t>& ring) const {
    LatticeRing points;
    for (const std::uint32_t v : ring) points.push_back(mesh_.vertices[v].at);
    return twice_area(points) > 0;
  }
  bool are_level(const std::vector<PlanFloor>& floors) const {
    return std::ranges::all_of(floors, [this](const PlanFloor& floor) {
      const double y = mesh_.vertices[floor.rings[0][0]].y;
      return std::ranges::all_of(floor.rings, [&](const auto& ring) {
        return std::ranges::all_of(ring, [&](auto v) { return mesh_.vertices[v].y == y; });
      });
    });
  }

  const MeshSource& mesh_;
  std::vector<std::uint32_t> after_;    // along the border; kNoVertex: not on it
  std::vector<std::uint32_t> cell_at_;  // cell of the border edge from each vertex
  std::vector<bool> is_seen_;
};

class PlanText final : public ByteSource {
 public:
  PlanText(std::shared_ptr<const WorldContent> content, std::vector<PlanFloor> floors)
      : content_(std::move(content)), floors_(std::move(floors)) {}

  bool next(std::string* out) override {
    if (is_done_) return false;
    if (at_ < floors_.size()) {
      *out += at_ == 0 ? "{\"floors\": [\n" : ",\n";
      append_floor(floors_[at_++], out);
      return true;
    }
    *out += "],\n\"links\": [";
    const char* before = "\n";
    for (const NavLink& link : content_->mesh->links) {
      *out += before;
      append_link(link, out);
      before = ",\n";
    }
    *out += "]}\n";
    return is_done_ = true;
  }

 private:
  const MeshSource& mesh() const { return *content_->mesh; }

  void append_point(LatticePoint at, std::string* out) const {
    const Point point = to_point(at);
    *out += '[';
    append_numbers({point.x, point.z}, ", ", out);
    *out += ']';
  }
  void append_ring(const std::vector<std::uint32_t>& ring, std::string* out) const {
    const char* before = "[";
    for (const std::uint32_t v : ring) {
      *out += before;
      append_point(mesh().vertices[v].at, out);
      before = ", ";
    }
    *out += ']';
  }
  template <class Entry>
  static void append_kind(const Entry& entry, std::string* out) {
    *out += ", \"area\": " + std::to_string(index(entry.area)) +
            ", \"flags\": " + std::to_string(entry.flags) + '}';
  }
  void append_floor(const PlanFloor& floor, std::string* out) const {
    *out += "{\"outer\": ";
    append_ring(floor.rings[0], out);
    *out += ", \"holes\": [";
    for (std::size_t i = 1; i < floor.rings.size(); ++i) {
      if (i > 1) *out += ", ";
      append_ring(floor.rings[i], out);
    }
    *out += "], \"y\": ";
    append_number(mesh().vertices[floor.rings[0][0]].y, out);
    append_kind(mesh().cells[floor.cell], out);
  }
  // Returns the floor that a cell belongs to: an import numbers the vertices floor by floor.
  std::size_t floor_of(std::uint32_t cell) const {
    const std::uint32_t vertex = mesh().corners_of(mesh().cells[cell])[0];
    const auto after = std::ranges::upper_bound(
        floors_, vertex, {}, [](const PlanFloor& floor) { return floor.rings[0][0]; });
    return static_cast<std::size_t>(after - floors_.begin()) - 1;
  }
  void append_link(const NavLink& link, std::string* out) const {
    const auto& switched = content_->switched_links;
    const auto found = std::ranges::find(switched, link.id, &LinkSwitch::id);
    const bool is_enabled = found == switched.end() ? link.enabled : found->enabled;
    *out += "{\"id\": " + std::to_string(link.id) +
            ", \"from_floor\": " + std::to_string(floor_of(link.from_cell)) + ", \"from\": ";
    append_point(link.from, out);
    *out += ", \"to_floor\": " + std::to_string(floor_of(link.to_cell)) + ", \"to\": ";
    append_point(link.to, out);
    *out += std::string(", \"both\": ") + (link.both_ways ? "true" : "false") +
            ", \"enabled\": " + (is_enabled ? "true" : "false") + ", \"factor\": ";
    append_number(link.factor / 1000.0, out);
    append_kind(link, out);
  }

  const std::shared_ptr<const WorldContent> content_;
  const std::vector<PlanFloor> floors_;
  std::size_t at_ = 0;
  bool is_done_ = false;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ByteSource>> plan_text(std::shared_ptr<const WorldContent> content) {
  std::vector<PlanFloor> floors = PlanFinder(*content->mesh).find();
  if (floors.empty()) return no_plan();
  return std::make_unique<PlanText>(std::move(content), std::move(floors));
}

}  // namespace repath
