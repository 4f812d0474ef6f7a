#include "cli/canvas.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "cli/context.h"

namespace repath::cli {
namespace {

struct Look {
  char symbol;
  const char* colour;
  const char* name;
};

Look look_of(Mark mark) {
  switch (mark) {
    case Mark::kUnknown:
      break;
    case Mark::kWall:
      return {'#', "\x1b[90m", "blocked or out of reach"};
    case Mark::kFree:
      return {'.', "\x1b[90m", "free"};
    case Mark::kOpen:
      return {'?', "\x1b[36m", "open (still queued)"};
    case Mark::kClosed:
      return {'+', "\x1b[34m", "closed (expanded)"};
    case Mark::kDoorOpen:
      return {'_', "\x1b[32m", "open door"};
    case Mark::kDoorShut:
      return {'X', "\x1b[1;31m", "shut door"};
    case Mark::kObstacle:
      return {'#', "\x1b[37m", "wall"};
    case Mark::kTower:
      return {'T', "\x1b[1;37m", "tower"};
    case Mark::kPath:
      return {'o', "\x1b[1;33m", "path"};
    case Mark::kAgent:
      return {'@', "\x1b[1;36m", "agent"};
    case Mark::kStart:
      return {'S', "\x1b[1;32m", "start"};
    case Mark::kGoal:
      return {'G', "\x1b[1;35m", "goal"};
  }
  return {' ', "", "unknown"};
}

}  // namespace

TerminalSize terminal_size() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20 || size.ws_row < 8)
    return {};
  return {size.ws_col, size.ws_row};
}

Canvas::Canvas(int x0, int y0, int x1, int y1, TerminalSize most) : x0_(x0), y0_(y0) {
  const int width = x1 - x0;
  const int height = y1 - y0;
  while ((width + scale_ - 1) / scale_ > most.columns || (height + scale_ - 1) / scale_ > most.rows)
    ++scale_;
  columns_ = (width + scale_ - 1) / scale_;
  rows_ = (height + scale_ - 1) / scale_;
  marks_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_),
                Mark::kUnknown);
  ground_.assign(marks_.size(), 0);
}

void Canvas::put(int x, int y, Mark mark) {
  if (x < x0_ || y < y0_) return;
  const int column = (x - x0_) / scale_;
  const int row = (y - y0_) / scale_;
  if (column >= columns_ || row >= rows_) return;
  const auto at = static_cast<std::size_t>(row * columns_ + column);
  if (mark == Mark::kFree) ++ground_[at];
  if (mark == Mark::kWall) --ground_[at];
  marks_[at] = std::max(marks_[at], mark);
}

std::string Canvas::text(bool colours) const {
  std::string text;
  for (int row = 0; row < rows_; ++row) {
    Mark before = Mark::kUnknown;
    for (int column = 0; column < columns_; ++column) {
      const auto at = static_cast<std::size_t>(row * columns_ + column);
      const Mark mark = marks_[at] == Mark::kFree && ground_[at] <= 0 ? Mark::kWall : marks_[at];
      if (colours && mark != before) text += std::string("\x1b[0m") + look_of(mark).colour;
      text += look_of(mark).symbol;
      before = mark;
    }
    if (colours) text += "\x1b[0m";
    text += '\n';
  }
  return text;
}

std::string legend(const std::vector<Mark>& marks, bool colours) {
  std::string text;
  for (const Mark mark : marks) {
    const Look look = look_of(mark);
    if (!text.empty()) text += "  ";
    if (colours) text += look.colour;
    text += look.symbol;
    if (colours) text += "\x1b[0m";
    text += std::string(" ") + look.name;
  }
  return text;
}

}  // namespace repath::cli
