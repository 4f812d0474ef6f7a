#include "navmesh/import/stitch.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace repath {
namespace {

using Corners = std::vector<std::uint32_t>;
using EdgeKey = std::pair<std::uint32_t, std::uint32_t>;

class Stitcher {
 public:
  Stitcher(const TileLines& lines, double climb, WorkMeter* work, MeshSource* source)
      : lines_(lines), climb_(climb), work_(*work), source_(*source) {}

  bool run() {
    if (!work_.spend(kUnitsPerCorner * source_.corners.size())) return false;
    unpack();
    find_open_vertices();
    weld();
    find_open_vertices();
    for (Corners& cell : cells_) {
      cut_edges(&cell);
      if (work_.is_over()) return false;
    }
    drop_doubled_edges();
    pack();
    return true;
  }

 private:
  static constexpr std::uint64_t kUnitsPerCorner = 200;  // for sets and maps of edges

  LatticePoint at(std::uint32_t v) const { return source_.vertices[v].at; }
  double y(std::uint32_t v) const { return source_.vertices[v].y; }
  static bool is_among(const std::vector<std::int32_t>& lines, std::int32_t c) {
    return std::binary_search(lines.begin(), lines.end(), c);
  }

  void unpack() {
    for (const MeshSource::Cell& cell : source_.cells) {
      const std::span<const std::uint32_t> corners = source_.corners_of(cell);
      cells_.emplace_back(corners.begin(), corners.end());
    }
  }

  void pack() {
    const std::vector<MeshSource::Cell> old = std::exchange(source_.cells, {});
    source_.corners.clear();
    for (std::size_t c = 0; c < cells_.size(); ++c) source_.add_cell(cells_[c], old[c]);
  }

  // Finds the edges along a line that only one cell has, and their vertices.
  void find_open_vertices() {
    edges_.clear();
    for (const Corners& cell : cells_)
      for (std::size_t k = 0; k < cell.size(); ++k)
        edges_.insert({cell[k], cell[(k + 1) % cell.size()]});
    open_.clear();
    for (const EdgeKey& e : edges_)
      if (is_open(e)) {
        open_.push_back(e.first);
        open_.push_back(e.second);
      }
    std::sort(open_.begin(), open_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return std::make_tuple(at(a).x, at(a).z, y(a), a) <
             std::make_tuple(at(b).x, at(b).z, y(b), b);
    });
    open_.erase(std::unique(open_.begin(), open_.end()), open_.end());
    along_x_.clear();
    along_z_.clear();
    for (const std::uint32_t v : open_) {
      if (is_among(lines_.x, at(v).x)) along_x_[at(v).x].push_back(v);
      if (is_among(lines_.z, at(v).z)) along_z_[at(v).z].push_back(v);
    }
    for (auto& [x, list] : along_x_) sort_by(&list, &LatticePoint::z);
    for (auto& [z, list] : along_z_) sort_by(&list, &LatticePoint::x);
  }
  void sort_by(Corners* list, std::int32_t LatticePoint::*axis) const {
    std::stable_sort(list->begin(), list->end(),
                     [&](std::uint32_t a, std::uint32_t b) { return at(a).*axis < at(b).*axis; });
  }
  bool is_open(const EdgeKey& e) const {
    const LatticePoint a = at(e.first);
    const LatticePoint b = at(e.second);
    const bool on_x = a.x == b.x && is_among(lines_.x, a.x);
    const bool on_z = a.z == b.z && is_among(lines_.z, a.z);
    return (on_x || on_z) && edges_.count({e.second, e.first}) == 0;
  }

  void weld() {
    std::map<std::uint32_t, std::uint32_t> now;
    for (std::size_t i = 0; i < open_.size();) {
      const std::uint32_t lowest = open_[i];
      for (; i < open_.size() && at(open_[i]) == at(lowest) && y(open_[i]) - y(lowest) <= climb_;
           ++i)
        now[open_[i]] = lowest;
    }
    for (Corners& cell : cells_) {
      for (std::uint32_t& v : cell)
        if (const auto found = now.find(v); found != now.end()) v = found->second;
    }
  }

  void cut_edges(Corners* cell) const {
    Corners cut;
    for (std::size_t k = 0; k < cell->size(); ++k) {
      const std::uint32_t u = (*cell)[k];
      const std::uint32_t w = (*cell)[(k + 1) % cell->size()];
      cut.push_back(u);
      if (!is_open({u, w})) continue;
      const bool on_x = at(u).x == at(w).x;
      append_between(on_x ? along_x_ : along_z_, on_x ? at(u).x : at(u).z,
                     on_x ? &LatticePoint::z : &LatticePoint::x, u, w, &cut);
      if (cut.size() > kCellEdgesMax) return;
    }
    if (cut.size() <= kCellEdgesMax) *cell = std::move(cut);
  }
  void append_between(const std::map<std::int32_t, Corners>& lists, std::int32_t line,
                      std::int32_t LatticePoint::*axis, std::uint32_t u, std::uint32_t w,
                      Corners* out) const {
    const auto found = lists.find(line);
    if (found == lists.end()) return;
    const std::int32_t from = at(u).*axis;
    const std::int32_t to = at(w).*axis;
    Corners between;
    const auto first =
        std::upper_bound(found->second.begin(), found->second.end(), std::min(from, to),
                         [&](std::int32_t c, std::uint32_t v) { return c < at(v).*axis; });
    for (auto i = first; i != found->second.end() && at(*i).*axis < std::max(from, to); ++i) {
      if (!work_.spend(4)) return;
      const double share =
          (static_cast<double>(at(*i).*axis) - from) / (static_cast<double>(to) - from);
      const double ground = y(u) + share * (y(w) - y(u));
      const bool is_other_floor = std::abs(ground - y(*i)) > climb_;
      const bool is_there = !between.empty() && at(between.back()) == at(*i);
      if (!is_other_floor && !is_there) between.push_back(*i);
    }
    if (from > to) std::reverse(between.begin(), between.end());
    out->insert(out->end(), between.begin(), between.end());
  }

  // Gives a later cell corners of its own where two cells have an edge on the same side.
  void drop_doubled_edges() {
    std::set<EdgeKey> taken;
    for (Corners& cell : cells_) {
      for (std::size_t k = 0; k < cell.size(); ++k) {
        std::uint32_t& u = cell[k];
        std::uint32_t& w = cell[(k + 1) % cell.size()];
        if (taken.count({u, w}) == 0) continue;
        for (std::uint32_t* v : {&u, &w}) {
          source_.vertices.push_back(source_.vertices[*v]);
          *v = static_cast<std::uint32_t>(source_.vertices.size() - 1);
        }
      }
      for (std::size_t k = 0; k < cell.size(); ++k)
        taken.insert({cell[k], cell[(k + 1) % cell.size()]});
    }
  }

  const TileLines& lines_;
  const double climb_;
  WorkMeter& work_;
  MeshSource& source_;
  std::vector<Corners> cells_;
  std::set<EdgeKey> edges_;
  Corners open_;  // by place, then height
  std::map<std::int32_t, Corners> along_x_;
  std::map<std::int32_t, Corners> along_z_;
};

}  // namespace

bool stitch_tiles(const TileLines& lines, double climb, WorkMeter* work, MeshSource* source) {
  return Stitcher(lines, climb, work, source).run();
}

}  // namespace repath
