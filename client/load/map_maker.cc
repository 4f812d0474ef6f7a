#include "load/map_maker.h"

#include <algorithm>
#include <cstdio>

#include "verify/dice.h"

namespace repath::load {
namespace {

constexpr int kRoomPitch = 24;       // cells from wall to wall
constexpr int kDoorWidth = 2;        // cells
constexpr double kSecondDoor = 0.3;  // the share of walls with two doors
constexpr double kTrees = 0.12;      // the share of a forest, before clumps overlap
constexpr int kClump = 4;            // cells
constexpr int kBlock = 16;           // metres of a plan for each building or wall

using Rows = std::vector<std::string>;

Rows open_rows(int side) {
  return Rows(static_cast<std::size_t>(side), std::string(static_cast<std::size_t>(side), '.'));
}

char& at(Rows& rows, int x, int y) {
  return rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
}

std::string moving_ai(const Rows& rows) {
  const std::string side = std::to_string(rows.size());
  std::string text = "type octile\nheight " + side + "\nwidth " + side + "\nmap\n";
  for (const std::string& row : rows) text += row + '\n';
  return text;
}

MadeMap make_forest(int side, verify::Dice& dice) {
  Rows rows = open_rows(side);
  const double clump = (1 + kClump) / 2.0;
  const int clumps = static_cast<int>(kTrees * side * side / (clump * clump));
  for (int i = 0; i < clumps; ++i) {
    const int x0 = dice.below(side);
    const int y0 = dice.below(side);
    const int x1 = std::min(side, x0 + dice.between(1, kClump));
    const int y1 = std::min(side, y0 + dice.between(1, kClump));
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x) at(rows, x, y) = 'T';
  }
  return {moving_ai(rows), {}};
}

// Opens a door in the wall that runs from (x, y) over `length` cells, to the right or down.
void open_door(Rows& rows, int x, int y, int length, bool down, verify::Dice& dice,
               std::vector<verify::Rect>& doors) {
  if (length < kDoorWidth) return;
  const int along = dice.between(0, length - kDoorWidth);
  verify::Rect door{x, y, x + 1, y + 1};
  (down ? door.y0 : door.x0) += along;
  (down ? door.y1 : door.x1) = (down ? door.y0 : door.x0) + kDoorWidth;
  for (int v = door.y0; v < door.y1; ++v)
    for (int u = door.x0; u < door.x1; ++u) at(rows, u, v) = '.';
  const bool meets = std::any_of(doors.begin(), doors.end(), [&](const verify::Rect& other) {
    return other.x0 < door.x1 && door.x0 < other.x1 && other.y0 < door.y1 && door.y0 < other.y1;
  });
  if (!meets) doors.push_back(door);
}

MadeMap make_rooms(int side, verify::Dice& dice) {
  Rows rows = open_rows(side);
  for (int wall = kRoomPitch; wall < side; wall += kRoomPitch) {
    for (int i = 0; i < side; ++i) at(rows, wall, i) = at(rows, i, wall) = '@';
  }
  std::vector<verify::Rect> doors;
  for (int wall = kRoomPitch; wall < side; wall += kRoomPitch) {
    for (int room = 0; room < side; room += kRoomPitch) {
      const int from = room == 0 ? 0 : room + 1;
      const int length = std::min(side, room + kRoomPitch) - from;
      for (const bool down : {false, true}) {
        const int count = dice.chance(kSecondDoor) ? 2 : 1;
        for (int i = 0; i < count; ++i)
          open_door(rows, down ? wall : from, down ? from : wall, length, down, dice, doors);
      }
    }
  }
  return {moving_ai(rows), std::move(doors)};
}

// Returns a ring of a plan; `xz` in metres.
std::string ring(const std::vector<double>& xz) {
  std::string text = "[";
  for (std::size_t i = 0; i + 1 < xz.size(); i += 2) {
    char corner[64];
    std::snprintf(corner, sizeof corner, "%s[%.2f, %.2f]", i == 0 ? "" : ", ", xz[i], xz[i + 1]);
    text += corner;
  }
  return text + "]";
}

// One block of a plan: a building, a wall with a bend, or nothing.
std::string block(double x, double z, verify::Dice& dice) {
  const double w = 4 + 8 * dice.unit();
  const double d = 4 + 8 * dice.unit();
  x += 1 + (kBlock - 2 - w) * dice.unit();
  z += 1 + (kBlock - 2 - d) * dice.unit();
  constexpr double kThick = 0.3;
  switch (dice.below(5)) {
    case 0:
    case 1:
      return ring({x, z, x + w, z, x + w, z + d, x, z + d});
    case 2:
    case 3:
      return ring(
          {x, z, x + w, z, x + w, z + kThick, x + kThick, z + kThick, x + kThick, z + d, x, z + d});
    default:
      return "";
  }
}

MadeMap make_plan(int side, verify::Dice& dice) {
  std::string holes;
  for (int z = 0; z + kBlock <= side; z += kBlock) {
    for (int x = 0; x + kBlock <= side; x += kBlock) {
      const std::string hole = block(x, z, dice);
      if (!hole.empty()) holes += (holes.empty() ? "" : ",\n") + hole;
    }
  }
  const double far = side;
  return {"{\"floors\": [{\"y\": 0, \"outer\": " + ring({0, 0, far, 0, far, far, 0, far}) +
              ", \"holes\": [\n" + holes + "]}], \"links\": []}\n",
          {}};
}

}  // namespace

MadeMap make_map(MadeGround kind, int side, std::uint64_t seed) {
  verify::Dice dice(seed);
  switch (kind) {
    case MadeGround::kForest:
      return make_forest(side, dice);
    case MadeGround::kRooms:
      return make_rooms(side, dice);
    case MadeGround::kPlan:
      return make_plan(side, dice);
  }
  return {};
}

}  // namespace repath::load
