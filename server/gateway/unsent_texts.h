// The messages that WebSockets are taking, so that clients that take none cannot fill the memory.
//
// Thread rule: every function from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <mutex>

namespace repath {

// Messages beyond so many bytes close the WebSockets that have been taking theirs the longest.
constexpr std::uint64_t kUnsentBytesMax = 128 << 20;

class UnsentTexts {
 public:
  // Closes a WebSocket. Must not wait, nor call back.
  using Close = std::function<void()>;

  explicit UnsentTexts(std::uint64_t most = kUnsentBytesMax) : most_(most) {}

  // Counts a message that `owner` sends from now on. If there are too many bytes, closes the owners
  // of the messages that have waited longest, but not this one.
  void begin(const void* owner, std::uint64_t bytes, Close close);
  // The message has been taken, or is given up.
  void end(const void* owner);

 private:
  struct Text {
    const void* owner;
    std::uint64_t bytes;
    Close close;
  };

  const std::uint64_t most_;
  std::mutex mutex_;
  std::list<Text> texts_;  // the longest first
  std::uint64_t bytes_ = 0;
};

}  // namespace repath
