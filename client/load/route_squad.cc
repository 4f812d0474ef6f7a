#include "load/route_squad.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace repath::load {
namespace {

constexpr double kBesideMost = 1;      // greatest distance to a new path that is corrected, metres
constexpr double kGoalReached = 0.01;  // a path's end is the ground nearest to the goal

Place between(const Place& a, const Place& b, double t) {
  return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}

// Returns how far along the leg its point nearest to `at` is, in [0, 1].
double nearest_on(const Place& a, const Place& b, const Place& at) {
  const double dx = b.x - a.x;
  const double dz = b.z - a.z;
  const double square = dx * dx + dz * dz;
  if (square <= 0) return 0;
  return std::clamp(((at.x - a.x) * dx + (at.z - a.z) * dz) / square, 0.0, 1.0);
}

}  // namespace

RouteSquad::RouteSquad(RouteGround& ground, int agents, const Errand& errand, const Stream& stream,
                       std::uint64_t ids, std::uint64_t first, std::uint64_t seed)
    : Squad(agents, errand, ids, first, seed), ground_(ground), stream_(stream) {
  const auto count = static_cast<std::size_t>(agents);
  walks_.assign(count, 0);
  ways_.resize(count);
  for (std::size_t slot = 0; slot < count; ++slot) at_.push_back(ground_.some_place(dice()));
  if (errand.streams) {
    goals_ = stream.goals;
  } else {
    for (std::size_t group = 0; group < groups(); ++group)
      goals_.push_back(ground_.some_place(dice()));
  }
  last_goals_ = goals_;
}

void RouteSquad::change_goal(std::size_t group) {
  last_goals_[group] = goals_[group];
  goals_[group] = ground_.some_place(dice());
}

void RouteSquad::add_goals(std::size_t slot, v1::Agent* out) const {
  fill(goal(slot), out->add_goals());
  out->set_goal_radius(kGoalReached);
}

void RouteSquad::follow(std::size_t slot, const v1::Path& path) {
  Way& way = ways_[slot];
  way.points.clear();
  for (int i = 0; i + 2 < path.positions_size(); i += 3)
    way.points.push_back({path.positions(i), path.positions(i + 1), path.positions(i + 2)});
  way.nodes.assign(path.nodes().begin(), path.nodes().end());
  way.is_link.clear();
  for (const std::uint64_t link : path.links()) way.is_link.push_back(link != 0 ? 1 : 0);
  const bool is_on = ground_.is_graph() ? find_node(slot) : enter_way(slot);
  walks_[slot] = is_on ? 1 : 0;
  if (!is_on) {
    ++counting().strays;
  } else if (way.next == way.points.size()) {
    reach(slot);
  }
}

// Moves the agent onto its path at the nearest point.
bool RouteSquad::enter_way(std::size_t slot) {
  Way& way = ways_[slot];
  if (way.points.empty()) return false;
  Place best = way.points[0];
  double least = distance(at_[slot], best);
  way.next = 1;
  for (std::size_t leg = 0; leg + 1 < way.points.size(); ++leg) {
    const Place& a = way.points[leg];
    const Place& b = way.points[leg + 1];
    const Place near = between(a, b, nearest_on(a, b, at_[slot]));
    if (distance(at_[slot], near) >= least) continue;
    least = distance(at_[slot], near);
    best = near;
    way.next = leg + 1;
  }
  if (least > kBesideMost) return false;
  if (least > 0) moved(slot);
  at_[slot] = best;
  return true;
}

// On graphs an agent is at a node, and has gone some way to the next.
bool RouteSquad::find_node(std::size_t slot) {
  Way& way = ways_[slot];
  const auto here = std::find(way.points.begin(), way.points.end(), at_[slot]);
  // An agent that begins beside a node counts as standing at the nearest.
  if (here == way.points.end() && version(slot) > 1) return false;
  const auto place =
      here == way.points.end() ? 0 : static_cast<std::size_t>(here - way.points.begin());
  if (way.points.empty()) return false;
  at_[slot] = way.points[place];
  way.next = place + 1;
  if (way.next < way.points.size()) way.left = distance(at_[slot], way.points[way.next]);
  return true;
}

void RouteSquad::advance(double seconds) {
  const double length = errand().speed * seconds;
  for (std::size_t slot = 0; slot < walks_.size(); ++slot) {
    if (walks_[slot] == 0) continue;
    if (ground_.is_graph()) {
      hop(slot, length);
    } else {
      walk(slot, length);
    }
  }
}

void RouteSquad::walk(std::size_t slot, double length) {
  Way& way = ways_[slot];
  Place at = at_[slot];
  while (length > 0 && way.next < way.points.size()) {
    const Place& to = way.points[way.next];
    const double left = distance(at, to);
    const bool is_link = !way.is_link.empty() && way.is_link[way.next - 1] != 0;
    const bool gets_there = left <= length || is_link;
    const Place next = gets_there ? to : between(at, to, length / left);
    if (ground_.is_shut(next)) {
      ++counting().barred;
      break;
    }
    at = next;
    length -= gets_there ? left : length;
    if (gets_there) ++way.next;
  }
  if (at == at_[slot]) return;
  at_[slot] = at;
  ++counting().moves;
  moved(slot);
  if (way.next == way.points.size()) reach(slot);
}

void RouteSquad::hop(std::size_t slot, double length) {
  Way& way = ways_[slot];
  way.left -= length;
  while (way.left <= 0) {
    if (way.next < way.nodes.size() &&
        ground_.is_shut(Edge{way.nodes[way.next - 1], way.nodes[way.next]})) {
      ++counting().barred;
      way.left = 0;
      return;
    }
    at_[slot] = way.points[way.next];
    ++counting().moves;
    moved(slot);
    if (++way.next == way.points.size()) return reach(slot);
    way.left += std::max(1e-3, distance(at_[slot], way.points[way.next]));
  }
}

void RouteSquad::reach(std::size_t slot) {
  // A path to an earlier goal may end anywhere.
  const bool is_there = ground_.is_graph() || distance(at_[slot], goal(slot)) < 2 * kGoalReached;
  return is_there ? arrived(slot) : stop(slot);
}

std::optional<Place> RouteSquad::point_ahead(std::size_t slot, double ahead) const {
  if (walks_[slot] == 0) return std::nullopt;
  const Way& way = ways_[slot];
  Place at = at_[slot];
  for (std::size_t next = way.next; next < way.points.size(); ++next) {
    const double left = distance(at, way.points[next]);
    if (left >= ahead) return between(at, way.points[next], left > 0 ? ahead / left : 0);
    ahead -= left;
    at = way.points[next];
  }
  return std::nullopt;
}

std::optional<Edge> RouteSquad::edge_ahead(std::size_t slot, std::size_t skip) const {
  const Way& way = ways_[slot];
  const std::size_t from = way.next + skip;
  if (walks_[slot] == 0 || from + 1 >= way.nodes.size()) return std::nullopt;
  return Edge{way.nodes[from], way.nodes[from + 1]};
}

}  // namespace repath::load
