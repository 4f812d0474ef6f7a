#include "load/grid_ways.h"

#include <cmath>

#include "verify/field.h"

namespace repath::load {
namespace {

constexpr double kSame = 1e-9;  // of costs of some thousand cells

verify::Ground model_of(const GridGround& ground) {
  verify::Ground model(ground.width(), ground.height(), verify::Topology::k8,
                       verify::CornerRule::kNone);
  for (int y = 0; y < ground.height(); ++y)
    for (int x = 0; x < ground.width(); ++x)
      model.factor[static_cast<std::size_t>(model.cell(x, y))] = ground.is_open(x, y) ? 1 : 0;
  return model;
}

Spot spot_of(const verify::Ground& model, verify::Cell cell) {
  const verify::CellXY at = model.at(cell);
  return {static_cast<std::int16_t>(at.x), static_cast<std::int16_t>(at.y)};
}

// Descends the field: each step lowers it by the step's cost.
GridWay descend(const verify::Ground& model, verify::Field& field, verify::Cell from) {
  double left = field.distance_to(model, from);
  if (left == verify::kInfinity) return {};
  GridWay way{spot_of(model, from)};
  while (left > kSame) {
    verify::Cell next = from;
    model.for_each_step(from, [&](verify::Cell to, double cost) {
      if (std::abs(field.distance_to(model, to) + cost - left) < kSame) next = to;
    });
    if (next == from) return {};
    from = next;
    left = field.distance_to(model, from);
    way.push_back(spot_of(model, from));
  }
  return way;
}

}  // namespace

std::vector<std::vector<GridWay>> ways_between(const GridGround& ground,
                                               const std::vector<Spot>& entrances,
                                               const std::vector<Spot>& goals) {
  const verify::Ground model = model_of(ground);
  std::vector<std::vector<GridWay>> ways;
  for (const Spot goal : goals) {
    verify::Field field(model, {model.cell(goal.x, goal.y)});
    std::vector<GridWay>& to_goal = ways.emplace_back();
    for (const Spot entrance : entrances)
      to_goal.push_back(descend(model, field, model.cell(entrance.x, entrance.y)));
  }
  return ways;
}

}  // namespace repath::load
