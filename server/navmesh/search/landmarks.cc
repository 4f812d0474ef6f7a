#include "navmesh/search/landmarks.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "navmesh/search/lengths_from.h"

namespace repath {
namespace {

constexpr float kNotReached = std::numeric_limits<float>::infinity();
constexpr std::uint32_t kCellsMin = 1000;     // of a mesh on which they pay
constexpr std::size_t kTableMax = 8'388'608;  // distances
constexpr std::uint32_t kPartOfCells = 64;    // see the constructor
constexpr double kOpen = 1.02;                // of straight distances, on the mean
constexpr std::uint32_t kSlice = 4096;        // expansions
constexpr std::uint64_t kUnitsPerExpansion = 40;

// An edge that begins at each vertex; kNoEdge where no live one does.
std::vector<std::uint32_t> edges_by_vertex(const NavMesh& mesh) {
  std::vector<std::uint32_t> edges(mesh.vertices_end(), kNoEdge);
  for (std::uint32_t c = 0; c < mesh.cells_end(); ++c)
    for (const NavMesh::Edge& e : mesh.edges_of(c))
      edges[e.vertex] = static_cast<std::uint32_t>(&e - mesh.edges());
  return edges;
}

}  // namespace

std::uint32_t Landmarks::worth(const NavMesh& mesh) {
  if (mesh.cells_end() < kCellsMin) return 0;
  return static_cast<std::uint32_t>(
      std::min<std::size_t>(kMost, kTableMax / std::max(mesh.vertices_end(), 1u)));
}

Landmarks::Landmarks(const NavMesh& mesh, std::uint32_t count, WorkMeter* work)
    : count_(std::min(count, kMost)) {
  const std::uint32_t n = mesh.vertices_end();
  const std::vector<std::uint32_t> edges = edges_by_vertex(mesh);
  const auto is_eligible = [&](std::uint32_t v) {
    if (edges[v] == kNoEdge) return false;
    return mesh.cells_beside(mesh.cell_of(edges[v])) >= mesh.cells_end() / kPartOfCells;
  };
  distances_.assign(std::size_t{n} * count_, kNotReached);
  std::vector<float> nearest(n, kNotReached);  // of the landmarks so far
  std::vector<std::uint32_t> chosen;
  ConeCore core;
  LengthsFrom search(&core);
  // Searches do without landmarks if making them would take more than half of what is left of
  // `work`.
  const std::uint64_t spent = work == nullptr ? 0 : work->spent();
  const std::uint64_t share = work == nullptr ? 0 : (work->limit() - spent) / 2;
  for (std::uint32_t i = 0; i < count_; ++i) {
    std::uint32_t at = n;
    for (std::uint32_t v = 0; v < n; ++v)
      if (is_eligible(v) && (at == n || nearest[v] > nearest[at])) at = v;
    if (at == n || nearest[at] == 0) break;
    chosen.push_back(at);
    const NavMesh::Edge& e = mesh.edge(edges[at]);
    search.begin(mesh, {mesh.cell_of(edges[at]), e.x, e.z});
    for (Progress progress = Progress::kOutOfBudget; progress == Progress::kOutOfBudget;) {
      std::uint32_t left = kSlice;
      progress = search.advance(&left);
      const std::uint64_t units = kUnitsPerExpansion * (kSlice - left);
      if (work != nullptr && (!work->spend(units) || work->spent() - spent > share)) {
        *this = Landmarks();
        return;
      }
    }
    for (std::uint32_t v = 0; v < n; ++v) {
      const auto d = v == at ? 0.0F : static_cast<float>(search.length(v));
      distances_[std::size_t{v} * count_ + i] = d;
      nearest[v] = std::min(nearest[v], d);
    }
  }
  if (chosen.empty() || is_open(mesh, chosen)) *this = Landmarks();
}

// Returns whether straight distances give nearly the same bounds.
bool Landmarks::is_open(const NavMesh& mesh, const std::vector<std::uint32_t>& chosen) const {
  double ways = 0;
  double straight = 0;
  for (std::uint32_t i = 0; i < chosen.size(); ++i) {
    const LatticePoint from = mesh.vertex(chosen[i]).at;
    for (std::uint32_t v = 0; v < mesh.vertices_end(); ++v) {
      if (to(v)[i] == kNotReached) continue;
      const LatticePoint p = mesh.vertex(v).at;
      const double dx = static_cast<double>(p.x) - from.x;
      const double dz = static_cast<double>(p.z) - from.z;
      ways += to(v)[i];
      straight += std::sqrt(dx * dx + dz * dz);
    }
  }
  return ways <= kOpen * straight;
}

LandmarkSpan LandmarkView::span_of(std::uint32_t base_cell, double min_x, double max_x,
                                   double min_z, double max_z) const {
  LandmarkSpan span;
  span.high.fill(kNotReached);
  const std::span<const NavMesh::Edge> edges = base->edges_of(base_cell);
  const auto [left, right] = std::ranges::minmax(edges, {}, &NavMesh::Edge::x);
  const auto [bottom, top] = std::ranges::minmax(edges, {}, &NavMesh::Edge::z);
  min_x = std::max(min_x, left.x);
  max_x = std::min(max_x, right.x);
  min_z = std::max(min_z, bottom.z);
  max_z = std::min(max_z, top.z);
  for (const NavMesh::Edge& e : edges) {
    const double dx = std::max(std::abs(e.x - min_x), std::abs(e.x - max_x));
    const double dz = std::max(std::abs(e.z - min_z), std::abs(e.z - max_z));
    const double away = std::sqrt(dx * dx + dz * dz);
    const float* d = landmarks->to(e.vertex);
    for (std::uint32_t i = 0; i < landmarks->count(); ++i) {
      span.low[i] = std::max(span.low[i], d[i] * (1 - Landmarks::kRounding) - away);
      span.high[i] = std::min(span.high[i], d[i] * (1 + Landmarks::kRounding) + away);
    }
  }
  return span;
}

double LandmarkView::least(const LandmarkSpan& a, const LandmarkSpan& b) const {
  double least = 0;
  for (std::uint32_t i = 0; i < landmarks->count(); ++i) {
    least = std::max(least, a.low[i] - b.high[i]);
    least = std::max(least, b.low[i] - a.high[i]);
  }
  return std::max(0.0, least - kSlack);
}

// Chooses the landmarks with the largest bounds of the way from the start. A landmark that cannot
// reach one of the ends gives no bound.
GoalBound::GoalBound(const LandmarkView& view, const MeshPlace& start, const MeshPlace& goal)
    : view_(view) {
  if (view.is_empty()) return;
  const auto span = [&view](const MeshPlace& p) {
    return view.span_of(view.base_of[p.cell], p.x, p.x, p.z, p.z);
  };
  const LandmarkSpan from = span(start);
  const LandmarkSpan to = span(goal);
  std::array<double, Landmarks::kMost> said{};
  for (std::uint32_t i = 0; i < view.landmarks->count(); ++i)
    if (std::isfinite(from.high[i]) && std::isfinite(to.high[i]))
      said[i] = std::max(from.low[i] - to.high[i], to.low[i] - from.high[i]);
  while (count_ < kMost) {
    const auto best = std::ranges::max_element(said);
    if (*best <= 0) break;
    *best = 0;
    const auto i = static_cast<std::uint32_t>(best - said.begin());
    asked_[count_++] = {i, to.low[i], to.high[i]};
  }
  for (std::uint32_t i = count_; i < kMost; ++i)
    asked_[i] = asked_[0];  // for loops of fixed length
}

double GoalBound::at(std::uint32_t cell, double x, double z) const {
  std::array<double, kMost> low{};
  std::array<double, kMost> high{};
  high.fill(kNotReached);
  if (is_empty()) return 0;
  for (const NavMesh::Edge& e : view_.base->edges_of(view_.base_of[cell])) {
    const double away = std::sqrt((e.x - x) * (e.x - x) + (e.z - z) * (e.z - z));
    const float* distances = view_.landmarks->to(e.vertex);
    for (std::uint32_t i = 0; i < kMost; ++i) {
      const double d = distances[asked_[i].landmark];
      low[i] = std::max(low[i], d * (1 - Landmarks::kRounding) - away);
      high[i] = std::min(high[i], d * (1 + Landmarks::kRounding) + away);
    }
  }
  double least = 0;
  for (std::uint32_t i = 0; i < kMost; ++i)
    least = std::max({least, low[i] - asked_[i].goal_high, asked_[i].goal_low - high[i]});
  return std::max(0.0, least - LandmarkView::kSlack);
}

}  // namespace repath
