#include "world/staged.h"

#include <algorithm>

namespace repath {

const StagedBatch::View* StagedBatch::view(ViewId id) const {
  const auto found = std::partition_point(views_.begin(), views_.end(),
                                          [id](const View& view) { return view.delta.view < id; });
  return found != views_.end() && found->delta.view == id ? &*found : nullptr;
}

}  // namespace repath
