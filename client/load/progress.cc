#include "load/progress.h"

#include <iostream>

#include "cli/context.h"

namespace repath::load {
namespace {

constexpr int kEachLine = 5;  // seconds, without a terminal

}  // namespace

Progress::Progress() : terminal_(cli::stderr_is_terminal()) {}

Progress::~Progress() { clear(); }

void Progress::show(const std::string& line, bool important) {
  if (terminal_) {
    std::cerr << "\r\x1b[K" << line << std::flush;
    drawn_ = true;
    return;
  }
  if (!important && ++left_out_ < kEachLine) return;
  left_out_ = 0;
  std::cerr << line << std::endl;
}

void Progress::clear() {
  if (drawn_) std::cerr << "\r\x1b[K" << std::flush;
  drawn_ = false;
}

}  // namespace repath::load
