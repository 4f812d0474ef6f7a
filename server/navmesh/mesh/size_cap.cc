#include "navmesh/mesh/size_cap.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.h"
#include "geometry/ring.h"
#include "navmesh/mesh/convex_split.h"

namespace repath {
namespace {

using Ring = std::vector<std::uint32_t>;  // vertices

std::int64_t floor_to(std::int64_t v, std::int64_t side) {
  return (v >= 0 ? v / side : -((-v + side - 1) / side)) * side;
}

constexpr std::uint64_t kUnitsPerPiece = 200;
// For a cell of a world, including the data that searches keep of it.
constexpr std::uint64_t kBytesPerBaseCell = 900;

class SizeCutter {
 public:
  SizeCutter(const MeshSource& source, const NavMesh& mesh, std::int32_t side, WorkMeter* work)
      : source_(source), mesh_(mesh), side_(side), work_(*work) {
    out_.vertices = source.vertices;
  }

  std::size_t cells_at_most() const {
    std::size_t sum = 0;
    for (std::uint32_t c = 0; c < source_.cells.size(); ++c) {
      const LatticeBox box = box_of(c);
      sum += is_large(box) ? 4 * lines(box.low.x, box.high.x) * lines(box.low.z, box.high.z) : 1;
    }
    return sum;
  }

  // The result is unusable if the meter is over.
  MeshSource run() {
    for (std::uint32_t c = 0; c < source_.cells.size(); ++c) {
      if (!is_large(box_of(c))) continue;
      const std::span<const std::uint32_t> ring = ring_of(c);
      for (std::size_t k = 0; k < ring.size(); ++k)
        cut_edges_.push_back(std::minmax(ring[k], ring[(k + 1) % ring.size()]));
    }
    std::ranges::sort(cut_edges_);
    firsts_.reserve(source_.cells.size() + 1);
    for (std::uint32_t c = 0; c < source_.cells.size(); ++c) {
      firsts_.push_back(static_cast<std::uint32_t>(out_.cells.size()));
      cut_cell(c);
      if (work_.is_over()) return {};
    }
    firsts_.push_back(static_cast<std::uint32_t>(out_.cells.size()));
    return std::move(out_);
  }

  // Places the links in `cut`, the result of run(). Returns false if no piece of the cell holds an
  // end.
  bool place_links(MeshSource* cut) const {
    for (NavLink link : source_.links) {
      if (!place_end(*cut, &link.from_cell, &link.from) ||
          !place_end(*cut, &link.to_cell, &link.to))
        return false;
      cut->links.push_back(link);
    }
    return true;
  }

  // Appends the original cell of each cell of run()'s result.
  void append_cut_from(std::vector<std::uint32_t>* cells) const {
    for (std::uint32_t c = 0; c + 1 < firsts_.size(); ++c)
      cells->insert(cells->end(), firsts_[c + 1] - firsts_[c], c);
  }

 private:
  std::size_t lines(std::int32_t low, std::int32_t high) const {
    return static_cast<std::size_t>((std::int64_t{high} - low) / side_ + 2);
  }
  bool is_large(const LatticeBox& box) const {
    return std::int64_t{box.high.x} - box.low.x > side_ ||
           std::int64_t{box.high.z} - box.low.z > side_;
  }
  std::span<const std::uint32_t> ring_of(std::uint32_t c) const {
    return source_.corners_of(source_.cells[c]);
  }
  LatticeRing places_of(std::span<const std::uint32_t> ring) const {
    LatticeRing places;
    for (const std::uint32_t v : ring) places.push_back(at(v));
    return places;
  }
  LatticeBox box_of(std::uint32_t c) const { return bounds_of(places_of(ring_of(c))); }
  LatticePoint at(std::uint32_t v) const {
    return v < out_.vertices.size() ? out_.vertices[v].at : source_.vertices[v].at;
  }

