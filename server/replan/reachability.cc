#include "replan/reachability.h"

#include <algorithm>

namespace repath {
namespace {

constexpr std::size_t kGoalsPerUnit = 64;

}  // namespace

void Reachability::keep(ViewId view) {
  views_.try_emplace(view, world_.layer(view), world_.view_profile(view).topology);
}

void Reachability::drop(ViewId view) { views_.erase(view); }

void Reachability::on_commit(const Commit& commit) {
  for (const ViewDelta& delta : commit.views) {
    const auto it = views_.find(delta.view);
    if (it == views_.end()) continue;
    for (const NodeId cell : delta.freed) it->second.touch(cell);
    for (const NodeId cell : delta.blocked) it->second.touch(cell);
  }
}

bool Reachability::update(ViewId view, WorkUnits* left, WorkUnits* units) {
  const auto it = views_.find(view);
  if (it == views_.end()) return false;
  const WorkUnits before = *left;
  const bool is_current = it->second.update(world_.layer(view), left);
  *units += before - *left;
  return is_current;
}

bool Reachability::are_apart(ViewId view, NodeId from, const Goals& goals, WorkUnits* units) const {
  const Components& components = views_.at(view);
  const GridLayer& layer = world_.layer(view);
  const std::uint32_t own = components.component_of(layer, from);
  const auto nodes = goals.nodes().nodes();
  const auto found = std::ranges::find_if(
      nodes, [&](NodeId goal) { return components.component_of(layer, goal) == own; });
  *units += 1 + static_cast<std::size_t>(found - nodes.begin()) / kGoalsPerUnit;
  return found == nodes.end();
}

std::uint64_t Reachability::bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& [view, components] : views_) bytes += components.bytes();
  return bytes;
}

}  // namespace repath
