// The label of a goal field in one word. It holds the cost and whether the label's support is in
// doubt. An open label also holds the arrival from which to hand it on
// (search/incremental/arrival_graph.h). Plain functions.
#pragma once

#include <cstdint>

#include "base/cost.h"
#include "search/incremental/field_run.h"

namespace repath {

using FieldLabel = std::uint64_t;
inline constexpr int kFieldCostBits = 59;
inline constexpr FieldLabel kFieldNever =
    (FieldLabel{1} << kFieldCostBits) - 1;  // Cost of a node without a label.
inline constexpr FieldLabel kFieldSuspect = FieldLabel{1} << 63;
static_assert(kUnreachable > kFieldNever);

constexpr Cost cost_of(FieldLabel label) { return label & kFieldNever; }
constexpr bool is_open(FieldLabel label) { return (label >> kFieldCostBits & 15) != 0; }
// Returns the arrival bits of an open label. `arrival` is in [0, kFieldArrivals].
constexpr FieldLabel open_from(std::uint32_t arrival) {
  return static_cast<FieldLabel>(arrival + 1) << kFieldCostBits;
}
constexpr std::uint32_t arrival_of(FieldLabel label) {
  return static_cast<std::uint32_t>(label >> kFieldCostBits & 15) - 1;
}

}  // namespace repath