  void cut_cell(std::uint32_t c) {
    const std::span<const std::uint32_t> plain = ring_of(c);
    Ring ring;
    for (std::size_t k = 0; k < plain.size(); ++k) {
      ring.push_back(plain[k]);
      append_crossings(plain[k], plain[(k + 1) % plain.size()], &ring);
    }
    pieces_.clear();
    if (is_large(box_of(c)) ? !cut_along_grid(c, ring) : ring.size() > plain.size()) {
      pieces_.clear();
      if (!append_convex(out_.vertices, ring, &pieces_, &work_)) pieces_.clear();
    }
    if (pieces_.empty()) pieces_.emplace_back(plain.begin(), plain.end());
    for (const Ring& piece : pieces_) out_.add_cell(piece, source_.cells[c]);
  }

  // Appends the points where grid lines cross the edge if a cell beside it is cut; the same for
  // both cells.
  void append_crossings(std::uint32_t u, std::uint32_t w, Ring* ring) {
    const auto [low, high] = std::minmax(u, w);
    if (!std::ranges::binary_search(cut_edges_, std::pair{low, high})) return;
    const LatticePoint a = at(low);
    const LatticePoint b = at(high);
    std::vector<std::pair<std::int64_t, LatticePoint>> points;
    const auto add = [&](LatticePoint p) {
      if (p != a && p != b) points.push_back({along_line(a, b, p), p});
    };
    const auto [x0, x1] = std::minmax(a.x, b.x);
    for (std::int64_t x = floor_to(x0, side_) + side_; x < x1; x += side_)
      add(rounded_crossing(a, b, x - a.x, x - b.x));
    const auto [z0, z1] = std::minmax(a.z, b.z);
    for (std::int64_t z = floor_to(z0, side_) + side_; z < z1; z += side_)
      add(rounded_crossing(a, b, z - a.z, z - b.z));
    std::ranges::sort(points);
    points.erase(std::unique(points.begin(), points.end()), points.end());
    if (u != low) std::ranges::reverse(points);
    const auto whole = static_cast<double>(distance_squared(a, b));
    const double ya = source_.vertices[low].y;
    const double yb = source_.vertices[high].y;
    for (const auto& [along, p] : points)
      ring->push_back(vertex(low, high, p, ya + (yb - ya) * (static_cast<double>(along) / whole)));
  }

  std::uint32_t vertex(std::uint32_t one, std::uint32_t other, LatticePoint p, double y) {
    const auto [known, is_new] =
        known_.try_emplace({one, other, p}, static_cast<std::uint32_t>(out_.vertices.size()));
    if (is_new) out_.vertices.push_back({p, std::clamp(y, -kHeightMax, kHeightMax)});
    return known->second;
  }

  // Returns false if a piece is a polygon that cannot be cut into convex ones.
  bool cut_along_grid(std::uint32_t c, const Ring& ring) {
    const LatticeBox box = box_of(c);
    for (std::int64_t z = floor_to(box.low.z, side_); z < box.high.z; z += side_) {
      if (!work_.spend(4 * ring.size())) return false;
      const Ring row = part(c, ring, z, &LatticePoint::z, &LatticePoint::x);
      for (std::int64_t x = floor_to(box.low.x, side_); x < box.high.x && row.size() > 2;
           x += side_) {
        if (!work_.spend(4 * row.size() + kUnitsPerPiece)) return false;
        const Ring piece = part(c, row, x, &LatticePoint::x, &LatticePoint::z);
        if (twice_area(places_of(piece)) == 0) continue;
        if (!append_convex(out_.vertices, piece, &pieces_, &work_)) return false;
      }
    }
    return !pieces_.empty();
  }

