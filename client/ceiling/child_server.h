// A server that this program starts for itself, on a processor of its choice, and ends.
//
// Thread rule: one thread; a thread of its own reads what the server prints.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace repath::ceiling {

// The processors that this process may run on, ascending.
std::vector<int> usable_cores();
// Keeps the calling thread, and threads that it makes from now on, on this core.
void keep_to_core(int core);

class ChildServer {
 public:
  // Starts `binary` on `core` and waits up to 20 s for a line with `mark` in it. The text after the
  // mark up to a blank is address(). If the line does not come, address() is empty and why() has
  // the reason.
  ChildServer(const std::string& binary, const std::vector<std::string>& arguments, int core,
              std::string_view mark);
  // Ends the server with SIGTERM, and with SIGKILL after 5 s.
  ~ChildServer();
  // Ends the server at once, as a crash would.
  void kill();
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
  std::thread reader_;
  std::string address_;
  std::string why_;
};

}  // namespace repath::ceiling
