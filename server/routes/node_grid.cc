#include "routes/node_grid.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace repath {

NodeGrid::NodeGrid(const WaypointGraph& graph) { build(graph); }

void NodeGrid::build(const WaypointGraph& graph) {
  double max_x = 0;
  double max_z = 0;
  count_ = 0;
  for (std::uint32_t i = 0; i < graph.node_count(); ++i) {
    if (!graph.is_live(NodeId{i})) continue;
    const GraphNode& node = graph.node(NodeId{i});
    min_x_ = count_ == 0 ? node.x : std::min(min_x_, node.x);
    min_z_ = count_ == 0 ? node.z : std::min(min_z_, node.z);
    max_x = count_ == 0 ? node.x : std::max(max_x, node.x);
    max_z = count_ == 0 ? node.z : std::max(max_z, node.z);
    ++count_;
  }
  const double w = count_ == 0 ? 0 : max_x - min_x_;
  const double h = count_ == 0 ? 0 : max_z - min_z_;
  const auto n = static_cast<double>(count_ + 1);
  side_ = std::max({1e-3, std::sqrt(w * h / n), std::max(w, h) / n});  // about a bucket a node
  width_ = static_cast<std::int64_t>(w / side_) + 1;
  height_ = static_cast<std::int64_t>(h / side_) + 1;
  buckets_.assign(static_cast<std::size_t>(width_ * height_), {});
  for (std::uint32_t i = 0; i < graph.node_count(); ++i)
    if (graph.is_live(NodeId{i})) bucket_of(graph.node(NodeId{i})).push_back(NodeId{i});
  grown_at_ = 4 * count_ + 64;
}

std::int64_t NodeGrid::column(double x) const {
  return static_cast<std::int64_t>(
      std::clamp(std::floor((x - min_x_) / side_), 0.0, static_cast<double>(width_ - 1)));
}

std::int64_t NodeGrid::row(double z) const {
  return static_cast<std::int64_t>(
      std::clamp(std::floor((z - min_z_) / side_), 0.0, static_cast<double>(height_ - 1)));
}

std::vector<NodeId>& NodeGrid::bucket_of(const GraphNode& node) {
  return buckets_[static_cast<std::size_t>(row(node.z) * width_ + column(node.x))];
}

void NodeGrid::add(const WaypointGraph& graph, NodeId n) {
  if (count_ + 1 > grown_at_) {
    build(graph);
    return;
  }
  bucket_of(graph.node(n)).push_back(n);
  ++count_;
}

void NodeGrid::remove(const WaypointGraph& graph, NodeId n) {
  std::erase(bucket_of(graph.node(n)), n);
  --count_;
}

// Looks at ring after ring of buckets; nodes in ring k are at least k - 1 buckets away.
std::optional<NodeId> NodeGrid::nearest(const WaypointGraph& graph, const Spot& at, double radius,
                                        std::uint64_t* looks) const {
  if (!std::isfinite(at.x) || !std::isfinite(at.y) || !std::isfinite(at.z)) return std::nullopt;
  const std::int64_t cx = column(at.x);
  const std::int64_t cz = row(at.z);
  const std::int64_t rings = std::max({cx, width_ - 1 - cx, cz, height_ - 1 - cz});
  std::optional<NodeId> best;
  double least = radius;
  std::uint64_t looked_at = 0;
  const auto look = [&](std::int64_t x, std::int64_t z) {
    ++looked_at;
    if (x < 0 || x >= width_ || z < 0 || z >= height_) return;
    const std::vector<NodeId>& bucket = buckets_[static_cast<std::size_t>(z * width_ + x)];
    looked_at += bucket.size();
    for (const NodeId n : bucket) {
      if (!graph.is_enabled(n)) continue;
      const double away = distance_between(at, spot_of(graph.node(n)));
      if (!(away <= least)) continue;
      if (best && away == least && graph.node(n).id > graph.node(*best).id) continue;
      least = away;
      best = n;
    }
  };
  for (std::int64_t ring = 0; ring <= rings; ++ring) {
    // The factor makes it a little less, because doubles are rounded.
    if (static_cast<double>(ring - 1) * side_ * (1 - 1e-9) > least) break;
    const std::int64_t z0 = std::max<std::int64_t>(cz - ring, 0);
    const std::int64_t z1 = std::min(cz + ring, height_ - 1);
    for (std::int64_t z = z0; z <= z1; ++z) {
      if (z == cz - ring || z == cz + ring) {
        const std::int64_t x1 = std::min(cx + ring, width_ - 1);
        for (std::int64_t x = std::max<std::int64_t>(cx - ring, 0); x <= x1; ++x) look(x, z);
      } else {
        look(cx - ring, z);
        look(cx + ring, z);
      }
    }
  }
  if (looks != nullptr) *looks += looked_at;
  return best;
}

std::vector<NodeId> NodeGrid::within(const WaypointGraph& graph, const Spot& at,
                                     double radius) const {
  std::vector<NodeId> found;
  const bool is_all = !std::isfinite(radius);
  const std::int64_t x0 = is_all ? 0 : column(at.x - radius);
  const std::int64_t x1 = is_all ? width_ - 1 : column(at.x + radius);
  const std::int64_t z0 = is_all ? 0 : row(at.z - radius);
  const std::int64_t z1 = is_all ? height_ - 1 : row(at.z + radius);
  for (std::int64_t z = z0; z <= z1; ++z)
    for (std::int64_t x = x0; x <= x1; ++x)
      for (const NodeId n : buckets_[static_cast<std::size_t>(z * width_ + x)])
        if (graph.is_enabled(n) &&
            (is_all || distance_between(at, spot_of(graph.node(n))) <= radius))
          found.push_back(n);
  std::ranges::sort(found, {}, [&graph](NodeId n) { return graph.node(n).id; });
  return found;
}

std::vector<NodeId> NodeGrid::at(const WaypointGraph& graph, const Spot& place) const {
  std::vector<NodeId> found;
  if (!std::isfinite(place.x) || !std::isfinite(place.z)) return found;
  for (const NodeId n : buckets_[static_cast<std::size_t>(row(place.z) * width_ + column(place.x))])
    if (spot_of(graph.node(n)) == place) found.push_back(n);
  std::ranges::sort(found, {}, [&graph](NodeId n) { return graph.node(n).id; });
  return found;
}

std::size_t NodeGrid::bytes() const {
  return buckets_.capacity() * sizeof(buckets_[0]) + 2 * count_ * sizeof(NodeId);
}

}  // namespace repath
