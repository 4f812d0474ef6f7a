// Tells long work that it should stop, for example at a deadline or after the client has gone. The
// work asks it now and then.
#pragma once

namespace repath {

class StopToken {
 public:
  virtual ~StopToken() = default;
  virtual bool stop_requested() const = 0;
};

}  // namespace repath
