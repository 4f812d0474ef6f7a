// A picture of a part of a grid in characters, scaled down where it does not fit.
//
// Thread rule: one thread.
// Invariants: each character stands for `scale` x `scale` cells and shows
// the most important mark among them. Without a mark it shows free ground if most of its cells are
// free, else wall.
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

// Returns the size of stdout's terminal, or 100 x 40 without one.
TerminalSize terminal_size();

class Canvas {
 public:
  // Shows cells [x0, x1) x [y0, y1), not empty, in at most `most` characters.
  Canvas(int x0, int y0, int x1, int y1, TerminalSize most);

  // Ignores cells outside the window.
  void put(int x, int y, Mark mark);
  [[nodiscard]] int scale() const { return scale_; }
  // Returns the picture, each line with its end; `colours` uses ANSI escapes.
  [[nodiscard]] std::string text(bool colours) const;

 private:
  int x0_;
  int y0_;
  int scale_ = 1;
  int columns_ = 0;
  int rows_ = 0;
  std::vector<Mark> marks_;
  std::vector<int> ground_;  // Free cells less walls of each character.
};

// "S start, G goal, ..." for these marks.
std::string legend(const std::vector<Mark>& marks, bool colours);

}  // namespace repath::cli
