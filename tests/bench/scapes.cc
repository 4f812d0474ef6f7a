#include "bench/scapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

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
  // Outlines alone fill a quarter of the map. Beyond that walls become thicker, towards the
  // inside, and at last whole cubicles are filled.
  void cubicles() {
    std::vector<Box> boxes;
    for (const auto& [least, more, aisle] : {std::array{5, 12, 2}, {5, 6, 1}, {4, 3, 1}})
      for (int tries = 0; share() < wanted_ && tries < map_.width * 64; ++tries) {
        const Box box{any(), any(), least + below(more), least + below(more), below(4), below(64)};
        if (!is_clear(box.x - aisle, box.y - aisle, box.w + 2 * aisle, box.h + 2 * aisle)) continue;
        outline(box, 0);
        boxes.push_back(box);
      }
    for (std::int32_t inset = 1; inset < 8; ++inset)
      for (const Box& box : boxes)
        if (share() < wanted_ && std::min(box.w, box.h) - 2 * inset >= 3) outline(box, inset);
    for (const Box& box : boxes) {
      if (share() >= wanted_) break;
      for (std::int32_t y = box.y; y < box.y + box.h; ++y)
        for (std::int32_t x = box.x; x < box.x + box.w; ++x) block(x, y);
    }
  }
  void obstacle() {
    const auto side = static_cast<std::int32_t>(map_.width * std::sqrt(wanted_));
    const std::int32_t at = (map_.width - side) / 2;
    for (std::int32_t y = at; y < at + side; ++y)
      for (std::int32_t x = at; x < at + side; ++x) block(x, y);
  }
  // Walls of `thick` cells stand every `room` cells.
  void rooms(std::int32_t room, std::int32_t door, std::int32_t thick = 1) {
    for (std::int32_t at = room; at < map_.width; at += room) {
      for (std::int32_t from = 0; from < map_.width; from += room) {
        wall(at, from, room, door, true, thick);
        wall(at, from, room, door, false, thick);
      }
    }
  }
  // Takes the rooms and walls whose share is nearest to the one wanted.
  void rooms_as_wanted() {
    if (wanted_ == 0) return;
    double least = 1;
    std::int32_t best_room = 0, best_thick = 0;
    for (std::int32_t thick = 1; thick <= 4; ++thick)
      for (std::int32_t room = thick + 4; room <= map_.width / 2; ++room) {
        const double off = std::abs(share_of_rooms(room, thick) - wanted_);
        if (off >= least) continue;
        least = off;
        best_room = room;
        best_thick = thick;
      }
    rooms(best_room, door_of(best_room), best_thick);
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
  // A closed box with a gap of two cells in one of its sides, at any place but the corners.
  struct Box {
    std::int32_t x, y, w, h;
    std::int32_t side;  // of the gap: 0 above, 1 right, 2 below, 3 left
    std::int32_t gap;   // any number; where along the side it is
  };

  static std::int32_t door_of(std::int32_t room) { return std::max(1, room / 8); }
  // Share of the cells that walls of rooms() take on this map.
  double share_of_rooms(std::int32_t room, std::int32_t thick) const {
    const double lines = (map_.width - 1) / room;
    const double doors = lines * std::ceil(static_cast<double>(map_.width) / room) * door_of(room);
    const double blocked =
        2 * lines * thick * map_.width - lines * lines * thick * thick - 2 * doors * thick;
    return blocked / static_cast<double>(map_.cells.size());
  }
  // From `from` on, at `at` across; a door somewhere in it.
  void wall(std::int32_t at, std::int32_t from, std::int32_t length, std::int32_t door,
            bool upright, std::int32_t thick = 1) {
    const std::int32_t gap = from + thick + below(length - door - thick + 1);
    for (std::int32_t i = from; i < from + length; ++i) {
      if (i >= gap && i < gap + door) continue;
      for (std::int32_t across = at; across < at + thick; ++across)
        block(upright ? across : i, upright ? i : across);
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
  // Draws the outline of what is left of the box when `inset` cells are taken off each side, except
  // the cells in front of its gap.
  void outline(const Box& box, std::int32_t inset) {
    const bool is_across = box.side % 2 == 0;  // the gap is a pair of columns
    const std::int32_t length = is_across ? box.w : box.h;
    const std::int32_t gap = (is_across ? box.x : box.y) + 1 + box.gap % (length - 3);
    const std::int32_t x0 = box.x + inset, x1 = box.x + box.w - 1 - inset;
    const std::int32_t y0 = box.y + inset, y1 = box.y + box.h - 1 - inset;
    const auto put = [&](std::int32_t x, std::int32_t y) {
      const std::int32_t along = is_across ? x : y;
      const bool is_on_side = is_across ? (2 * y < 2 * box.y + box.h) == (box.side == 0)
                                        : (2 * x < 2 * box.x + box.w) == (box.side == 3);
      if (!is_on_side || (along != gap && along != gap + 1)) block(x, y);
    };
    for (std::int32_t x = x0; x <= x1; ++x) put(x, y0), put(x, y1);
    for (std::int32_t y = y0 + 1; y < y1; ++y) put(x0, y), put(x1, y);
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
    scape.rooms_as_wanted();
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
