// Processor time and memory during a run, from /proc: of the server's process, of this one, of the
// machine. Functions read files; any thread.
#pragma once

#include <optional>
#include <string>

namespace repath::load {

struct ProcessUse {
  double cpu_seconds = 0;  // user and system, since it began
  double rss_mb = 0;
};

// Empty if the process does not exist or cannot be read.
std::optional<ProcessUse> use_of(int pid);

// Returns the process on this machine that listens at `address` (HOST:PORT or unix:/path). Empty if
// there is none or it cannot be read. Connects to a unix socket for a moment.
std::optional<int> pid_listening_at(const std::string& address);

// Returns the busy time of all cores together since the machine started, in seconds.
std::optional<double> machine_cpu_seconds();
int cores();

}  // namespace repath::load
