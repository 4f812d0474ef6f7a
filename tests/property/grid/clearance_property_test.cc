// What a disc bars, against the distance from each cell's centre to each blocked square.
#include "grid/clearance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "grid/bits/spread.h"
#include "support/random_layers.h"
#include "support/seed.h"

namespace repath {
namespace {

TEST(Spread, AgreesWithItsPlainTwin) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 20'000; ++round) {
    bits::Row192 row{};
    for (std::uint64_t& word : row) {
      word = random.next();
      for (std::uint32_t n = random.below(7); n > 0; --n) word &= random.next();
    }
    const int lo = static_cast<int>(random.below(129)) - 64;
    const int hi = std::min(64, lo + static_cast<int>(random.below(65)));
    ASSERT_EQ(bits::spread(row, lo, hi), bits::plain::spread(row, lo, hi)) << lo << " to " << hi;
  }
}

bool is_barred(const GridLayer& layer, double radius, std::int32_t x, std::int32_t y) {
  const auto reach = static_cast<std::int32_t>(std::ceil(radius));
  for (std::int32_t v = y - reach; v <= y + reach; ++v)
    for (std::int32_t u = x - reach; u <= x + reach; ++u) {
      if (layer.is_free(u, v)) continue;
      const double dx = x + 0.5 - std::clamp(x + 0.5, double(u), double(u + 1));
      const double dy = y + 0.5 - std::clamp(y + 0.5, double(v), double(v + 1));
      if ((u == x && v == y) || std::hypot(dx, dy) < radius - 1e-9) return true;
    }
  return false;
}

TEST(Clearance, IsTheDistanceToTheNearestBlockedSquare) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  const std::vector<double> rims{0, 0.5, 1, 1.5, std::sqrt(0.5), std::sqrt(2.5), 31.5, 32};
  for (int round = 0; round < 60; ++round) {
    const GridLayer layer = test::random_layer(&random);
    const double radius = random.below(2) == 0
                              ? rims[random.below(static_cast<std::uint32_t>(rims.size()))]
                              : random.unit() * random.unit() * 12;
    const Disc disc(radius);
    for (std::int32_t y = 0; y < layer.height(); ++y)
      for (std::int32_t tx = 0; tx < layer.tiles_x(); ++tx) {
        const std::uint64_t barred = barred_word(layer, disc, tx, y);
        for (std::int32_t x = tx * kTileSide; x < (tx + 1) * kTileSide; ++x)
          ASSERT_EQ((barred >> (x & kTileMask) & 1) != 0,
                    !layer.contains(x, y) || is_barred(layer, radius, x, y))
              << x << ", " << y << " with radius " << radius;
      }
  }
}

}  // namespace
}  // namespace repath
