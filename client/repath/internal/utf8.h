// Text for string fields of messages, which must be UTF-8. Not installed.
#pragma once

#include <string>
#include <string_view>

namespace repath::client {

// Returns the text with U+FFFD in place of each byte that belongs to no character of UTF-8. O(n).
std::string as_utf8(std::string_view text);

}  // namespace repath::client
