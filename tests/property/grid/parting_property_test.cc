// Whether blocking cells may part the ground around them, against a walk round them cell by cell,
// also at the borders of maps and tiles. (The tests of components show that the answer is useful.)
#include "grid/components/surroundings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "support/ascii_grid.h"
#include "support/seed.h"

namespace repath {
namespace {

struct CellsBox {
  int x0, y0, x1, y1;  // inclusive
};

std::vector<std::pair<int, int>> ring_around(const CellsBox& box) {
  std::vector<std::pair<int, int>> ring;
  for (int x = box.x0 - 1; x <= box.x1; ++x) ring.emplace_back(x, box.y0 - 1);
  for (int y = box.y0 - 1; y <= box.y1; ++y) ring.emplace_back(box.x1 + 1, y);
  for (int x = box.x1 + 1; x >= box.x0; --x) ring.emplace_back(x, box.y1 + 1);
  for (int y = box.y1 + 1; y >= box.y0; --y) ring.emplace_back(box.x0 - 1, y);
  return ring;
}

bool plain_may_part(const std::vector<std::string>& rows, const CellsBox& box) {
  const auto is_free = [&](int x, int y) {
    return y >= 0 && x >= 0 && y < std::ssize(rows) && x < std::ssize(rows[0]) &&
           rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == '.';
  };
  for (int y = box.y0; y <= box.y1; ++y)
    for (int x = box.x0; x <= box.x1; ++x)
      if (is_free(x, y)) return true;
  const auto ring = ring_around(box);
  int turns = 0;  // changes from free to blocked and back
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const auto& [x, y] = ring[i];
    const auto& [next_x, next_y] = ring[(i + 1) % ring.size()];
    turns += is_free(x, y) != is_free(next_x, next_y) ? 1 : 0;
  }
  return turns > 2;
}

TEST(Parting, IsWhatAWalkRoundTheCellsFinds) {
  SCOPED_TRACE(test::seed_trace());
  Random random(test::seed());
  int parting = 0;
  int looked_at = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::uint32_t width = 1 + random.below(random.below(2) == 0 ? 20 : 140);
    const std::uint32_t height = 1 + random.below(random.below(2) == 0 ? 20 : 140);
    std::vector<std::string> rows(height, std::string(width, '.'));
    const std::uint32_t walls = random.below(30);
    for (std::string& row : rows)
      for (char& c : row)
        if (random.below(100) < walls) c = '#';
    const std::uint32_t x0 = random.below(width);
    const std::uint32_t y0 = random.below(height);
    const auto x1 = std::min<std::uint32_t>(width - 1, x0 + random.below(kPartingSideMax));
    const auto y1 = std::min<std::uint32_t>(height - 1, y0 + random.below(kPartingSideMax));
    std::vector<NodeId> blocked;
    for (std::uint32_t y = y0; y <= y1; ++y)
      for (std::uint32_t x = x0; x <= x1; ++x) {
        rows[y][x] = '#';
        blocked.push_back(NodeId{y * width + x});
      }
    if (random.below(4) == 0) rows[y0][x0] = '.';  // was freed at the same time
    const CellsBox box{static_cast<int>(x0), static_cast<int>(y0), static_cast<int>(x1),
                       static_cast<int>(y1)};
    const bool parts = plain_may_part(rows, box);
    ASSERT_EQ(may_part(test::draw_layer({rows.begin(), rows.end()}), blocked), parts)
        << "round " << round;
    parting += parts ? 1 : 0;
    ++looked_at;
  }
  EXPECT_GT(parting, looked_at / 4);
  EXPECT_LT(parting, looked_at * 9 / 10);
}

}  // namespace
}  // namespace repath
