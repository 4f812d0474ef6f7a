// What fresh searches of this world have cost so far, and so how much a repair of kept state may
// cost before it is given up for a fresh search.
//
// A repair wins by orders of magnitude or loses; it cannot be told before. So it gets a quarter of
// what a fresh search costs on average, and only a thirtieth while what was spent on repairs in
// vain exceeds a tenth of all work: the waste stays below a fifth. Plain value.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/ids.h"
#include "replan/path_search.h"

namespace repath {

class SearchCosts {
 public:
  // `nodes` of the world, for a first guess.
  explicit SearchCosts(std::uint32_t nodes) : guess_(std::max<WorkUnits>(kCapMin, nodes / 8)) {}

  void note_fresh(SearchKind kind, WorkUnits units) {
    Kind& k = kinds_[static_cast<std::size_t>(kind)];
    ++k.searches;
    k.units += units;
  }
  void note_work(WorkUnits units) { all_ += units; }
  void note_in_vain(WorkUnits units) { in_vain_ += units; }

  WorkUnits mean_fresh(SearchKind kind) const {
    const Kind& k = kinds_[static_cast<std::size_t>(kind)];
    return k.searches == 0 ? guess_ : k.units / k.searches;
  }
  // Units a repair may cost.
  WorkUnits repair_cap(SearchKind kind) const {
    const bool is_costly = in_vain_ * 10 > all_;
    return std::max(kCapMin, mean_fresh(kind) / (is_costly ? 30 : 4));
  }

 private:
  static constexpr WorkUnits kCapMin = 64;
  struct Kind {
    std::uint64_t searches = 0;
    WorkUnits units = 0;
  };
  WorkUnits guess_;
  std::array<Kind, 5> kinds_{};
  WorkUnits all_ = 0;
  WorkUnits in_vain_ = 0;
};

}  // namespace repath
