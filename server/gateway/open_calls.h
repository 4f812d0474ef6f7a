// The calls that HTTP clients have under way, so that they can be ended together.
//
// Thread rule: every function from any thread.
#pragma once

#include <grpcpp/client_context.h>

#include <condition_variable>
#include <mutex>
#include <set>

namespace repath {

class OpenCalls {
 public:
  // Counts a call that is about to begin. Returns false after close(): it must not begin.
  bool enter(grpc::ClientContext& call);
  // The call is over. Its context may be destroyed afterwards. Not to be called from gRPC's own
  // callbacks: close() may run them while it cancels.
  void leave(grpc::ClientContext& call);
  // Lets no call begin any more, cancels those under way and waits until each is over.
  void close();

 private:
  std::mutex mutex_;
  std::condition_variable is_empty_;
  std::set<grpc::ClientContext*> calls_;
  bool is_closed_ = false;
};

}  // namespace repath
