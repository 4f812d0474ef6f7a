// Whether no path leads from a query's start to its goals, by what hangs together
// (grid/component_map.h): told at once where it is known, else found out as soon as the search has
// cost so much that it is worth it. That is a multiple of what finding out takes, for most long
// searches are for paths that are there; it is less where searches ended without a path
// (LabelDemand), so that who asks again and again waits for one flood, not for each.
//
// Belongs to one query on one thread. What it answers is what the search would have said, whatever
// the moment at which it does.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"
#include "engine/queries.h"
#include "engine/snapshot.h"

namespace repath {

class CutOff {
 public:
  // Never knows anything.
  CutOff() = default;
  // Borrows all of it. `components` may be null.
  CutOff(const ComponentMap* components, NodeId start, std::span<const NodeId> goals,
         const StopToken* stop);

  // No path leads there, as is known already. O(goals).
  bool is_known();
  // The same once a search for them has expanded so many nodes and goes on; finds out if it is
  // worth it, unless `stop` says that nobody waits any more. False after is_known() was true.
  bool is_found(std::uint64_t expanded);
  // The search came to its end, after so many, and there is no path.
  void note_no_path(std::uint64_t expanded);

 private:
  // By what is known by now.
  bool ask();
  bool is_worth(std::uint64_t expanded, WorkUnits units) const;
  bool find_near();
  bool find_everywhere();

  const ComponentMap* components_ = nullptr;  // null: there is nothing to be found out any more
  NodeId start_{};
  std::span<const NodeId> goals_;
  const StopToken* stop_ = nullptr;
  // Blocks of the start and the goals, unless they are too many; what it takes to know these, and
  // to know all. Once asked for.
  std::vector<std::uint32_t> near_;
  std::optional<WorkUnits> units_near_;
  std::optional<WorkUnits> units_everywhere_;
};

}  // namespace repath
