#include "navmesh/search/goal_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace repath {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

}  // namespace

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
  std::array<double, kMost> high{kFar, kFar, kFar, kFar};
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
