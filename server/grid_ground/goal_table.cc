#include "grid_ground/goal_table.h"

#include <algorithm>

namespace repath {

void GoalTable::append_read_by_fields(std::vector<Revision>* revisions) const {
  for (const auto& entry : entries_) {
    if (entry == nullptr || entry->waiting == 0 || entry->field == nullptr) continue;
    if (entry->field->is_fixed() && !entry->field->is_empty())
      revisions->push_back(entry->field->revision());
  }
}

std::uint64_t GoalTable::fields() const {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      entries_, [](const auto& entry) { return entry != nullptr && entry->field != nullptr; }));
}

}  // namespace repath
