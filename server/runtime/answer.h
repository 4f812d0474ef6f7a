// The receiver of a command's result.
//
// Thread rule: called once, on the thread that has the result; it must pass long work on.
//
// A command may take effect and wait for the disk then. If its caller stops waiting, or the disk
// fails, the answer is an error although something has changed.
#pragma once

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/stop_token.h"

namespace repath {

template <class T>
class Answer {
 public:
  using Give = std::function<void(absl::StatusOr<T>)>;
  // Returns why the caller no longer waits; OK while it waits. May be called on any thread, before
  // the answer is given.
  using Over = std::function<absl::Status()>;
  // Takes note of a result that the caller does not get. Must not wait.
  using Note = std::function<void(const T&)>;

  Answer() = default;
  template <class F>
  requires(!std::same_as<std::remove_cvref_t<F>, Answer> &&
           std::is_invocable_v<F&, absl::StatusOr<T>>) Answer(F give)
      : give_(std::move(give)) {}  // NOLINT: a function is an answer
  Answer(Give give, Over over, Note note = nullptr)
      : give_(std::move(give)), over_(std::move(over)), note_(std::move(note)) {}

  void operator()(absl::StatusOr<T> result) const { give_(std::move(result)); }
  // Gives the error in place of the result with which the command took effect.
  void fail(absl::Status error, const T& result) const {
    if (note_) note_(result);
    give_(std::move(error));
  }
  absl::Status over() const { return over_ ? over_() : absl::OkStatus(); }

 private:
  Give give_;
  Over over_;
  Note note_;
};

// Stops long work once the receiver of its result no longer waits. Borrows the answer.
template <class T>
class CallerGone final : public StopToken {
 public:
  explicit CallerGone(const Answer<T>& answer) : answer_(answer) {}
  bool stop_requested() const override { return !answer_.over().ok(); }

 private:
  const Answer<T>& answer_;
};

}  // namespace repath
