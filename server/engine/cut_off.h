// "No path" without a search, by component labels (grid/components/component_map.h). Both classes
// belong to one query on one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"
#include "engine/queries.h"
#include "engine/snapshot.h"
#include "grid/components/component_map.h"

namespace repath {

// Lets a search make component labels as soon as it has cost so much that they are worth it. The
// threshold is a multiple of the labels' cost, for most long searches find a path. The threshold is
// lower after searches without a path (LabelDemand). So a client that asks again and again waits
// for one flood, not for each.
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

// Reports whether no path leads from a query's start to its goals: at once if the labels are known,
// else as soon as the search has paid for them. The answer is the one that the search would have
// found, at whatever moment it is given.
class CutOff {
 public:
  // Makes a CutOff that never knows anything.
  CutOff() = default;
  // Borrows all arguments. `components` may be null.
  CutOff(const ComponentMap* components, NodeId start, std::span<const NodeId> goals,
         const StopToken* stop)
      : components_(components), start_(start), goals_(goals), maker_(components, stop) {}

  // Returns true if it is already known that no path leads to a goal. O(goals).
  bool is_known() { return components_ != nullptr && ask(); }
  // Returns true if no path leads to a goal. To be called when a search has expanded `expanded`
  // nodes and goes on; makes labels if they are worth it. Returns false after is_known() was true.
  bool is_found(std::uint64_t expanded);
  // Notes that the search ended after `expanded` expansions without a path.
  void note_no_path(std::uint64_t expanded);

 private:
  // Answers from the labels known so far.
  bool ask();
  bool find_near();

  const ComponentMap* components_ = nullptr;  // null: labels can answer nothing more
  NodeId start_{};
  std::span<const NodeId> goals_;
  LabelMaker maker_;
  // Blocks of the start and the goals, and the units of work that labelling them takes. Filled on
  // first use; `near_` is empty if there are too many blocks.
  std::vector<std::uint32_t> near_;
  std::optional<WorkUnits> units_near_;
};

}  // namespace repath
