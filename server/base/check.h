// REPATH_CHECK(condition): a programmer's error ends what it happened in, in release too, with the
// place and the condition. Never for input: input gets an absl::Status (see error.h).
//
// Outside a CheckScope a failed check prints a line and aborts the process. Inside one it throws
// CheckFailed, which the runtime catches: it puts aside the world that the check failed in. The
// rooms below the runtime neither open a scope nor catch the exception; an object that was at work
// when it passed may only be destroyed afterwards.
//
// Thread rule: a scope counts for the thread that opened it.
#pragma once

#include <array>
#include <cstddef>
#include <exception>
#include <string>

namespace repath {

// A check that failed inside a scope: where, and who called it.
class CheckFailed : public std::exception {
 public:
  static constexpr std::size_t kFramesMax = 48;

  // `condition` and `file` are literals. Takes the calls of the thread as they are now.
  CheckFailed(const char* condition, const char* file, int line);

  // "server/world/world.cc:170: REPATH_CHECK(uses > 0) failed"
  const char* what() const noexcept override { return text_.c_str(); }
  const std::string& condition() const { return condition_; }
  // Return addresses, the innermost first.
  const std::array<void*, kFramesMax>& frames() const { return frames_; }
  std::size_t frame_count() const { return frame_count_; }

 private:
  std::string condition_;
  std::string text_;
  std::array<void*, kFramesMax> frames_{};
  std::size_t frame_count_ = 0;
};

// As long as one lives, checks that fail on this thread throw. May be nested.
class CheckScope {
 public:
  CheckScope();
  ~CheckScope();
  CheckScope(const CheckScope&) = delete;
  CheckScope& operator=(const CheckScope&) = delete;
};

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace repath

#define REPATH_CHECK(condition) \
  (static_cast<bool>(condition) ? void(0) : ::repath::check_failed(#condition, __FILE__, __LINE__))
