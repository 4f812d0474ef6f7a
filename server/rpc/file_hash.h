// The hash that an import's header may carry.
#pragma once

#include <string>
#include <string_view>

namespace repath {

// The 32 bytes of the file's SHA-256. Pure function, any thread.
std::string sha256_of(std::string_view file);

}  // namespace repath
