// The cells that a disc bars, against the distance from each cell's centre to each blocked square.
#include "grid/cells/clearance.h"

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
    const Disc disc(radius, Topology::k8);
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

// Returns the distance from (0, 0) to the regular hexagon of width 1 around (x, y): the largest
// distance to a line through one of its sides if that is nearest, otherwise the distance to a
// corner.
double distance_to_hexagon(double x, double y) {
  constexpr double kPi = 3.14159265358979323846;
  double least = 1e9;
  for (int side = 0; side < 6; ++side)
    for (int i = 0; i <= 2000; ++i) {
      const double a = kPi / 6 + side * kPi / 3, b = a + kPi / 3, t = i / 2000.0;
      const double radius = 1 / std::sqrt(3.0);
      least = std::min(least, std::hypot(x + radius * ((1 - t) * std::cos(a) + t * std::cos(b)),
                                         y + radius * ((1 - t) * std::sin(a) + t * std::sin(b))));
    }
  return least;
}

TEST(Clearance, OnHexagonsIsTheDistanceToTheNearestBlockedHexagon) {
  for (const double radius : {0.4, 0.5, 0.55, 0.7, 1.0, 1.5, 2.6, 5.2, 31.9, 32.0}) {
    const Disc disc(radius, Topology::kHex);
    const auto columns = static_cast<std::int32_t>(radius) + 3;
    const auto rows = static_cast<std::int32_t>(radius * 1.2) + 3;
    const std::int32_t step = radius > 10 ? 3 : 1;  // for large radii only some rows
    for (const std::int32_t odd : {0, 1})
      for (std::int32_t dy = -rows; dy <= rows; dy += step)
        for (std::int32_t dx = -columns; dx <= columns; ++dx) {
          const double shift = ((dy + odd) % 2 != 0 ? 0.5 : 0) - (odd == 1 ? 0.5 : 0);
          const double distance =
              dx == 0 && dy == 0 ? 0 : distance_to_hexagon(dx + shift, dy * std::sqrt(0.75));
          if (std::abs(distance - radius) < 1e-6) continue;  // the model only samples
          const bool reaches = std::abs(dy) <= disc.reach();
          const Disc::Columns at = reaches ? disc.columns(dy, odd) : Disc::Columns{};
          ASSERT_EQ(at.lo <= dx && dx <= at.hi, distance < radius)
              << dx << ", " << dy << " from row " << odd << " with radius " << radius;
        }
  }
}

TEST(Clearance, OnHexagonsBarsTheCellsWhoseDiscMeetsABlockedOne) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  for (int round = 0; round < 40; ++round) {
    const GridLayer layer = test::random_layer(&random);
    const Disc disc(round % 8 == 0 ? 32 : random.unit() * 8, Topology::kHex);
    for (std::int32_t y = 0; y < layer.height(); ++y)
      for (std::int32_t x = 0; x < layer.width(); ++x) {
        bool expected = !layer.is_free(x, y);
        for (std::int32_t dy = -disc.reach(); dy <= disc.reach() && !expected; ++dy)
          for (std::int32_t dx = disc.columns(dy, y).lo; dx <= disc.columns(dy, y).hi; ++dx)
            expected = expected || !layer.is_free(x + dx, y + dy);
        ASSERT_EQ((barred_word(layer, disc, x >> kTileBits, y) >> (x & kTileMask) & 1) != 0,
                  expected)
            << x << ", " << y;
      }
  }
}

}  // namespace
}  // namespace repath