  // Returns the part of the ring between two lines, [low, low + side] of coordinate `across`. Every
  // edge lies on one side of each line. Where the ring leaves and comes back along a line,
  // crossings with the other lines are inserted.
  Ring part(std::uint32_t c, const Ring& ring, std::int64_t low, std::int32_t LatticePoint::*across,
            std::int32_t LatticePoint::*along) {
    const auto is_in = [&](std::uint32_t v) {
      return at(v).*across >= low && at(v).*across <= low + side_;
    };
    Ring kept;
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < ring.size(); ++k)
      if (is_in(ring[k])) places.push_back(k);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::size_t next = places[(i + 1) % places.size()];
      kept.push_back(ring[places[i]]);
      if (next == (places[i] + 1) % ring.size()) continue;
      const LatticePoint from = at(ring[places[i]]);
      const LatticePoint to = at(ring[next]);
      if (from.*across != to.*across) continue;
      Ring between;
      const std::int64_t end = std::max(from.*along, to.*along);
      for (std::int64_t v = floor_to(std::min(from.*along, to.*along), side_) + side_; v < end;
           v += side_) {
        LatticePoint p = from;
        p.*along = static_cast<std::int32_t>(v);
        between.push_back(vertex(kInside, c, p, mesh_.height_at(c, p.x, p.z)));
      }
      if (from.*along > to.*along) std::ranges::reverse(between);
      kept.insert(kept.end(), between.begin(), between.end());
    }
    return kept;
  }

  // Finds the first piece that holds the end. Cutting rounds, so an end on the border of its cell
  // may have to move by a step or two.
  bool place_end(const MeshSource& cut, std::uint32_t* cell, LatticePoint* at) const {
    constexpr std::int32_t kWithin = 2;
    const LatticePoint end = *at;
    for (std::int32_t far = 0; far <= kWithin; ++far)
      for (std::int32_t dz = -far; dz <= far; ++dz)
        for (std::int32_t dx = -far; dx <= far; ++dx) {
          if (std::max(std::abs(dx), std::abs(dz)) != far) continue;
          *at = {end.x + dx, end.z + dz};
          for (std::uint32_t c = firsts_[*cell]; c < firsts_[*cell + 1]; ++c) {
            if (!cut.holds(cut.cells[c], *at)) continue;
            *cell = c;
            return true;
          }
        }
    return false;
  }
  static constexpr std::uint32_t kInside = ~std::uint32_t{0};
  const MeshSource& source_;
  const NavMesh& mesh_;
  const std::int64_t side_;
  WorkMeter& work_;
  MeshSource out_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> cut_edges_;  // vertices, ascending
  std::map<std::tuple<std::uint32_t, std::uint32_t, LatticePoint>, std::uint32_t> known_;
  std::vector<Ring> pieces_;
  std::vector<std::uint32_t> firsts_;  // first piece of each cell in out_.cells
};

}  // namespace

absl::StatusOr<MeshSource> cut_to_size(const MeshSource& source, const NavMesh& mesh, double side,
                                       std::vector<std::uint32_t>* cut_from, WorkMeter* work) {
  WorkMeter endless(kNoWorkLimits);
  if (work == nullptr) work = &endless;
  if (!(side >= kCellSideLeast && side <= kCellSideMost))
    return invalid_field("CELL_SIDE", "cell_side", "must be in [0.5, 10000] units");
  SizeCutter cutter(source, mesh, static_cast<std::int32_t>(std::floor(side * kLatticePerUnit)),
                    work);
  const std::size_t cells = cutter.cells_at_most();
  if (cells > kNavCellsMax)
    return make_error(absl::StatusCode::kResourceExhausted, "MESH_TOO_LARGE", "cell_side",
                      "the mesh would have more than " + std::to_string(kNavCellsMax) + " cells");
  const std::uint64_t likely = source.cells.size() + (cells - source.cells.size()) / 4;
  if (auto s = work->check_memory(likely * kBytesPerBaseCell, "cells"); !s.ok()) return s;
  if (!work->affords(likely * kUnitsPerPiece)) return work->error("cells", likely * kUnitsPerPiece);
  MeshSource cut = cutter.run();
  if (work->is_over()) return work->error("cells");
  if (!cutter.place_links(&cut))
    return invalid_field("LINK_CELL", "links", "an end lies outside of the cell it names");
  if (cut_from != nullptr) cutter.append_cut_from(cut_from);
  return cut;
}

}  // namespace repath
