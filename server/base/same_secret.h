// Comparing what must stay secret.
//
// Thread rule: any thread.
#pragma once

#include <cstdint>
#include <span>

namespace repath {

// Returns whether both are equal. The time that it takes depends on their sizes alone, so that it
// tells nothing about a secret.
bool is_same_secret(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b);

}  // namespace repath
