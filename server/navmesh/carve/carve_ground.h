// The effect of obstacles on the ground that they cover: they take it away, or change its type and
// cost.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "navmesh/mesh/mesh_source.h"

namespace repath {

// Factors of lengths over ground, in thousandths.
inline constexpr std::uint32_t kGroundFactorOne = 1000;
inline constexpr std::uint32_t kGroundFactorMax = 1'000'000;

struct CarveEffect {
  bool blocks = true;
  // For obstacles that do not block:
  std::uint32_t factor = kGroundFactorOne;  // [kGroundFactorOne, kGroundFactorMax]
  std::optional<AreaType> area = {};        // new type of the ground; empty: it keeps its type
  bool operator==(const CarveEffect&) const = default;
};

// The ground of a fragment under obstacles.
struct FragmentGround {
  std::uint32_t factor = kGroundFactorOne;  // times the factor of its area type
  std::optional<AreaType> area = {};        // instead of the base cell's

  bool is_changed() const { return factor != kGroundFactorOne || area.has_value(); }
  // Puts one more obstacle over the fragment. REQUIRES: obstacles are put in the order of their
  // ids. Factors multiply, rounded up to thousandths, to at most kGroundFactorMax. The last area
  // type counts.
  void put(const CarveEffect& effect) {
    const std::uint64_t product = std::uint64_t{factor} * effect.factor;
    factor = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        kGroundFactorMax, (product + kGroundFactorOne - 1) / kGroundFactorOne));
    if (effect.area) area = effect.area;
  }
  bool operator==(const FragmentGround&) const = default;
};

}  // namespace repath
