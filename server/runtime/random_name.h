// Unique names, for sessions that came without one and for epochs.
#pragma once

#include <string>

namespace repath {

// Returns 32 hexadecimal digits from the system's random numbers. Any thread.
std::string random_name();

}  // namespace repath
