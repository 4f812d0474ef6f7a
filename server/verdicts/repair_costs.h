// The costs of searches in this world so far. They decide how much a repair of kept state may cost
// before it is given up for a fresh search, and whether attempts that may save a search pay.
//
// A repair is cheaper by orders of magnitude or dearer, and its cost is unknown before it ends. So
// its cap is a quarter of the average cost of a fresh search. The cap is only a thirtieth while the
// units of repairs that were given up exceed a tenth of all work. So the waste stays below a fifth.
// Plain value. Each kind of world derives its costs from this class.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "search/kept_search.h"

namespace repath {

// Record of an attempt that may save a search, and of whether it has done so often enough. If not,
// one attempt in kRetry is made anyway, because worlds change. An attempt that costs more than it
// can save is never made.
class CostOfAttempts {
 public:
  static constexpr std::uint64_t kRemembered = 1024;
  static constexpr std::uint64_t kRetry = 16;

  // `overhead`: units of each attempt, besides the units noted. Starts as if so many attempts had
  // been made and had found a path, with so many units each.
  CostOfAttempts(WorkUnits overhead, std::uint64_t tried, std::uint64_t found, WorkUnits units)
      : overhead_(overhead), tried_(tried), found_(found), units_(tried * (overhead + units)) {}

  void note(WorkUnits units, bool is_found) {
    ++tried_;
    units_ += overhead_ + units;
    found_ += is_found ? 1 : 0;
    if (tried_ < kRemembered) return;
    tried_ /= 2;
    units_ /= 2;
    found_ /= 2;
  }
  bool pays(WorkUnits saved) {
    if (saved <= overhead_) return false;
    return ++asked_ % kRetry == 0 || found_ * saved > units_;
  }

 private:
  WorkUnits overhead_;
  std::uint64_t tried_;
  std::uint64_t found_;
  WorkUnits units_;
  std::uint64_t asked_ = 0;
};

class RepairCosts {
 public:
  // From so many agents with equal goals on, Strategy::kAuto may answer them from one field.
  static constexpr std::uint32_t kFieldAgentsMin = 4;
  // Nodes with changed edges that a repair may take in for each unit of its cap. Taking one in is
  // cheaper than expanding it: this spends half of the cap.
  static constexpr std::uint64_t kFedNodesPerCap = 4;

  // `nodes`: number of the world's nodes, for a first guess.
  explicit RepairCosts(std::uint64_t nodes)
      : nodes_(nodes), guess_(std::max<WorkUnits>(kCapMin, nodes / 8)) {}

  void note_fresh(SearchKind kind, WorkUnits units) {
    Kind& k = kinds_[static_cast<std::size_t>(kind)];
    ++k.searches;
    k.units += units;
  }
  void note_work(WorkUnits units) { all_ += units; }
  void note_in_vain(WorkUnits units) { in_vain_ += units; }

  // Notes the cost of bringing a field up to date that was `behind` revisions behind.
  void note_field(WorkUnits units, std::uint64_t behind) {
    field_units_ += units;
    field_behind_ += behind;
    if (field_behind_ < CostOfAttempts::kRemembered) return;
    field_units_ /= 2;
    field_behind_ /= 2;
  }

  WorkUnits mean_fresh(SearchKind kind) const {
    const Kind& k = kinds_[static_cast<std::size_t>(kind)];
    return k.searches == 0 ? guess_ : k.units / k.searches;
  }
  // Returns the units that a repair may cost before a fresh search by `instead` begins.
  WorkUnits repair_cap(SearchKind instead) const {
    const bool is_costly = in_vain_ * 10 > all_;
    return std::max(kCapMin, mean_fresh(instead) / (is_costly ? 30 : 4));
  }
  // Returns the cap for bringing a field up to date. The field drops its labels itself where that
  // costs less. So the cap only bounds how long the field goes on behind edits that come as fast:
  // it can always take in one change.
  WorkUnits field_cap() const { return 2 * mean_fresh(SearchKind::kField) + nodes_ / 4; }

 protected:
  struct Kind {
    std::uint64_t searches = 0;
    WorkUnits units = 0;
  };
  static constexpr WorkUnits kCapMin = 64;

  const Kind& of(SearchKind kind) const { return kinds_[static_cast<std::size_t>(kind)]; }
  // Returns the work of bringing a field up to date that is so many revisions behind; as a new
  // field costs, if none has been brought up to date yet.
  WorkUnits field_work(std::uint64_t behind) const {
    const WorkUnits fresh = mean_fresh(SearchKind::kField);
    return field_behind_ == 0 ? fresh : std::min(fresh, behind * field_units_ / field_behind_);
  }

 private:
  WorkUnits nodes_;
  WorkUnits guess_;
  std::array<Kind, 6> kinds_{};  // by SearchKind
  WorkUnits all_ = 0;
  WorkUnits in_vain_ = 0;
  WorkUnits field_units_ = 0;
  std::uint64_t field_behind_ = 0;
};

}  // namespace repath
