#include "load/check.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <utility>

#include "verify/map_file.h"
#include "verify/oracle.h"

namespace repath::load {
namespace {

constexpr double kSlack = 1e-6;  // relative, of costs
constexpr std::uint64_t kShown = 20;
constexpr double kGoalNear = 0.02;  // metres: goals are taken to the nearest ground

bool is_same(double a, double b) {
  return std::abs(a - b) <= kSlack * std::max({1.0, std::abs(a), std::abs(b)});
}

// Returns the fault; empty if there is none.
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

bool ends_at(const verify::Spot& end, const Place& goal) {
  return std::hypot(end.x - goal.x, end.z - goal.z) < kGoalNear;
}

std::string fault_of(const RouteSample& sample, verify::RouteModel& model) {
  const v1::Path& path = sample.event.path();
  const std::uint64_t revision = sample.event.revision();
  const verify::Walk walk = verify::walk_of(path);
  if (walk.points.empty()) return "a path without waypoints";
  const verify::Spot& end = walk.points.back();
  if (model.is_continuous() && !ends_at(end, sample.goal) && !ends_at(end, sample.last_goal))
    return "the path ends beside the goal";
  const verify::Walked walked = model.walk(0, revision, walk);
  if (walked.broken) return "the path is shut before waypoint " + std::to_string(*walked.broken);
  // Waypoints are rounded to a millionth.
  const double rounding = 1e-6 * path.positions_size();
  if (std::abs(walked.cost - path.cost()) > rounding && !is_same(walked.cost, path.cost()))
    return "the path costs " + std::to_string(walked.cost) + ", not " + std::to_string(path.cost());
  double bound = path.cost();
  if (path.optimality() == v1::OPTIMALITY_BOUNDED || path.optimality() == v1::OPTIMALITY_STALE)
    bound /= std::max(1.0, path.bound());
  bound -= kSlack * std::max(1.0, bound);
  const verify::Verdict best = model.cheapest(0, revision, walk.points.front(), end, bound);
  if (!best.is_known || best.cost >= bound) return "";
  return "costs " + std::to_string(path.cost()) + ", a cheaper way " + std::to_string(best.cost);
}

template <class T>
void shuffle(std::vector<T>& items, verify::Dice& dice) {
  for (std::size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[static_cast<std::size_t>(dice.below(static_cast<int>(i)))]);
}

// Counts a checked sample and reports the first faults.
void note(Checked& checked, std::uint64_t agent, std::uint64_t revision, v1::EventType type,
          const std::string& fault) {
  ++checked.verified;
  if (fault.empty() || ++checked.wrong > kShown) return;
  std::cerr << "wrong: agent " << agent << " at revision " << revision << ", "
            << v1::EventType_Name(type) << ": " << fault << std::endl;
}

// Key of samples that share a search: the revision of the last change, and the goal.
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
  order.reserve(groups.size());
  for (const auto& [group, members] : groups) order.push_back(&members);
  shuffle(order, dice);
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
      note(checked, sample->agent, sample->revision, sample->type,
           fault_of(*sample, ground, least));
    }
  }
  return checked;
}

Checked check_routes(verify::RouteModel& model,
                     const std::map<std::uint64_t, v1::ChangeBatch>& history,
                     const std::vector<RouteSample>& samples, Nanos until, verify::Dice& dice) {
  Checked checked;
  std::uint64_t last = 1;
  std::string failure;
  for (const auto& [revision, batch] : history) {
    if (revision != last + 1 || !model.take(batch, revision, &failure)) break;
    last = revision;
  }
  std::vector<const RouteSample*> order;
  order.reserve(samples.size());
  for (const RouteSample& sample : samples) order.push_back(&sample);
  shuffle(order, dice);
  for (const RouteSample* sample : order) {
    const v1::PathEvent& event = sample->event;
    if (event.revision() > last || now() > until) {
      ++checked.not_reached;
    } else {
      note(checked, event.agent_id(), event.revision(), event.type(), fault_of(*sample, model));
    }
  }
  return checked;
}

}  // namespace repath::load
