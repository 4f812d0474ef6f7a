// Text in the format gzip (RFC 1952), as HTTP carries it.
//
// Thread rule: pure function.
#pragma once

#include <string>
#include <string_view>

namespace repath {

// Returns the text, compressed as far as zlib can.
std::string gzip(std::string_view text);

}  // namespace repath
