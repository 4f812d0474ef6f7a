// The costs of searches in this world so far. They decide how much a repair of kept state may cost
// before it is given up for a fresh search.
//
// A repair is cheaper by orders of magnitude or dearer, and its cost is unknown before it ends. So
// its cap is a quarter of the average cost of a fresh search. The cap is only a thirtieth while the
// units of repairs that were given up exceed a tenth of all work. So the waste stays below a fifth.
// Plain value.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "base/ids.h"
#include "grid_ground/path_search.h"

namespace repath {

class SearchCosts {
 public:
  // `nodes`: number of the world's nodes, for a first guess.
  explicit SearchCosts(std::uint32_t nodes)
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
    if (field_behind_ < kRemembered) return;
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
  // Returns whether bringing a field up to date costs less than a jump point search for each of
  // `agents`. `behind` as above; empty: the field is still to be made. False until there was a jump
  // point search to compare with.
  bool field_pays(std::uint64_t agents, std::optional<std::uint64_t> behind) const {
    const Kind& jumps = kinds_[static_cast<std::size_t>(SearchKind::kJump)];
    if (jumps.searches == 0) return false;
    WorkUnits work = mean_fresh(SearchKind::kField);
    if (behind && field_behind_ > 0) work = std::min(work, *behind * field_units_ / field_behind_);
    return agents * (jumps.units / jumps.searches) >= work;
  }
  // Notes the cost of a detour search round closed steps.
  void note_detour(WorkUnits units, bool is_found) { detours_.note(units, is_found); }
  // Notes the cost of a recall. Agents with and without a held path are counted apart: an agent
  // without one looks for a path that opened again, an agent with one looks for a better path.
  void note_recall(bool holds_path, WorkUnits units, bool is_found) {
    recalls_[holds_path ? 1 : 0].note(units, is_found);
  }
  // Returns whether the searches that detours save cost more than the detours do. A detour begins a
  // jump point search itself; a recall saves the begin of one, too.
  bool detours_pay() { return detours_.pays(mean_fresh(SearchKind::kJump)); }
  bool recalls_pay(bool holds_path) {
    return recalls_[holds_path ? 1 : 0].pays(kJumpsOverhead + mean_fresh(SearchKind::kJump));
  }
  // Notes the answer of labels that were asked whether an agent is cut off.
  void note_labels(bool is_cut_off) {
    labels_in_vain_ = is_cut_off ? 0 : std::min(labels_in_vain_ + 1, kLabelsInVainMax);
  }
  // Returns the units that a jump point search may take before labels are asked whether it is in
  // vain, if it takes `price` units to bring the labels up to date. The search may take as long as
  // that update, and longer where labels hardly ever find an agent cut off.
  WorkUnits units_before_labels(WorkUnits price) const {
    return kJumpsPerLabelUnit * price * (1 + labels_in_vain_);
  }
  // Returns the units that a detour search may take.
  WorkUnits detour_cap() const {
    const Kind& jumps = kinds_[static_cast<std::size_t>(SearchKind::kJump)];
    return jumps.searches == 0
               ? kDetourCapMax
               : std::clamp(jumps.units / jumps.searches / 4, kDetourCapMin, kDetourCapMax);
  }

 private:
  static constexpr WorkUnits kCapMin = 64;
  static constexpr WorkUnits kRecallOverhead = 8;
  static constexpr WorkUnits kJumpsOverhead = 8;    // to begin a search and to take its path
  static constexpr WorkUnits kDetourOverhead = 32;  // to recall the path and to begin a search
  static constexpr WorkUnits kDetourCapMin = 16;
  static constexpr WorkUnits kDetourCapMax = 64;
  static constexpr WorkUnits kJumpsPerLabelUnit = 2;  // jump units that take as long
  static constexpr std::uint64_t kLabelsInVainMax = 15;
  static constexpr std::uint64_t kRemembered = 1024;
  // Record of an attempt that may save a search, and of whether it has done so often enough. If
  // not, one attempt in kRetry is made anyway, because worlds change. An attempt that costs more
  // than it can save is never made.
  class Attempt {
   public:
    // `overhead`: units of each attempt, besides the units noted. Starts as if so many attempts had
    // been made and had found a path, with so many units each.
    Attempt(WorkUnits overhead, std::uint64_t tried, std::uint64_t found, WorkUnits units)
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
    static constexpr std::uint64_t kRetry = 16;
    WorkUnits overhead_;
    std::uint64_t tried_;
    std::uint64_t found_;
    WorkUnits units_;
    std::uint64_t asked_ = 0;
  };
  struct Kind {
    std::uint64_t searches = 0;
    WorkUnits units = 0;
  };
  WorkUnits nodes_;
  WorkUnits guess_;
  std::array<Kind, 6> kinds_{};  // by SearchKind
  WorkUnits all_ = 0;
  WorkUnits in_vain_ = 0;
  WorkUnits field_units_ = 0;
  std::uint64_t field_behind_ = 0;
  std::uint64_t labels_in_vain_ = 0;  // in a row
  Attempt detours_{kDetourOverhead, 5, 2, kDetourCapMin};
  std::array<Attempt, 2> recalls_{Attempt{kRecallOverhead, 5, 4, 0},
                                  Attempt{kRecallOverhead, 5, 1, 0}};
};

}  // namespace repath
