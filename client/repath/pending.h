// An answer that is to come. Call exactly one of then(), future() or get() to receive it. If a
// Pending is dropped, the call is made all the same.
//
// Thread rule: one thread at a time for one Pending. Callbacks given to then() run where
// ClientOptions::delivery says; futures become ready on the library's threads, with or without
// poll().
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "repath/result.h"

namespace repath::client {

// Runs callbacks on the thread that the user has chosen; made by the library (delivery.h).
class Deliverer {
 public:
  virtual ~Deliverer() = default;
  virtual void post(std::function<void()> callback) = 0;
};

template <typename T>
class Pending {
 public:
  using Callback = std::function<void(Result<T>)>;

  explicit Pending(std::shared_ptr<Deliverer> deliverer) : state_(std::make_shared<State>()) {
    state_->deliverer = std::move(deliverer);
  }

  // Calls `callback` exactly once, also with an error; drops it if the client is destroyed first.
  void then(Callback callback) {
    state_->take([deliverer = state_->deliverer, callback = std::move(callback)](Result<T> result) {
      deliverer->post(
          [callback, result = std::move(result)]() mutable { callback(std::move(result)); });
    });
  }

  [[nodiscard]] std::future<Result<T>> future() {
    auto promise = std::make_shared<std::promise<Result<T>>>();
    state_->take([promise](Result<T> result) { promise->set_value(std::move(result)); });
    return promise->get_future();
  }

  // Blocks until the answer has come, at most for the call's deadline. Not from inside a callback.
  [[nodiscard]] Result<T> get() { return future().get(); }

  // For the library: returns a callable that takes the answer. It may be copied and is called once,
  // from any thread.
  [[nodiscard]] Callback arrival() const {
    return [state = state_](Result<T> result) { state->arrive(std::move(result)); };
  }

 private:
  struct State {
    std::mutex mutex;
    std::optional<Result<T>> result;
    Callback sink;
    std::shared_ptr<Deliverer> deliverer;

    void take(Callback wanted) {
      std::unique_lock lock(mutex);
      if (!result.has_value()) {
        sink = std::move(wanted);
        return;
      }
      lock.unlock();
      wanted(std::move(*result));
    }

    void arrive(Result<T> arrived) {
      std::unique_lock lock(mutex);
      if (!sink) {
        result = std::move(arrived);
        return;
      }
      Callback to = std::move(sink);
      lock.unlock();
      to(std::move(arrived));
    }
  };
  std::shared_ptr<State> state_;
};

}  // namespace repath::client
