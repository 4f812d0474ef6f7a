// The costs of searches on a grid so far (verdicts/repair_costs.h), with those of jump points, of
// detours, of recalled paths and of labels. Plain value.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "base/ids.h"
#include "grid_ground/path_search.h"
#include "verdicts/repair_costs.h"

namespace repath {

class SearchCosts : public RepairCosts {
 public:
  // `nodes`: number of the world's nodes, for a first guess.
  explicit SearchCosts(std::uint32_t nodes) : RepairCosts(nodes) {}

  // Returns whether bringing a field up to date costs less than a jump point search for each of
  // `agents`. `behind` as for note_field; empty: the field is still to be made. False until there
  // was a jump point search to compare with.
  bool field_pays(std::uint64_t agents, std::optional<std::uint64_t> behind) const {
    const Kind& jumps = of(SearchKind::kJump);
    if (jumps.searches == 0) return false;
    const WorkUnits work = behind ? field_work(*behind) : mean_fresh(SearchKind::kField);
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
    const Kind& jumps = of(SearchKind::kJump);
    return jumps.searches == 0
               ? kDetourCapMax
               : std::clamp(jumps.units / jumps.searches / 4, kDetourCapMin, kDetourCapMax);
  }

 private:
  static constexpr WorkUnits kRecallOverhead = 8;
  static constexpr WorkUnits kJumpsOverhead = 8;    // to begin a search and to take its path
  static constexpr WorkUnits kDetourOverhead = 32;  // to recall the path and to begin a search
  static constexpr WorkUnits kDetourCapMin = 16;
  static constexpr WorkUnits kDetourCapMax = 64;
  static constexpr WorkUnits kJumpsPerLabelUnit = 2;  // jump units that take as long
  static constexpr std::uint64_t kLabelsInVainMax = 15;

  std::uint64_t labels_in_vain_ = 0;  // in a row
  CostOfAttempts detours_{kDetourOverhead, 5, 2, kDetourCapMin};
  std::array<CostOfAttempts, 2> recalls_{CostOfAttempts{kRecallOverhead, 5, 4, 0},
                                         CostOfAttempts{kRecallOverhead, 5, 1, 0}};
};

}  // namespace repath
