#include "grid/hpa/hpa_map.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/check.h"

namespace repath {

HpaShape hpa_shape_for(std::int32_t width, std::int32_t height) {
  const std::int64_t cells = std::int64_t{width} * height;
  HpaShape shape;
  shape.levels = cells >= (std::int64_t{1} << 26) ? 3 : cells >= (std::int64_t{1} << 20) ? 2 : 1;
  return shape;
}

std::uint32_t HpaFacts::index_of(NodeId node) const {
  const auto at = std::ranges::lower_bound(nodes, node);
  if (at == nodes.end() || *at != node) return kNone;
  return static_cast<std::uint32_t>(at - nodes.begin());
}

std::uint64_t HpaFacts::bytes() const {
  return sizeof(HpaFacts) + nodes.capacity() * sizeof(NodeId) + across.capacity() * sizeof(Across) +
         distances.capacity() * sizeof(Cost);
}

HpaMap::HpaMap(const GridLayer& layer, Topology topology, CornerRule rule, const HpaShape& shape,
               Cow<FactMemory> memory)
    : layer_(layer), topology_(topology), rule_(rule), shape_(shape), memory_(std::move(memory)) {
  REPATH_CHECK(topology != Topology::kHex);
  REPATH_CHECK(shape.side >= HpaShape::kSideMin && shape.side <= HpaShape::kSideMax &&
               shape.factor >= 2 && shape.factor <= HpaShape::kFactorMax && shape.levels >= 1 &&
               shape.levels <= HpaShape::kLevelsMax);
  for (int level = 1; level <= shape.levels; ++level) {
    const auto at = static_cast<std::size_t>(level);
    sides_[at] = level == 1 ? shape.side : sides_[at - 1] * shape.factor;
    const std::size_t pages = (cluster_count(level) + kPageClusters - 1) / kPageClusters;
    while (levels_[at].size() < pages) levels_[at].emplace_back(new Page);
  }
}

CellRect HpaMap::box(int level, std::uint32_t cluster) const {
  const auto at = static_cast<std::int32_t>(cluster);
  const std::int32_t x = at % clusters_x(level) * side(level);
  const std::int32_t y = at / clusters_x(level) * side(level);
  return {x, y, std::min(x + side(level), layer_.width()),
          std::min(y + side(level), layer_.height())};
}

Cow<HpaFacts> HpaMap::facts(int level, std::uint32_t cluster, std::uint64_t* made) const {
  const Page& page = *levels_[static_cast<std::size_t>(level)][cluster / kPageClusters];
  const PublishedOnce<HpaFacts>& place = page.facts[cluster % kPageClusters];
  if (place.get() != nullptr) return place.share();
  std::uint64_t expanded = 0;
  std::unique_ptr<HpaFacts> found = find_facts(*this, level, cluster, &expanded);
  ++*made;
  memory_->expanded.fetch_add(expanded, std::memory_order_relaxed);
  const std::uint64_t held = found->counted.hold(memory_, found->bytes());
  Cow<HpaFacts> shared(found.release());
  if (held <= memory_->bytes_max) place.publish(shared);
  return shared;
}

void HpaMap::make_all() const {
  std::uint64_t made = 0;
  for (int level = 1; level <= shape_.levels; ++level)
    for (std::uint32_t cluster = 0; cluster < cluster_count(level); ++cluster)
      facts(level, cluster, &made);
}

void HpaMap::update(const GridLayer& layer) {
  REPATH_CHECK(layer.width() == layer_.width() && layer.height() == layer_.height());
  const GridLayer before = std::exchange(layer_, layer);
  layer.for_each_tile_not_of(before, [&](std::int32_t tx, std::int32_t ty) {
    forget_changes_in(tx, ty, before.tile(tx, ty), layer.tile(tx, ty));
  });
}

void HpaMap::forget_changes_in(std::int32_t tx, std::int32_t ty, const Tile& before,
                               const Tile& after) {
  const auto factor_in = [](const Tile& tile, std::size_t at) {
    return tile.factors ? (*tile.factors)[at] : kFactorOne;
  };
  const bool rough = before.factors || after.factors;
  for (std::size_t y = 0; y < kTileSide; ++y) {
    const std::uint64_t changed = before.free[y] ^ after.free[y];
    if (changed == 0 && !rough) continue;
    for (std::size_t x = 0; x < kTileSide; ++x) {
      const std::size_t at = y * kTileSide + x;
      if ((changed >> x & 1u) == 0 && (!rough || factor_in(before, at) == factor_in(after, at)))
        continue;
      forget(tx * kTileSide + static_cast<std::int32_t>(x),
             ty * kTileSide + static_cast<std::int32_t>(y));
    }
  }
}

// Forgets the cell's own clusters, and the clusters whose borders it lies beside. A page that a
// copy of the map shares is not written, even if its facts are still unknown: the copy may find
// them at any time for its own layer.
void HpaMap::forget(std::int32_t x, std::int32_t y) {
  constexpr std::array<Direction, 5> kTouched{{{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}}};
  for (int level = 1; level <= shape_.levels; ++level)
    for (const auto& [dx, dy] : kTouched)
      if (layer_.contains(x + dx, y + dy)) forget_cluster(level, cluster_at(level, x + dx, y + dy));
}

}  // namespace repath
