// The part of mesh_model.h that changes the world, and finds places in it.
#include <algorithm>
#include <utility>

#include "verify/mesh_model.h"
#include "verify/protocol.h"
#include "verify/random_shapes.h"

namespace repath::verify {
namespace {

constexpr std::size_t kLivingMax = 1000;  // obstacles at a time

std::pair<Spot, Spot> bounds_of_rings(const std::vector<std::vector<Ring>>& views) {
  Spot low{kNoWay, 0, kNoWay};
  Spot high{-kNoWay, 0, -kNoWay};
  for (const auto& rings : views) {
    for (const Ring& ring : rings) {
      for (const Spot& corner : ring.corners) {
        low = {std::min(low.x, corner.x), 0, std::min(low.z, corner.z)};
        high = {std::max(high.x, corner.x), 0, std::max(high.z, corner.z)};
      }
    }
  }
  return {low, high};
}

// Returns whether a triangle is too flat to have an inside.
bool is_flat(const Spot& a, const Spot& b, const Spot& c) {
  return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x) < 1e-3;
}

}  // namespace

bool MeshModel::grow_walls(double base_radius, std::string* failure) {
  std::map<double, std::shared_ptr<const MeshWalls>> known;
  for (const MeshView& view : views_) {
    std::shared_ptr<const MeshWalls>& walls = known[view.radius];
    if (walls == nullptr && view.radius > base_radius) {
      auto made = std::make_shared<MeshWalls>();
      if (!made->find(cells_, view.radius - base_radius, kTight, grow_, failure)) return false;
      walls = std::move(made);
    }
    walls_.push_back(walls);
  }
  return true;
}

Spot MeshModel::some_place(int view, Dice& dice) {
  Spot at;
  for (int i = 0; i < 1000; ++i) {
    const MeshCell& cell = dice.pick(cells_);
    // Picks a point of a triangle of the cell.
    const auto n = static_cast<int>(cell.corners.size());
    const int k = dice.between(1, n - 2);
    const Spot& a = cell.corners[0];
    const Spot& b = cell.corners[static_cast<std::size_t>(k)];
    const Spot& c = cell.corners[static_cast<std::size_t>(k) + 1];
    // A little inside of it: on a wall rounding would decide.
    double u = 0.01 + 0.98 * dice.unit();
    double v = 0.01 + 0.98 * dice.unit();
    if (u + v > 1) {
      u = 1 - u;
      v = 1 - v;
    }
    if (plane_distance(a, b) * plane_distance(a, c) < 1e-3 || is_flat(a, b, c)) continue;
    at = {a.x + u * (b.x - a.x) + v * (c.x - a.x), a.y + u * (b.y - a.y) + v * (c.y - a.y),
          a.z + u * (b.z - a.z) + v * (c.z - a.z)};
    // Nor beside a grown wall.
    const MeshWalls* walls = walls_of(view);
    const int under = walls == nullptr ? -1 : cell_under(at);
    if (under >= 0 && walls->covers(under, at, -kTight)) continue;
    if (stands(view, revision_, at)) break;
  }
  return at;
}

v1::Obstacle MeshModel::obstacle_at(const Spot& at, Dice& dice) {
  v1::Obstacle obstacle;
  obstacle.set_id(next_id_++);
  obstacle.set_blocked(true);
  fill(random_mesh_shape({at.x, at.z}, dice), 1, obstacle);
  if (has_soft_ && dice.chance(0.5)) obstacle.set_cost_factor(1.25 + 0.25 * dice.below(12));
  if (dice.chance(0.5)) {  // this floor only
    obstacle.set_bottom(at.y - 0.5);
    obstacle.set_top(at.y + 1.5);
  }
  obstacle.set_disabled(dice.chance(0.1));
  return obstacle;
}

v1::ChangeBatch MeshModel::next_change(const std::vector<Spot>& spots, Dice& dice) {
  v1::ChangeBatch batch;
  std::vector<std::uint64_t> named;
  const auto some_known = [&]() -> std::uint64_t {
    auto it = obstacles_.begin();
    std::advance(it, dice.below(static_cast<int>(obstacles_.size())));
    if (std::ranges::find(named, it->first) != named.end()) return 0;
    named.push_back(it->first);
    return it->first;
  };
  const int entries = dice.chance(0.7) ? 1 : dice.between(2, 6);
  for (int i = 0; i < entries; ++i) {
    const bool full = obstacles_.size() >= kLivingMax;
    if (obstacles_.empty() || (!full && dice.chance(0.55))) {
      const bool hurts = !spots.empty() && dice.chance(0.8);
      *batch.add_upsert_obstacles() =
          obstacle_at(hurts ? dice.pick(spots) : some_place(0, dice), dice);
      continue;
    }
    const std::uint64_t id = some_known();
    if (id == 0) continue;
    const double what = dice.unit();
    if (what < 0.5) {
      batch.add_remove_obstacles(id);
    } else if (what < 0.8) {
      v1::ObstacleSwitch* door = batch.add_switch_obstacles();
      door->set_id(id);
      door->set_enabled(!obstacles_.at(id).enabled);
    } else {  // it moves
      v1::Obstacle moved =
          obstacle_at(spots.empty() ? some_place(0, dice) : dice.pick(spots), dice);
      moved.set_id(id);
      *batch.add_upsert_obstacles() = std::move(moved);
    }
  }
  if (batch.ByteSizeLong() == 0)
    *batch.add_upsert_obstacles() = obstacle_at(some_place(0, dice), dice);
  return batch;
}

void MeshModel::put_in_force(const Known& known, std::uint64_t revision) {
  Solid solid;
  solid.id = known.message.id();
  if (!known.message.blocked()) solid.factor = known.message.cost_factor();
  solid.since = revision;
  solid.bottom = known.message.has_bottom() ? known.message.bottom() : -kNoWay;
  solid.top = known.message.has_top() ? known.message.top() : kNoWay;
  solid.rings = known.rings;
  std::tie(solid.low, solid.high) = bounds_of_rings(known.rings);
  in_force_[known.message.id()] = solids_.size();
  solids_.push_back(std::move(solid));
  index_solid(solids_.size() - 1);
}

void MeshModel::end_force(std::uint64_t id, std::uint64_t revision) {
  const auto at = in_force_.find(id);
  if (at == in_force_.end()) return;
  solids_[at->second].until = revision;
  in_force_.erase(at);
}

bool MeshModel::take(const v1::ChangeBatch& batch, std::uint64_t revision, std::string* failure) {
  revision_ = revision;
  for (const std::uint64_t id : batch.remove_obstacles()) {
    end_force(id, revision);
    obstacles_.erase(id);
  }
  for (const v1::ObstacleSwitch& door : batch.switch_obstacles()) {
    Known& known = obstacles_.at(door.id());
    if (known.enabled == door.enabled()) continue;
    known.enabled = door.enabled();
    end_force(door.id(), revision);
    if (known.enabled) put_in_force(known, revision);
  }
  for (const v1::Obstacle& obstacle : batch.upsert_obstacles()) {
    Known known{obstacle, !obstacle.disabled(), {}};
    for (const MeshView& view : views_) {
      const double radius = view.radius;
      std::vector<Ring> rings;
      // Dearer ground does not grow by the radius.
      if (!grow_(obstacle, obstacle.blocked() ? radius : 0, &rings, failure)) return false;
      known.rings.push_back(std::move(rings));
    }
    end_force(obstacle.id(), revision);
    if (known.enabled) put_in_force(known, revision);
    obstacles_.insert_or_assign(obstacle.id(), std::move(known));
  }
  return true;
}

}  // namespace repath::verify
