#include "engine/label_maker.h"

#include <algorithm>

namespace repath {

bool LabelMaker::is_worth(std::uint64_t expanded, WorkUnits units) const {
  const LabelDemand& demand = components_->demand();
  const std::uint64_t in_vain = demand.in_vain.load(std::memory_order_relaxed);
  const std::uint32_t patience = demand.patience.load(std::memory_order_relaxed);
  return expanded * LabelDemand::kPatienceMax >= units && expanded + in_vain >= patience * units;
}

bool LabelMaker::make(std::uint64_t expanded) {
  if (components_ == nullptr) return false;
  if (components_->is_joined()) return true;
  if (!is_worth(expanded, components_->units_to_join())) return false;
  if (!units_) {
    units_ = components_->units_to_join();
    for (std::uint32_t block = 0; block < components_->block_count(); ++block)
      *units_ += components_->units_to_label(block);
  }
  if (!is_worth(expanded, *units_)) return false;
  has_made_ = true;
  for (std::uint32_t block = 0; block < components_->block_count(); ++block) {
    if (stop_ != nullptr && stop_->stop_requested()) return false;
    if (!components_->label(block)) break;
  }
  if (components_->join()) return true;
  components_ = nullptr;
  return false;
}

void LabelMaker::note_use(bool was_of_use) {
  if (!has_made_ || components_ == nullptr) return;
  const LabelDemand& demand = components_->demand();
  const std::uint32_t patience = demand.patience.load(std::memory_order_relaxed);
  demand.patience.store(was_of_use ? 1 : std::min(2 * patience, LabelDemand::kPatienceMax),
                        std::memory_order_relaxed);
  demand.in_vain.store(0, std::memory_order_relaxed);
}

void LabelMaker::note_in_vain(std::uint64_t expanded) {
  if (components_ == nullptr) return;
  const LabelDemand& demand = components_->demand();
  demand.in_vain.fetch_add(expanded, std::memory_order_relaxed);
  demand.patience.store(1, std::memory_order_relaxed);
}

}  // namespace repath
