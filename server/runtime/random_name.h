// Names that nobody else has: of sessions that came without one, and of epochs.
#pragma once

#include <string>

namespace repath {

// 32 hexadecimal digits from the system's random numbers. Any thread.
std::string random_name();

}  // namespace repath
