// What obstacles do to the ground that they cover: take it away, or make other ground of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "navmesh/mesh/mesh_source.h"

namespace repath {

// Thousandths: what lengths over ground are multiplied with.
inline constexpr std::uint32_t kGroundFactorOne = 1000;
inline constexpr std::uint32_t kGroundFactorMax = 1'000'000;

struct CarveEffect {
  bool blocks = true;
  // Of what does not block:
  std::uint32_t factor = kGroundFactorOne;  // [kGroundFactorOne, kGroundFactorMax]
  std::optional<AreaType> area = {};        // the ground becomes of that type; empty: it stays
  bool operator==(const CarveEffect&) const = default;
};

// What obstacles made of a fragment.
struct FragmentGround {
  std::uint32_t factor = kGroundFactorOne;  // on top of what its area type costs
  std::optional<AreaType> area = {};        // instead of the base cell's

  bool is_changed() const { return factor != kGroundFactorOne || area.has_value(); }
  // One more obstacle over it. In the order of their ids: factors multiply, rounded up to
  // thousandths, to kGroundFactorMax at most; the last area type counts.
  void put(const CarveEffect& effect) {
    const std::uint64_t product = std::uint64_t{factor} * effect.factor;
    factor = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        kGroundFactorMax, (product + kGroundFactorOne - 1) / kGroundFactorOne));
    if (effect.area) area = effect.area;
  }
  bool operator==(const FragmentGround&) const = default;
};

}  // namespace repath
