#include "bench/scapes.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/random.h"

namespace repath::bench {
namespace {

constexpr TerrainId kGround{0};
constexpr TerrainId kWall{1};
constexpr std::int32_t kSmallRoom = 8;
constexpr std::int32_t kHall = 64;
constexpr std::int32_t kHallDoor = 8;

class Scape {
 public:
  Scape(std::int32_t side, double density, std::uint64_t seed) : random_(seed), wanted_(density) {
    map_.width = side;
    map_.height = side;
    map_.cells.assign(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), kGround);
  }

  void forest() {
    while (share() < wanted_) block(any(), any());
  }
  void lakes() {
    while (share() < wanted_) {
      const std::int32_t x = any(), y = any();
      const std::int32_t r = map_.width / 40 + 1 + below(map_.width / 18 + 1);
      for (std::int32_t dy = -r; dy <= r; ++dy)
        for (std::int32_t dx = -r; dx <= r; ++dx)
          if (dx * dx + dy * dy <= r * r) block(x + dx, y + dy);
    }
  }
  void cubicles() {
    for (int tries = 0; share() < wanted_ && tries < map_.width * 64; ++tries) {
      const std::int32_t x = any(), y = any(), w = 5 + below(12), h = 5 + below(12);
      if (!is_clear(x - 2, y - 2, w + 4, h + 4)) continue;
      const std::int32_t gap = below(2 * (w + h));
      outline(x, y, w, h, gap);
    }
  }
  void obstacle() {
    const auto side = static_cast<std::int32_t>(map_.width * std::sqrt(wanted_));
    const std::int32_t at = (map_.width - side) / 2;
    for (std::int32_t y = at; y < at + side; ++y)
      for (std::int32_t x = at; x < at + side; ++x) block(x, y);
  }
  // Walls every `room` cells take about 2 / room of the cells.
  void rooms(std::int32_t room, std::int32_t door) {
    for (std::int32_t at = room; at < map_.width; at += room) {
      for (std::int32_t from = 0; from < map_.width; from += room) {
        wall(at, from, room, door, true);
        wall(at, from, room, door, false);
      }
    }
  }
  // Quarters of small rooms beside halls, as the fields of a chessboard.
  void halls(std::int32_t hall, std::int32_t hall_door, std::int32_t room, std::int32_t door) {
    rooms(hall, hall_door);
    for (std::int32_t y = 0; y < map_.height; y += hall)
      for (std::int32_t x = 0; x < map_.width; x += hall) {
        if ((x / hall + y / hall) % 2 == 0) continue;
        for (std::int32_t at = room; at < hall; at += room)
          for (std::int32_t from = 0; from < hall; from += room) {
            wall(x + at, y + from, room, door, true);
            wall(y + at, x + from, room, door, false);
          }
      }
  }
  GridMap take() { return std::move(map_); }

 private:
  // From `from` on, at `at` across; a door somewhere in it.
  void wall(std::int32_t at, std::int32_t from, std::int32_t length, std::int32_t door,
            bool upright) {
    const std::int32_t gap = from + 1 + below(length - door);
    for (std::int32_t i = from; i < from + length; ++i) {
      if (i >= gap && i < gap + door) continue;
      block(upright ? at : i, upright ? i : at);
    }
  }
  std::int32_t below(std::int32_t n) {
    return static_cast<std::int32_t>(random_.below(static_cast<std::uint32_t>(n)));
  }
  std::int32_t any() { return below(map_.width); }
  double share() const {
    return static_cast<double>(blocked_) / static_cast<double>(map_.cells.size());
  }
  bool contains(std::int32_t x, std::int32_t y) const {
    return x >= 0 && y >= 0 && x < map_.width && y < map_.height;
  }
  TerrainId& at(std::int32_t x, std::int32_t y) {
    return map_.cells[static_cast<std::size_t>(y) * static_cast<std::size_t>(map_.width) +
                      static_cast<std::size_t>(x)];
  }
  void block(std::int32_t x, std::int32_t y) {
    if (!contains(x, y) || at(x, y) == kWall) return;
    at(x, y) = kWall;
    ++blocked_;
  }
  bool is_clear(std::int32_t x0, std::int32_t y0, std::int32_t w, std::int32_t h) {
    for (std::int32_t y = y0; y < y0 + h; ++y)
      for (std::int32_t x = x0; x < x0 + w; ++x)
        if (contains(x, y) && at(x, y) == kWall) return false;
    return true;
  }
  // Draws an outline except two cells, the `gap`-th and the one after it.
  void outline(std::int32_t x, std::int32_t y, std::int32_t w, std::int32_t h, std::int32_t gap) {
    std::int32_t i = 0;
    const auto put = [&](std::int32_t px, std::int32_t py) {
      if (i != gap && i != gap + 1) block(px, py);
      ++i;
    };
    for (std::int32_t k = 0; k < w; ++k) put(x + k, y);
    for (std::int32_t k = 1; k < h; ++k) put(x + w - 1, y + k);
    for (std::int32_t k = w - 2; k >= 0; --k) put(x + k, y + h - 1);
    for (std::int32_t k = h - 2; k > 0; --k) put(x, y + k);
  }

  GridMap map_;
  Random random_;
  double wanted_;
  std::uint64_t blocked_ = 0;
};

}  // namespace

const std::vector<std::string>& scape_names() {
  static const std::vector<std::string> names{"forest", "lakes", "cubicles", "obstacle", "rooms"};
  return names;
}

const std::vector<std::string>& fixed_scape_names() {
  static const std::vector<std::string> names{"rooms8", "halls"};
  return names;
}

GridMap make_scape(std::string_view name, std::int32_t side, double density, std::uint64_t seed) {
  REPATH_CHECK(side >= 16 && side <= 16384 && density >= 0 && density <= 0.6);
  Scape scape(side, density, seed);
  if (name == "forest") {
    scape.forest();
  } else if (name == "lakes") {
    scape.lakes();
  } else if (name == "cubicles") {
    scape.cubicles();
  } else if (name == "obstacle") {
    scape.obstacle();
  } else if (name == "rooms8") {
    scape.rooms(kSmallRoom, 1);
  } else if (name == "halls") {
    scape.halls(kHall, kHallDoor, kSmallRoom, 1);
  } else {
    REPATH_CHECK(name == "rooms");
    const auto room =
        density > 0 ? std::clamp(static_cast<std::int32_t>(2 / density), 5, side) : side;
    scape.rooms(room, std::max(1, room / 8));
  }
  return scape.take();
}

GridMap make_rooms(std::int32_t side, std::int32_t room, std::int32_t door, std::uint64_t seed) {
  REPATH_CHECK(door > 0 && door < room);
  Scape scape(side, 0, seed);
  scape.rooms(room, door);
  return scape.take();
}

}  // namespace repath::bench
