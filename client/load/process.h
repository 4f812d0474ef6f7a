// What the machine does meanwhile, as /proc tells it: the server's process, this one, all others.
// Functions read files; any thread.
#pragma once

#include <optional>
#include <string>

namespace repath::load {

struct ProcessUse {
  double cpu_seconds = 0;  // user and system, since it began
  double rss_mb = 0;
};

// Nothing if there is no such process, or it may not be looked at.
std::optional<ProcessUse> use_of(int pid);

// The process on this machine that listens at `address` (HOST:PORT or unix:/path); nothing if there
// is none, or it may not be looked at. Connects to a unix socket for a moment.
std::optional<int> pid_listening_at(const std::string& address);

// Seconds of all cores together that were spent on anything, since the machine began.
std::optional<double> machine_cpu_seconds();
int cores();

}  // namespace repath::load
