// A server that this program starts for itself, on a processor of its choice, and ends.
//
// Thread rule: one thread.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace repath::ceiling {

// The processors that this process may run on, ascending.
std::vector<int> usable_cores();
// Keeps the calling thread, and those that it makes from now on, on one of them.
void keep_to_core(int core);

class ChildServer {
 public:
  // Starts `binary` on `core` and waits, at most 20 s, for a line that has `mark` in it: what
  // follows it up to a blank is address(). Empty address(): it did not come; why() says more.
  ChildServer(const std::string& binary, const std::vector<std::string>& arguments, int core,
              std::string_view mark);
  // SIGTERM, and SIGKILL after 5 s.
  ~ChildServer();
  ChildServer(const ChildServer&) = delete;
  ChildServer& operator=(const ChildServer&) = delete;

  const std::string& address() const { return address_; }
  const std::string& why() const { return why_; }
  // Processor time of all its threads so far, in seconds.
  double cpu_seconds() const;
  // Memory that it holds now, in bytes; 0 if it is gone.
  double resident_bytes() const;

 private:
  void await(std::string_view mark);

  pid_t process_ = -1;
  int output_ = -1;
  std::string address_;
  std::string why_;
};

}  // namespace repath::ceiling
