#include "engine/drive_path.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "engine/smooth.h"
#include "geometry/turns.h"
#include "routes/driven_route.h"

namespace repath {
namespace {

// Clearance of driven paths over cells from blocked cells, however small the agent, in cells.
constexpr double kDrivenClearance = 1.0 / 64;

void give_up(PathAnswer* answer) {
  answer->state = QueryState::kTurnTooTight;
  answer->nodes.clear();
  answer->points.clear();
  answer->route.clear();
  answer->cost = 0;
  answer->bound = 1;
}

}  // namespace

void drive_cells(const Snapshot& world, const PathQuery& query, std::span<const NodeId> ends,
                 const StopToken* stop, PathAnswer* answer) {
  if (answer->points.size() > 1) {
    const double clearance = std::max(world.radius, kDrivenClearance);
    TurnRules rules{world.turning_radius, query.curve_deviation};
    rules.margin = std::min(rules.margin, world.turning_radius / 4);
    rules.cost = [&](MapPoint a, MapPoint b) -> std::optional<double> {
      const auto is_on_map = [&world](MapPoint p) {
        return p.x >= 0 && p.y >= 0 && p.x < world.layer.width() && p.y < world.layer.height();
      };
      if (!is_on_map(a) || !is_on_map(b)) return std::nullopt;
      return cost_of_way(world, a, b, clearance);
    };
    rules.stop = stop;
    std::optional<DrivenWay> way = drive(answer->points, rules);
    if (!way) return give_up(answer);
    answer->points = std::move(way->points);
    answer->cost = static_cast<Cost>(std::ceil(way->cost * static_cast<double>(kStraightStep)));
  }
  answer->bound = proved_bound(world.layer, answer->nodes.front(), ends, answer->cost);
}

void drive_answer(const QueryGround& ground, const PathQuery& query, const StopToken* stop,
                  PathAnswer* answer) {
  DrivenRoute driven =
      drive_route(ground, answer->route, {query.turning_radius, query.curve_deviation, stop});
  if (!driven.is_found) return give_up(answer);
  const auto dearer =
      static_cast<double>(driven.cost) / static_cast<double>(std::max<Cost>(answer->cost, 1));
  if (dearer > 1) answer->bound *= dearer;
  answer->cost = driven.cost;
  answer->route = std::move(driven.points);
}

}  // namespace repath
