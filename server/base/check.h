// REPATH_CHECK(condition): stops the work at a programming error, in release builds too, and
// reports the place and the condition. Never use it for input: wrong input gets an absl::Status
// (see error.h).
//
// Outside a CheckScope a failed check prints a line and aborts the process. Inside a CheckScope it
// throws CheckFailed. The runtime catches it and sets the world aside in which the check failed, or
// ends the query on a snapshot in which it failed.
// The rooms below the runtime neither open a scope nor catch the exception. An object that was at
// work when the exception passed through it may only be destroyed afterwards.
//
// Thread rule: a scope counts for the thread that opened it.
#pragma once

#include <array>
#include <cstddef>
#include <exception>
#include <string>

namespace repath {

// A check that failed inside a scope: its place, its condition and the calls that led there.
class CheckFailed : public std::exception {
 public:
  static constexpr std::size_t kFramesMax = 48;

  // `condition` and `file` are literals. Records the call stack of the current thread.
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

// While a CheckScope lives, failed checks on this thread throw. Scopes may be nested.
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
