// Lets a search make component labels (grid/components/component_map.h) as soon as it has cost so
// much that they are worth it. The threshold is a multiple of the labels' cost, for most long
// searches find a path. The threshold is lower after searches without a path (LabelDemand). So a
// client that asks again and again waits for one flood, not for each.
//
// Belongs to one query on one thread.
#pragma once

#include <cstdint>
#include <optional>

#include "base/ids.h"
#include "engine/queries.h"
#include "grid/components/component_map.h"

namespace repath {

class LabelMaker {
 public:
  // Makes a LabelMaker that never makes labels.
  LabelMaker() = default;
  // Borrows both, which may be null.
  LabelMaker(const ComponentMap* components, const StopToken* stop)
      : components_(components), stop_(stop) {}

  // Returns whether a search that has expanded `expanded` nodes and goes on should pay `units`. A
  // search never waits for work that takes more than kPatienceMax times as long as itself, however
  // many searches before it were in vain. REQUIRES: it has components.
  bool is_worth(std::uint64_t expanded, WorkUnits units) const;
  // Returns whether the labels of the whole map exist. Makes them if they are worth it; stops if
  // `stop` requests it.
  bool make(std::uint64_t expanded);

  // Notes whether the labels made for this search ended it.
  void note_use(bool was_of_use);
  // Notes that a search ended that labels would have ended sooner.
  void note_in_vain(std::uint64_t expanded);

 private:
  const ComponentMap* components_ = nullptr;  // null: no labels can be had
  const StopToken* stop_ = nullptr;
  std::optional<WorkUnits> units_;  // work to label the whole map; set on first use
  bool has_made_ = false;
};

}  // namespace repath
