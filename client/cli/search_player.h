// Plays a search in the terminal: step by step, forwards and backwards, at a speed of one's choice.
//
// Keys: space plays and pauses, right and left arrow step, up and down arrow double and halve the
// speed, Home and End go to the first and the last step, q ends. The terminal's screen and settings
// are as before when it ends.
//
// Thread rule: one thread; it reads stdin and writes stdout, which must be terminals.
#pragma once

#include <cmath>
#include <functional>
#include <string>

#include "cli/canvas.h"
#include "cli/search_film.h"

namespace repath::cli {

// Returns whether stdin and stdout are terminals, which play() requires.
bool can_play();

// Draws the ground, without the search, on the canvas that play() made. See Stage.
using DrawGround = std::function<void(Canvas*)>;

// The part of the world that is shown, [x0, x1) x [y0, y1), in the units of FilmNode::x and y. One
// character of the picture is at least `unit` wide.
struct Stage {
  double x0 = 0;
  double y0 = 0;
  double x1 = 1;
  double y1 = 1;
  double unit = 1;
  DrawGround draw_ground = [](Canvas*) {};
  DrawGround draw_ends = [](Canvas*) {};  // above the search: path, start and goals
  // Coordinates of the canvas for a place: on grids those of the cell.
  int column(double x) const { return static_cast<int>(std::floor(x / unit)); }
  int row(double y) const { return static_cast<int>(std::floor(y / unit)); }
};

// Plays until the user ends it. `title` is shown above the picture.
void play(const SearchFilm& film, const Stage& stage, const std::string& title);

}  // namespace repath::cli
