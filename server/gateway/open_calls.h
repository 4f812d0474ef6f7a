// The calls that HTTP clients have under way, so that they can be ended together.
//
// Thread rule: every function from any thread.
#pragma once

#include <grpcpp/client_context.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>

namespace repath {

class OpenCalls {
 public:
  // Ends what a call waits for, besides gRPC. Must not wait, nor call back.
  using End = std::function<void()>;

  // Counts a call that is about to begin. Returns false after close(): it must not begin.
  bool enter(grpc::ClientContext& call, End end = nullptr);
  // The call is over. Its context may be destroyed afterwards. Not to be called from gRPC's own
  // callbacks: close() may run them while it cancels.
  void leave(grpc::ClientContext& call);
  // Waits until no call is under way, or until that time.
  void wait_until(std::chrono::steady_clock::time_point time);
  // Lets no call begin any more, ends those under way and waits until each is over.
  void close();

 private:
  std::mutex mutex_;
  std::condition_variable is_empty_;
  std::map<grpc::ClientContext*, End> calls_;
  bool is_closed_ = false;
};

}  // namespace repath
