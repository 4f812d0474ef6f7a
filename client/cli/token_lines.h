// The lines of a server's token file, as commands make, list and remove them. A file that the
// server would refuse is neither listed nor changed.
//
// Thread rule: one thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "repath/result.h"

namespace repath::cli {

// The reason of an error about a file that cannot be read or written.
inline constexpr const char* kTokenFile = "TOKEN_FILE";

struct TokenLine {
  std::string kind;  // "token" or "certificate"
  std::string name;
  std::string scopes;
  std::string worlds;
};

// Returns the fields of a line; an empty kind for a comment, an empty line or another text.
TokenLine read_token_line(std::string_view line);

// Return what is wrong with text for --scopes, --worlds or --name; empty if nothing is.
std::string wrong_scopes(std::string_view text);
std::string wrong_worlds(std::string_view text);
std::string wrong_token_id(std::string_view text);

// Removes the lines of the token or certificate `name`. Returns their number. A comment takes the
// place of the last line of all, because a server takes an empty file for one that is still being
// written, and would keep its tokens.
std::size_t remove_lines(std::vector<std::string>& lines, std::string_view name);
// Removes, in the same way, the line of the token whose secret has this SHA-256.
void remove_token(std::vector<std::string>& lines, const std::string& sha256);

struct NewToken {
  std::string secret;  // 256 random bits in base64url
  std::string sha256;  // of the secret, in hexadecimal
};
NewToken make_token();

// Reads the lines of the file. With `may_be_missing` a missing file counts as an empty one. Returns
// an error that names the line if a server would refuse the file.
client::Result<std::vector<std::string>> read_lines(const std::string& path, bool may_be_missing);
// Reads the lines, lets `change` change them, and replaces the file at once: a server reads the old
// file or the new one. A symbolic link stays one, and the file that it names is replaced. A new
// file can be read by its owner and group. The file stays as it is if `change` returns an error, or
// if a server would refuse the file before or after the change. Refuses while another command
// changes the file, so that none brings a revoked line back.
using ChangeLines = std::function<client::Result<bool>(std::vector<std::string>&)>;
client::Result<bool> change_lines(const std::string& path, bool may_be_missing,
                                  const ChangeLines& change);

}  // namespace repath::cli
