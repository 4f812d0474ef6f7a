#include "engine/cut_off.h"

#include <algorithm>
#include <utility>

namespace repath {
namespace {

constexpr std::size_t kBlocksNear = 4;  // at most

// Returns the blocks of the start and the goals; none if there are more than kBlocksNear.
std::vector<std::uint32_t> blocks_of(const ComponentMap& components, NodeId start,
                                     std::span<const NodeId> goals) {
  std::vector<std::uint32_t> blocks{components.block_of(start)};
  for (const NodeId goal : goals) {
    const std::uint32_t block = components.block_of(goal);
    if (std::ranges::find(blocks, block) != blocks.end()) continue;
    if (blocks.size() == kBlocksNear) return {};
    blocks.push_back(block);
  }
  return blocks;
}

}  // namespace

// The answers kTogether and kApart are final.
bool CutOff::ask() {
  const ComponentMap::Answer answer = components_->ask(start_, goals_);
  if (answer != ComponentMap::Answer::kUnknown) components_ = nullptr;
  return answer == ComponentMap::Answer::kApart;
}

bool CutOff::is_found(std::uint64_t expanded) {
  if (components_ == nullptr) return false;
  if (!units_near_) {
    near_ = blocks_of(*components_, start_, goals_);
    units_near_ = 0;
    for (const std::uint32_t block : near_) *units_near_ += components_->units_to_label(block);
  }
  if (!near_.empty() && maker_.is_worth(expanded, *units_near_) && find_near()) return true;
  if (components_ == nullptr || !maker_.make(expanded)) return false;
  const bool is_apart = ask();
  maker_.note_use(is_apart);
  return is_apart;
}

// Labels only the blocks of the start and the goals. This is enough if the start's or the goals'
// component touches no other block.
bool CutOff::find_near() {
  for (const std::uint32_t block : near_)
    if (!components_->label(block)) break;
  near_.clear();
  const LabelDemand& demand = components_->demand();
  if (!ask()) return false;
  demand.patience.store(1, std::memory_order_relaxed);
  return true;
}

void CutOff::note_no_path(std::uint64_t expanded) {
  // A search that ended before it asked for labels would not have been worth them.
  if (std::exchange(components_, nullptr) != nullptr && units_near_) maker_.note_in_vain(expanded);
}

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
