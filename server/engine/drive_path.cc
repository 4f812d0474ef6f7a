#include "engine/drive_path.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "engine/smooth.h"
#include "grid/cells/line_of_sight.h"
#include "routes/driven_route.h"

namespace repath {
namespace {

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
    std::optional<DrivenWay> way = drive_over(sight_of(world), answer->points, world.turning_radius,
                                              query.curve_deviation, stop);
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
