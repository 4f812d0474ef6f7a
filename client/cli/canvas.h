// A picture of a part of a grid in characters, scaled down where it does not fit.
//
// Thread rule: one thread.
// Invariants: each character stands for `scale` x `scale` cells and shows the most important mark
// among them; where that is only ground, free if most of it is, else wall.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace repath::cli {

// Ascending importance.
enum class Mark : std::uint8_t {
  kUnknown,
  kWall,
  kFree,
  kOpen,
  kClosed,
  kDoorOpen,
  kDoorShut,
  kObstacle,
  kTower,
  kPath,
  kAgent,
  kStart,
  kGoal
};

struct TerminalSize {
  int columns = 100;
  int rows = 40;
};

// Of stdout's terminal; 100 x 40 where there is none.
TerminalSize terminal_size();

class Canvas {
 public:
  // Shows cells [x0, x1) x [y0, y1), not empty, in at most `most` characters.
  Canvas(int x0, int y0, int x1, int y1, TerminalSize most);

  // Cells outside are passed over.
  void put(int x, int y, Mark mark);
  [[nodiscard]] int scale() const { return scale_; }
  // Lines with an end of line each; `colours` uses ANSI escapes.
  [[nodiscard]] std::string text(bool colours) const;

 private:
  int x0_;
  int y0_;
  int scale_ = 1;
  int columns_ = 0;
  int rows_ = 0;
  std::vector<Mark> marks_;
  std::vector<int> ground_;  // Free cells less walls, of each character.
};

// "S start, G goal, ..." for these marks.
std::string legend(const std::vector<Mark>& marks, bool colours);

}  // namespace repath::cli
