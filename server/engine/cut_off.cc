#include "engine/cut_off.h"

#include <algorithm>
#include <utility>

namespace repath {
namespace {

constexpr std::size_t kBlocksNear = 4;  // at most

// None if there are more than kBlocksNear.
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

CutOff::CutOff(const ComponentMap* components, NodeId start, std::span<const NodeId> goals,
               const StopToken* stop)
    : components_(components), start_(start), goals_(goals), stop_(stop) {}

bool CutOff::ask() {
  const ComponentMap::Answer answer = components_->ask(start_, goals_);
  if (answer != ComponentMap::Answer::kUnknown) components_ = nullptr;
  return answer == ComponentMap::Answer::kApart;
}

bool CutOff::is_known() { return components_ != nullptr && ask(); }

bool CutOff::is_found(std::uint64_t expanded) {
  if (components_ == nullptr) return false;
  if (!units_near_) {
    near_ = blocks_of(*components_, start_, goals_);
    units_near_ = 0;
    for (const std::uint32_t block : near_) *units_near_ += components_->units_to_label(block);
  }
  if (!near_.empty() && is_worth(expanded, *units_near_) && find_near()) return true;
  if (components_ == nullptr || !is_worth(expanded, components_->units_to_join())) return false;
  if (!units_everywhere_) {
    units_everywhere_ = components_->units_to_join();
    for (std::uint32_t block = 0; block < components_->block_count(); ++block)
      *units_everywhere_ += components_->units_to_label(block);
  }
  return is_worth(expanded, *units_everywhere_) && find_everywhere();
}

// A search never waits for what would take more than kPatienceMax times as long as itself, however
// many were in vain before it.
bool CutOff::is_worth(std::uint64_t expanded, WorkUnits units) const {
  const LabelDemand& demand = components_->demand();
  const std::uint64_t in_vain = demand.in_vain.load(std::memory_order_relaxed);
  const std::uint32_t patience = demand.patience.load(std::memory_order_relaxed);
  return expanded * LabelDemand::kPatienceMax >= units && expanded + in_vain >= patience * units;
}

bool CutOff::find_near() {
  for (const std::uint32_t block : near_)
    if (!components_->label(block)) break;
  near_.clear();
  const LabelDemand& demand = components_->demand();
  if (!ask()) return false;
  demand.patience.store(1, std::memory_order_relaxed);
  return true;
}

bool CutOff::find_everywhere() {
  for (std::uint32_t block = 0; block < components_->block_count(); ++block) {
    if (stop_ != nullptr && stop_->stop_requested()) return false;
    if (!components_->label(block)) break;
  }
  components_->join();
  const LabelDemand& demand = components_->demand();
  const bool is_apart = ask();
  components_ = nullptr;
  const std::uint32_t patience = demand.patience.load(std::memory_order_relaxed);
  demand.patience.store(is_apart ? 1 : std::min(2 * patience, LabelDemand::kPatienceMax),
                        std::memory_order_relaxed);
  demand.in_vain.store(0, std::memory_order_relaxed);
  return is_apart;
}

void CutOff::note_no_path(std::uint64_t expanded) {
  const ComponentMap* components = std::exchange(components_, nullptr);
  // Where it did not even come to ask, labels would not have been worth it.
  if (components == nullptr || !units_near_) return;
  const LabelDemand& demand = components->demand();
  demand.in_vain.fetch_add(expanded, std::memory_order_relaxed);
  demand.patience.store(1, std::memory_order_relaxed);
}

}  // namespace repath
