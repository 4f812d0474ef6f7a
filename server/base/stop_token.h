// Asked now and then by work that may be stopped from outside: a deadline, a client that has gone.
#pragma once

namespace repath {

class StopToken {
 public:
  virtual ~StopToken() = default;
  virtual bool stop_requested() const = 0;
};

}  // namespace repath
