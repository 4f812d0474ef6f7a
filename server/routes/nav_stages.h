// A search over a carved mesh that stays within a cost, in stages. The exact search comes first
// where the ground is plain. CorridorSearch comes next where ways over dearer ground or links may
// be cheaper, and its ways are pulled tight, cell by cell. A part of routes/nav_ground.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "routes/nav_ground.h"
#include "routes/nav_kernels.h"

namespace repath {

// `Self` derives from this class, sets the first stage, and has
//   Progress advance_exact(expansions)   a slice of the exact search
//   void take_exact()                    takes its result and begins the next stage
//   void pull(entry)                     takes the next cell that corridors reach
//   void end_pull()                      ends the pulling, or begins another stage
template <class Self>
class NavStages {
 protected:
  enum class Stage { kExact, kCorridor, kPull, kDone };

  NavStages(const NavGround* ground, std::shared_ptr<const NavKernels> kernels)
      : ground_(ground), kernel_(lend(std::move(kernels))) {}

  // Begins a search for all cells within the cost `most`, in world units.
  void begin_corridors(const MeshPlace& from, double most, bool is_backwards) {
    stage_ = Stage::kCorridor;
    pulled_ = 0;
    kernel_->corridor.begin_within(ground_->mesh(), from, ground_->filter(), most, is_backwards);
  }
  // Returns true if all stages are done. Pulling one way tight counts as one expansion.
  bool run(std::uint32_t* expansions) {
    const std::uint32_t granted = *expansions;
    while (stage_ != Stage::kDone && end_stage(expansions)) {
    }
    expanded_ += granted - *expansions;
    if (stage_ == Stage::kDone) kernel_.reset();
    return stage_ == Stage::kDone;
  }

  const NavGround* ground_;
  LentKernel kernel_;  // while it runs
  Stage stage_ = Stage::kDone;
  std::uint64_t expanded_ = 0;

 private:
  Self& self() { return static_cast<Self&>(*this); }
  // Returns false if the expansions are spent before the stage has ended.
  bool end_stage(std::uint32_t* expansions) {
    if (stage_ == Stage::kExact) {
      if (self().advance_exact(expansions) == Progress::kOutOfBudget) return false;
      self().take_exact();
    } else if (stage_ == Stage::kCorridor) {
      if (kernel_->corridor.advance(expansions) == Progress::kOutOfBudget) return false;
      stage_ = Stage::kPull;
    } else {
      const std::vector<CorridorSearch::CellEntry>& entered = kernel_->corridor.entered();
      for (; *expansions > 0 && pulled_ < entered.size(); --*expansions)
        self().pull(entered[pulled_++]);
      if (*expansions == 0) return false;
      self().end_pull();
    }
    return true;
  }

  std::size_t pulled_ = 0;
};

}  // namespace repath
