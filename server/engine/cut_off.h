// Reports whether no path leads from a query's start to its goals. The answer comes at once if the
// component labels are known (grid/components/component_map.h). Otherwise the labels are made as
// soon as the search has cost so much that they are worth it (engine/label_maker.h).
//
// Belongs to one query on one thread. The answer is the one that the search would have found, at
// whatever moment it is given.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"
#include "engine/label_maker.h"
#include "engine/queries.h"
#include "engine/snapshot.h"

namespace repath {

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
