// What searches of this world have cost so far, and how much a repair of kept state may cost before
// it is given up for a fresh search.
//
// A repair wins by orders of magnitude or loses; it cannot be told before. So it gets a quarter of
// what a fresh search costs on average, and only a thirtieth while what was spent on repairs in
// vain exceeds a tenth of all work: the waste stays below a fifth. Plain value.
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
  // `nodes` of the world, for a first guess.
  explicit SearchCosts(std::uint32_t nodes)
      : nodes_(nodes), guess_(std::max<WorkUnits>(kCapMin, nodes / 8)) {}

  void note_fresh(SearchKind kind, WorkUnits units) {
    Kind& k = kinds_[static_cast<std::size_t>(kind)];
    ++k.searches;
    k.units += units;
  }
  void note_work(WorkUnits units) { all_ += units; }
  void note_in_vain(WorkUnits units) { in_vain_ += units; }

  // Of a field, brought up to date from so many revisions behind.
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
  // Units that a repair may cost before a fresh search by `instead` begins.
  WorkUnits repair_cap(SearchKind instead) const {
    const bool is_costly = in_vain_ * 10 > all_;
    return std::max(kCapMin, mean_fresh(instead) / (is_costly ? 30 : 4));
  }
  // The same of a field. It drops its labels itself where that costs less, so this only bounds how
  // long it goes on behind edits that come as fast: it can always take in one change.
  WorkUnits field_cap() const { return 2 * mean_fresh(SearchKind::kField) + nodes_ / 4; }
  // Whether bringing a field up to date costs less than a jump point search for each of `agents`.
  // `behind` as above; none: it is to be made. Never before there was such a search to compare
  // with.
  bool field_pays(std::uint64_t agents, std::optional<std::uint64_t> behind) const {
    const Kind& jumps = kinds_[static_cast<std::size_t>(SearchKind::kJump)];
    if (jumps.searches == 0) return false;
    WorkUnits work = mean_fresh(SearchKind::kField);
    if (behind && field_behind_ > 0) work = std::min(work, *behind * field_units_ / field_behind_);
    return agents * (jumps.units / jumps.searches) >= work;
  }
  // Of a search for a way round closed steps, and of a look at a path that was proved before.
  void note_detour(WorkUnits units, bool is_found) { detours_.note(units, is_found); }
  // The two are apart: who holds none looks for what opened again, who holds one for a better one.
  void note_recall(bool holds_path, WorkUnits units, bool is_found) {
    recalls_[holds_path ? 1 : 0].note(units, is_found);
  }
  // Whether the searches they save cost more than they do. A detour begins one itself, a recall
  // saves that, too.
  bool detours_pay() { return detours_.pays(mean_fresh(SearchKind::kJump)); }
  bool recalls_pay(bool holds_path) {
    return recalls_[holds_path ? 1 : 0].pays(kJumpsOverhead + mean_fresh(SearchKind::kJump));
  }
  // Of labels that were asked whether an agent is cut off.
  void note_labels(bool is_cut_off) {
    labels_in_vain_ = is_cut_off ? 0 : std::min(labels_in_vain_ + 1, kLabelsInVainMax);
  }
  // Units that a jump point search may take before labels are asked whether it is in vain, if it
  // takes `price` to bring them up to date: as long, and longer where they hardly ever say so.
  WorkUnits units_before_labels(WorkUnits price) const {
    return kJumpsPerLabelUnit * price * (1 + labels_in_vain_);
  }
  // Units that one may take.
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
  static constexpr WorkUnits kJumpsPerLabelUnit = 2;  // that take as long
  static constexpr std::uint64_t kLabelsInVainMax = 15;
  static constexpr std::uint64_t kRemembered = 1024;
  // What may save a search, and whether it has done so often enough. One in kRetry is tried anyway,
  // for worlds change, unless it costs more than it can save.
  class Attempt {
   public:
    // `overhead`: of each, besides the units noted. As if so many had been tried and found, with so
    // many units each.
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
