// The rules by which a server takes or refuses a token file. A command that changed a file which
// the server refuses would say "revoked" of a token that lives on.
//
// server/access/token_file.h has the same rules in the server's own reader, because client/ and
// server/ share no code.
//
// Thread rule: free functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace repath::cli {

// Returns the words of a line, which blanks, tabs or carriage returns separate. An empty line or a
// comment has none.
std::vector<std::string_view> words_of_line(std::string_view line);

// Returns why a server would refuse a token file of these bytes, "tokens:12: expected ...", or an
// empty text if it would take the file. Quotes no line, because a secret may stand there by
// mistake.
std::string wrong_token_file(std::string_view text, const std::string& path);

}  // namespace repath::cli
