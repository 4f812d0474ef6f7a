#include "base/check.h"

#include <execinfo.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace repath {
namespace {

// Number of open scopes on this thread, plus one. It starts at one because mold 1.10 (Debian 12)
// lays out a program whose thread-local data is all zero in a way that the loader may refuse.
thread_local int scopes = 1;

// Cuts off everything before the repository's folder.
std::string_view place_of_file(std::string_view file) {
  const std::size_t at = file.rfind("server/");
  return at == std::string_view::npos ? file : file.substr(at);
}

}  // namespace

CheckFailed::CheckFailed(const char* condition, const char* file, int line)
    : condition_(condition),
      text_(std::string(place_of_file(file)) + ":" + std::to_string(line) + ": REPATH_CHECK(" +
            condition_ + ") failed") {
  const int taken = backtrace(frames_.data(), static_cast<int>(kFramesMax));
  frame_count_ = taken > 0 ? static_cast<std::size_t>(taken) : 0;
}

CheckScope::CheckScope() { ++scopes; }
CheckScope::~CheckScope() { --scopes; }

void check_failed(const char* condition, const char* file, int line) {
  if (scopes > 1) throw CheckFailed(condition, file, line);
  std::fprintf(stderr, "%s:%d: REPATH_CHECK(%s) failed\n", file, line, condition);
  std::abort();
}

}  // namespace repath
