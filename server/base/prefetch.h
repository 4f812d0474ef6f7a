// Starts to load memory that will be read soon, while other work is done. It changes only the
// timing; any address is allowed, valid or not.
#pragma once

#include <cstddef>

namespace repath {

inline constexpr std::ptrdiff_t kLineBytes = 64;

inline void prefetch(const void* at, std::ptrdiff_t lines = 0) {
  __builtin_prefetch(static_cast<const char*>(at) + lines * kLineBytes);
}

}  // namespace repath
