// Text that others chose, such as request ids and messages of a server, in a form that a terminal
// shows and does not obey.
//
// Thread rule: free functions.
#pragma once

#include <string>
#include <string_view>

namespace repath::cli {

// Returns the text on one line. Control characters (U+0000 to U+001F and U+007F to U+009F) and
// bytes that are no UTF-8 become \n, \r, \t or \xHH for each byte. All else stays as it is. Every
// text of a server goes through this function before it is printed for people. --json escapes by
// itself.
std::string visible(std::string_view text);

}  // namespace repath::cli
