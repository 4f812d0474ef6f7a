// Finds in a text what Protobuf's reader of JSON should not see. That reader takes some texts that
// are no JSON, drops a null in a list, and needs hundreds of bytes for each open bracket.
//
// Thread rule: a pure function.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace repath {

// Greatest nesting of lists and objects: as deep as Protobuf reads messages in its own format.
inline constexpr std::size_t kMessageDepthMax = 100;

struct JsonFault {
  std::string path;  // as the text names it: "batch.removeObstacles[2]"; empty: not in one field
  std::string what;
};

// Returns the first fault of a text that should be the JSON of a message, if there is one.
// A fault is everything that RFC 8259 does not allow, a null in a list, a list in a list, and a
// nesting deeper than kMessageDepthMax. Whether the message has such fields is not looked at.
// O(text); takes memory for the longest string of the text and for the names around it.
std::optional<JsonFault> find_json_fault(std::string_view text);

}  // namespace repath
