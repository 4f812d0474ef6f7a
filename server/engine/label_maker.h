// Labels of what hangs together (grid/components/component_map.h), made by a search as soon as it
// has cost so much that they are worth it. That is a multiple of what they cost, for most long
// searches find what they look for; it is less where searches did so in vain (LabelDemand), so that
// who asks again and again waits for one flood, not for each.
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
  // Never makes any.
  LabelMaker() = default;
  // Borrows both, which may be null.
  LabelMaker(const ComponentMap* components, const StopToken* stop)
      : components_(components), stop_(stop) {}

  // Whether a search that has expanded so many nodes and goes on should pay as many units. A search
  // never waits for what would take more than kPatienceMax times as long as itself, however many
  // were in vain before it. REQUIRES: it has components.
  bool is_worth(std::uint64_t expanded, WorkUnits units) const;
  // Whether the labels of the whole map are there; makes them if that is worth it, unless `stop`
  // says that nobody waits any more.
  bool make(std::uint64_t expanded);

  // What labels that it made were for: they ended the search, or did not.
  void note_use(bool was_of_use);
  // A search came to its end that labels would have ended sooner.
  void note_in_vain(std::uint64_t expanded);

 private:
  const ComponentMap* components_ = nullptr;  // null: there are no labels to be had
  const StopToken* stop_ = nullptr;
  std::optional<WorkUnits> units_;  // of the whole map; once asked for
  bool has_made_ = false;
};

}  // namespace repath
