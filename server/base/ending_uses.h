// Uses of a world's views that their holder ends as soon as it has acquired others in their place.
// A view that loses its last use in this way does not count against the limit of views in use.
// Plain value. `ViewId`: the world's own type.
#pragma once

#include <cstdint>
#include <map>

namespace repath {

template <class ViewId>
class EndingUses {
 public:
  void add(ViewId view) { ++uses_[view]; }
  // Returns whether a view that has so many uses now is still in use after these have ended.
  bool outlives(ViewId view, std::uint64_t uses) const {
    const auto ending = uses_.find(view);
    return ending == uses_.end() || uses > ending->second;
  }

 private:
  std::map<ViewId, std::uint64_t> uses_;
};

}  // namespace repath
