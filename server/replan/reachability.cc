#include "replan/reachability.h"

namespace repath {
namespace {

constexpr std::size_t kGoalsPerUnit = 64;

}  // namespace

void Reachability::keep(ViewId view) { views_.try_emplace(view, world_.layer(view)); }

void Reachability::drop(ViewId view) { views_.erase(view); }

void Reachability::on_commit(const Commit& commit) {
  for (const ViewDelta& delta : commit.views) {
    const auto it = views_.find(delta.view);
    if (it == views_.end()) continue;
    for (const NodeId cell : delta.freed) it->second.touch(cell);
    for (const NodeId cell : delta.blocked) it->second.touch(cell);
  }
}

bool Reachability::proves_cut_off(ViewId view, NodeId from, const Goals& goals, WorkUnits most,
                                  WorkUnits* units) {
  const auto it = views_.find(view);
  if (it == views_.end()) return false;
  const GridLayer& layer = world_.layer(view);
  WorkUnits left = most;
  const bool is_up_to_date = it->second.update(layer, &left);
  *units += most - left;
  if (!is_up_to_date) return false;
  const std::uint32_t own = it->second.component_of(layer, from);
  std::size_t looked_at = 0;
  bool found = false;
  for (const NodeId goal : goals.nodes().nodes()) {
    ++looked_at;
    found = it->second.component_of(layer, goal) == own;
    if (found) break;
  }
  *units += looked_at / kGoalsPerUnit;
  return !found;
}

std::uint64_t Reachability::bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& [view, components] : views_) bytes += components.bytes();
  return bytes;
}

}  // namespace repath
