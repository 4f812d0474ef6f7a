#include "load/check.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <utility>

#include "verify/map_file.h"
#include "verify/oracle.h"

namespace repath::load {
namespace {

constexpr double kSlack = 1e-6;  // of costs, relatively
constexpr std::uint64_t kShown = 20;

bool is_same(double a, double b) {
  return std::abs(a - b) <= kSlack * std::max({1.0, std::abs(a), std::abs(b)});
}

// Empty, or what is wrong.
std::string fault_of(const GridSample& sample, const verify::Ground& ground, double least) {
  if (sample.type == v1::EVENT_TYPE_UNREACHABLE)
    return least == verify::kInfinity ? "" : "a way exists, cost " + std::to_string(least);
  if (sample.corners.size() < 2) return "a path without waypoints";
  const auto route = verify::expand(ground, sample.corners);
  if (!route) return "no path on the map";
  if (route->cells.front() != ground.cell(sample.at.x, sample.at.y))
    return "the path begins beside the agent";
  if (route->cells.back() != ground.cell(sample.goal.x, sample.goal.y))
    return "the path ends beside the goal";
  const double cost = verify::cost_of(ground, *route, 0);
  if (cost == verify::kInfinity) return "the path is shut";
  if (!is_same(cost, sample.cost))
    return "the path costs " + std::to_string(cost) + ", not " + std::to_string(sample.cost);
  if (!is_same(cost, least)) return "a cheaper way costs " + std::to_string(least);
  return "";
}

// By the revision since which nothing changed, and the goal.
using Group = std::pair<std::uint64_t, std::pair<int, int>>;

}  // namespace

void Checked::add(const Checked& other) {
  verified += other.verified;
  wrong += other.wrong;
  not_reached += other.not_reached;
}

Checked check_grid(const std::string& map_file, const std::vector<verify::TerrainClass>& classes,
                   const std::map<std::uint64_t, verify::Batch>& history,
                   const std::vector<GridSample>& samples, Nanos until, verify::Dice& dice) {
  Checked checked;
  std::string problem;
  int unknown = 0;
  const auto map = verify::parse_map(map_file, problem);
  if (!map) return {0, 0, samples.size()};
  verify::WorldModel world(*map, classes, unknown);
  const int view = world.add_view({}, 0);
  for (const auto& [revision, batch] : history) {
    if (revision != world.revision() + 1) break;
    world.apply(batch);
  }
  verify::Oracle oracle(world);
  std::map<Group, std::vector<const GridSample*>> groups;
  for (const GridSample& sample : samples) {
    if (sample.revision > world.revision()) {
      ++checked.not_reached;
      continue;
    }
    const std::uint64_t since = world.view(view).same_since(sample.revision);
    groups[{since, {sample.goal.x, sample.goal.y}}].push_back(&sample);
  }
  std::vector<const std::vector<const GridSample*>*> order;
  for (const auto& [group, members] : groups) order.push_back(&members);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(dice.below(static_cast<int>(i)))]);
  for (const auto* members : order) {
    if (now() > until) {
      checked.not_reached += members->size();
      continue;
    }
    for (const GridSample* sample : *members) {
      const verify::Ground& ground = oracle.ground(view, sample->revision);
      const double least =
          oracle.distance(view, sample->revision, {ground.cell(sample->goal.x, sample->goal.y)},
                          ground.cell(sample->at.x, sample->at.y));
      const std::string fault = fault_of(*sample, ground, least);
      ++checked.verified;
      if (fault.empty() || ++checked.wrong > kShown) continue;
      std::cerr << "wrong: agent " << sample->agent << " at revision " << sample->revision << ", "
                << v1::EventType_Name(sample->type) << ": " << fault << std::endl;
    }
  }
  return checked;
}

}  // namespace repath::load
