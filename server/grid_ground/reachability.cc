#include "grid_ground/reachability.h"

#include <algorithm>
#include <span>

#include "grid/components/surroundings.h"

namespace repath {
namespace {

constexpr std::size_t kGoalsPerUnit = 64;

}  // namespace

void Reachability::keep(ViewId view) {
  if (views_.contains(view)) return;
  views_.emplace(view, Kept{Components(world_.layer(view), world_.view_profile(view).topology),
                            world_.revision()});
}

void Reachability::drop(ViewId view) { views_.erase(view); }

void Reachability::on_commit(const Commit& commit) {
  for (const ViewDelta& delta : commit.views) {
    const auto it = views_.find(delta.view);
    if (it == views_.end()) continue;
    Kept& kept = it->second;
    for (const NodeId cell : delta.freed) kept.components.touch(cell);
    for (const NodeId cell : delta.blocked) kept.components.touch(cell);
    if (!delta.blocked.empty() && may_part(world_.layer(delta.view), delta.blocked))
      kept.parted_at = commit.revision;
  }
}

bool Reachability::update(ViewId view, WorkUnits* left, WorkUnits* units) {
  const auto it = views_.find(view);
  if (it == views_.end()) return false;
  const WorkUnits before = *left;
  const bool is_current = it->second.components.update(world_.layer(view), left);
  *units += before - *left;
  return is_current;
}

bool Reachability::are_apart(ViewId view, NodeId from, const Goals& goals, WorkUnits* units) const {
  const Components& components = views_.at(view).components;
  const GridLayer& layer = world_.layer(view);
  const std::uint32_t own = components.component_of(layer, from);
  const auto nodes = goals.nodes().nodes();
  const auto found = std::ranges::find_if(
      nodes, [&](NodeId goal) { return components.component_of(layer, goal) == own; });
  *units += 1 + static_cast<std::size_t>(found - nodes.begin()) / kGoalsPerUnit;
  return found == nodes.end();
}

bool Reachability::is_enclosed(ViewId view, NodeId from, const Goals& goals) const {
  const GridLayer& layer = world_.layer(view);
  const Topology topology = world_.view_profile(view).topology;
  const auto nodes = goals.nodes().nodes();
  if (nodes.size() <= kGoalsPerUnit && in_pocket(layer, topology, nodes, from)) return true;
  return nodes.size() == 1 && in_pocket(layer, topology, std::span(&from, 1), nodes.front());
}

bool Reachability::is_whole_since(ViewId view, Revision since) const {
  const auto it = views_.find(view);
  return it != views_.end() && it->second.parted_at <= since;
}

std::uint64_t Reachability::bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& [view, kept] : views_) bytes += kept.components.bytes();
  return bytes;
}

}  // namespace repath
