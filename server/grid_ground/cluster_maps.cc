#include "grid_ground/cluster_maps.h"

#include <algorithm>

namespace repath {

HpaMap ClusterMaps::take(ViewId view, std::uint64_t frame) {
  keep_up();
  auto at = maps_.find(view);
  if (at == maps_.end()) {
    const GridGraph graph = world_.graph(view);
    HpaShape shape;
    shape.levels = 1;
    HpaMap map(graph.layer(), graph.topology(), graph.corner_rule(), shape, memory_);
    at = maps_.emplace(view, Kept{std::move(map)}).first;
  }
  at->second.used_in = frame;
  return at->second.map;
}

void ClusterMaps::keep_up() {
  if (at_ == world_.revision()) return;
  at_ = world_.revision();
  for (auto& [view, kept] : maps_) kept.map.update(world_.layer(view));
}

bool ClusterMaps::give_up_one(std::uint64_t frame) {
  const auto oldest =
      std::ranges::min_element(maps_, {}, [](const auto& entry) { return entry.second.used_in; });
  if (oldest == maps_.end() || oldest->second.used_in >= frame) return false;
  maps_.erase(oldest);
  return true;
}

std::uint64_t ClusterMaps::bytes() const {
  std::uint64_t bytes = memory_->bytes;
  for (const auto& [view, kept] : maps_) bytes += kept.map.bytes();
  return bytes;
}

}  // namespace repath
