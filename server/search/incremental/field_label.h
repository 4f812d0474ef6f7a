// A goal field's label in one word: its cost, from which arrival it is to be handed on (search/
// arrival_graph.h) while it is open, and whether its support is in doubt. Plain functions.
#pragma once

#include <cstdint>

#include "base/cost.h"
#include "search/incremental/field_run.h"

namespace repath {

using FieldLabel = std::uint64_t;
inline constexpr int kFieldCostBits = 59;
inline constexpr FieldLabel kFieldNever =
    (FieldLabel{1} << kFieldCostBits) - 1;  // for a cost: none
inline constexpr FieldLabel kFieldSuspect = FieldLabel{1} << 63;
static_assert(kUnreachable > kFieldNever);

constexpr Cost cost_of(FieldLabel label) { return label & kFieldNever; }
constexpr bool is_open(FieldLabel label) { return (label >> kFieldCostBits & 15) != 0; }
// `arrival` in [0, kFieldArrivals]. Of an open label.
constexpr FieldLabel open_from(std::uint32_t arrival) {
  return static_cast<FieldLabel>(arrival + 1) << kFieldCostBits;
}
constexpr std::uint32_t arrival_of(FieldLabel label) {
  return static_cast<std::uint32_t>(label >> kFieldCostBits & 15) - 1;
}

}  // namespace repath
