// The clusters that first legs are searched over (grid/hpa/hpa_map.h), one map for each view that
// had a first leg. The maps belong to agents alone, so the facts that a search finds, and the work
// it pays for them, depend on the agents alone.
//
// One level: on higher ones facts come in lots of 64 clusters and more, which no slice can hold.
// Not thread-safe. Borrows the world. Memory: that of the maps' places and of the facts found.
#pragma once

#include <cstdint>
#include <map>

#include "base/ids.h"
#include "grid/hpa/hpa_map.h"
#include "world/world.h"

namespace repath {

class ClusterMaps {
 public:
  // Facts beyond `fact_bytes` are not kept: they are found again each time.
  ClusterMaps(const World& world, std::uint64_t fact_bytes)
      : world_(world), memory_(new FactMemory(fact_bytes)) {}

  // Returns the view's clusters as the world is now. The copy shares the facts found of them.
  // REQUIRES: in use; not hexagons. O(clusters / 128), or O(clusters) the first time.
  HpaMap take(ViewId view, std::uint64_t frame);
  // Brings all maps up to a world that may have changed, so that they hold on to no older tiles.
  // O(pages + changed tiles) for each map if it has changed, else O(1).
  void keep_up();
  // Drops the map of a view that is not in use any more.
  void drop(ViewId view) { maps_.erase(view); }
  // Gives up the map that was used longest ago, unless that was in `frame`. Returns false if there
  // is none.
  bool give_up_one(std::uint64_t frame);

  std::uint64_t bytes() const;
  // Number of cells ever expanded to find facts.
  std::uint64_t expanded() const { return memory_->expanded; }

 private:
  struct Kept {
    HpaMap map;
    std::uint64_t used_in = 0;  // frame
  };

  const World& world_;
  Cow<FactMemory> memory_;
  Revision at_{};  // revision of all maps
  std::map<ViewId, Kept> maps_;
};

}  // namespace repath
