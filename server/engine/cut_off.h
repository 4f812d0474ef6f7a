// Whether no path leads from a query's start to its goals: told at once where it is known what
// hangs together (grid/components/component_map.h), else found out as soon as the search has cost
// so much that it is worth it (engine/label_maker.h).
//
// Belongs to one query on one thread. What it answers is what the search would have said, whatever
// the moment at which it does.
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
  // Never knows anything.
  CutOff() = default;
  // Borrows all of it. `components` may be null.
  CutOff(const ComponentMap* components, NodeId start, std::span<const NodeId> goals,
         const StopToken* stop)
      : components_(components), start_(start), goals_(goals), maker_(components, stop) {}

  // No path leads there, as is known already. O(goals).
  bool is_known() { return components_ != nullptr && ask(); }
  // The same once a search for them has expanded so many nodes and goes on; finds out if it is
  // worth it. False after is_known() was true.
  bool is_found(std::uint64_t expanded);
  // The search came to its end, after so many, and there is no path.
  void note_no_path(std::uint64_t expanded);

 private:
  // By what is known by now.
  bool ask();
  bool find_near();

  const ComponentMap* components_ = nullptr;  // null: there is nothing to be found out any more
  NodeId start_{};
  std::span<const NodeId> goals_;
  LabelMaker maker_;
  // Blocks of the start and the goals, unless they are too many, and what it takes to know these.
  // Once asked for.
  std::vector<std::uint32_t> near_;
  std::optional<WorkUnits> units_near_;
};

}  // namespace repath
