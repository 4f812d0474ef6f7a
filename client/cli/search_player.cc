#include "cli/search_player.h"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <sstream>
#include <string_view>

#include "cli/print.h"

namespace repath::cli {
namespace {

constexpr int kLinesAround = 6;
constexpr double kSpeedMin = 0.5;     // steps a second
constexpr double kSpeedMax = 65'536;  // above 30, several steps a picture
constexpr double kPicturesMax = 30;   // a second

enum class Key : std::uint8_t { kNone, kPlay, kNext, kBack, kFaster, kSlower, kFirst, kLast, kEnd };

// The terminal without line editing and echo, on its second screen. Everything is put back at the
// end of its life.
class RawTerminal {
 public:
  RawTerminal() {
    ::tcgetattr(STDIN_FILENO, &before_);
    termios raw = before_;
    ::cfmakeraw(&raw);
    raw.c_oflag |= OPOST;  // a new line also returns
    ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    std::cout << "\x1b[?1049h\x1b[?25l" << std::flush;
  }
  ~RawTerminal() {
    std::cout << "\x1b[?25h\x1b[?1049l" << std::flush;
    ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
  }
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

  // Waits at most so long for a key; -1: without end. The end of the input counts as kEnd.
  static Key read_key(int wait_ms) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (::poll(&input, 1, wait_ms) <= 0) return Key::kNone;
    char bytes[16];
    const ssize_t count = ::read(STDIN_FILENO, bytes, sizeof bytes);
    if (count <= 0) return Key::kEnd;
    return key_of({bytes, static_cast<std::size_t>(count)});
  }

 private:
  static Key key_of(std::string_view bytes) {
    if (bytes == "\x1b[C" || bytes == "\x1bOC" || bytes == "l") return Key::kNext;
    if (bytes == "\x1b[D" || bytes == "\x1bOD" || bytes == "h") return Key::kBack;
    if (bytes == "\x1b[A" || bytes == "\x1bOA" || bytes == "+") return Key::kFaster;
    if (bytes == "\x1b[B" || bytes == "\x1bOB" || bytes == "-") return Key::kSlower;
    if (bytes == "\x1b[H" || bytes == "\x1b[1~" || bytes == "\x1bOH" || bytes == "0")
      return Key::kFirst;
    if (bytes == "\x1b[F" || bytes == "\x1b[4~" || bytes == "\x1bOF" || bytes == "$")
      return Key::kLast;
    if (bytes == " ") return Key::kPlay;
    if (bytes == "q" || bytes == "\x1b" || bytes == "\x03" || bytes == "\x04") return Key::kEnd;
    return Key::kNone;
  }

  termios before_{};
};

class Player {
 public:
  Player(const SearchFilm& film, const Stage& stage, const std::string& title)
      : film_(film), stage_(stage), title_(title) {}

  void run() {
    RawTerminal terminal;
    while (true) {
      draw();
      const Key key = RawTerminal::read_key(wait_ms());
      if (key == Key::kEnd) return;
      take(key);
    }
  }

 private:
  int wait_ms() const {
    if (!plays_) return -1;
    return static_cast<int>(1000 / std::min(speed_, kPicturesMax));
  }

  void take(Key key) {
    const std::size_t last = film_.steps();
    switch (key) {
      case Key::kPlay:
        plays_ = !plays_;
        if (plays_ && step_ == last) step_ = 0;
        return;
      case Key::kNext:
        plays_ = false;
        step_ = std::min(step_ + 1, last);
        return;
      case Key::kBack:
        plays_ = false;
        step_ -= step_ == 0 ? 0 : 1;
        return;
      case Key::kFaster:
        speed_ = std::min(speed_ * 2, kSpeedMax);
        return;
      case Key::kSlower:
        speed_ = std::max(speed_ / 2, kSpeedMin);
        return;
      case Key::kFirst:
        step_ = 0;
        return;
      case Key::kLast:
        plays_ = false;
        step_ = last;
        return;
      case Key::kNone:
      case Key::kEnd:
        break;
    }
    if (!plays_) return;
    step_ = std::min(step_ + static_cast<std::size_t>(std::max(1.0, speed_ / kPicturesMax)), last);
    if (step_ == last) plays_ = false;
  }

  void draw() const {
    TerminalSize size = terminal_size();
    size.rows -= kLinesAround;
    Canvas canvas(stage_.column(stage_.x0), stage_.row(stage_.y0), stage_.column(stage_.x1),
                  stage_.row(stage_.y1), size);
    stage_.draw_ground(&canvas);
    const std::vector<FilmState> states = film_.states_after(step_);
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (states[i] == FilmState::kUnseen) continue;
      const FilmNode& node = film_.nodes()[i];
      canvas.put(stage_.column(node.x), stage_.row(node.y),
                 states[i] == FilmState::kClosed ? Mark::kClosed : Mark::kOpen);
    }
    if (step_ > 0) {
      const FilmNode& node = film_.nodes()[film_.expansions()[step_ - 1]];
      canvas.put(stage_.column(node.x), stage_.row(node.y), Mark::kAgent);
    }
    stage_.draw_ends(&canvas);
    std::ostringstream screen;
    screen << "\x1b[H" << title_ << "\x1b[K\n";
    std::string line;
    std::istringstream picture(canvas.text(true));
    while (std::getline(picture, line)) screen << line << "\x1b[K\n";
    screen << legend({Mark::kStart, Mark::kGoal, Mark::kClosed, Mark::kOpen}, true)
           << ", @ expanded now\x1b[K\n"
           << status() << "\x1b[K\n"
           << "space " << (plays_ ? "pause" : "play") << "  arrows right, left: step  up, down: "
           << (speed_ < 1 ? fixed2(speed_) : std::to_string(std::lround(speed_)))
           << " steps a second  Home, End  q: quit\x1b[K\x1b[J";
    std::cout << screen.str() << std::flush;
  }

  std::string status() const {
    std::string text =
        "step " + std::to_string(step_) + " of " + std::to_string(film_.steps()) + ": ";
    if (step_ == 0) return text + "nothing is expanded yet";
    const std::size_t at = film_.expansions()[step_ - 1];
    const FilmNode& node = film_.nodes()[at];
    text += film_.name_of(at) + "  g " + fixed2(node.g) + "  h " + fixed2(node.h) + "  f " +
            fixed2(node.f);
    if (node.parent) text += "  reached from " + film_.name_of(*node.parent);
    return text;
  }

  const SearchFilm& film_;
  const Stage& stage_;
  const std::string& title_;
  std::size_t step_ = 0;
  bool plays_ = true;
  double speed_ = 8;  // steps a second
};

}  // namespace

bool can_play() { return ::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0; }

void play(const SearchFilm& film, const Stage& stage, const std::string& title) {
  Player(film, stage, title).run();
}

}  // namespace repath::cli
