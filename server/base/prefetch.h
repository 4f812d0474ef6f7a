// Asks for memory that will be read soon, so that it is on its way while other work is done.
// Changes nothing but time; the address need not be one of ours.
#pragma once

#include <cstddef>

namespace repath {

inline constexpr std::ptrdiff_t kLineBytes = 64;

inline void prefetch(const void* at, std::ptrdiff_t lines = 0) {
  __builtin_prefetch(static_cast<const char*>(at) + lines * kLineBytes);
}

}  // namespace repath
