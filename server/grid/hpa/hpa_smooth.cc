#include "grid/hpa/hpa_smooth.h"

#include <algorithm>
#include <utility>

namespace repath {

bool HpaSmoother::advance(std::uint32_t* expansions) {
  while (next_ < rough_.size()) {
    if (*expansions == 0) return false;
    const std::uint64_t before = search_.expanded();
    const std::size_t stop = std::min(rough_.size(), next_ + kWindow / 2);
    for (; next_ < stop; ++next_) push(rough_[next_]);
    improve_end();
    const std::uint64_t used = search_.expanded() - before;
    *expansions -= static_cast<std::uint32_t>(std::min<std::uint64_t>(used, *expansions));
  }
  return true;
}

void HpaSmoother::improve_end() {
  const std::size_t last = path_.size() - 1;
  const std::size_t first = last > kWindow ? last - kWindow : 0;
  const NodeId from = path_[first];
  const NodeId to = path_[last];
  const Cost cost = costs_[last] - costs_[first];
  if (cost <= graph_.heuristic(from, to)) return;
  search_.begin(box_from(first));
  search_.seed(to, 0);  // from the end, so that the path back is the path
  if (search_.find(from, cost) == kUnreachable) return;
  way_.clear();
  search_.append_way_back(from, &way_);
  path_.resize(first + 1);
  costs_.resize(first + 1);
  for (const NodeId cell : way_) push(cell);
}

CellRect HpaSmoother::box_from(std::size_t first) const {
  const GridLayer& layer = graph_.layer();
  PlaceBox box;
  for (std::size_t i = first; i < path_.size(); ++i) box.add(place_of(layer, path_[i]));
  return {std::max(box.x0 - kMargin, 0), std::max(box.y0 - kMargin, 0),
          std::min(box.x1 + kMargin + 1, layer.width()),
          std::min(box.y1 + kMargin + 1, layer.height())};
}

}  // namespace repath
