#include "repath/internal/utf8.h"

#include <cstddef>

namespace repath::client {
namespace {

// Returns the number of bytes of the character that `text` begins with; 0 if it begins with none.
// Source: table 3-7 of the Unicode Standard. Requires a text that is not empty.
std::size_t first_character(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const std::size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (text.size() < length) return 0;
  const unsigned char lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const unsigned char highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (byte(1) < lowest || byte(1) > highest) return 0;
  for (std::size_t at = 2; at < length; ++at)
    if (byte(at) < 0x80 || byte(at) > 0xbf) return 0;
  return length;
}

}  // namespace

std::string as_utf8(std::string_view text) {
  std::string made;
  made.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = first_character(text);
    made += length > 0 ? text.substr(0, length) : "\xef\xbf\xbd";
    text.remove_prefix(length > 0 ? length : 1);
  }
  return made;
}

}  // namespace repath::client
