// The file that says who may do what: one line for each token or name of a client's certificate.
//
//   # comment
//   token        game-1                          read,agents  arena-*,lobby  <64 hex digits>
//   certificate  uri:spiffe://example.org/match  read,write   *
//   certificate  dns:match.example.org           read         lobby
//
// The fields of a line are separated by blanks: kind, name, scopes, patterns of world names and,
// for a token, the SHA-256 of its secret. The name of a certificate's line is a subject alternative
// name: its type (`uri` or `dns`), a colon, and the name as the certificate has it.
//
// Thread rule: immutable after read(); const functions from any thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "access/scope.h"
#include "access/world_pattern.h"
#include "base/sha256.h"

namespace repath {

// A caller as its line in the file has it.
struct Principal {
  std::string name;  // "token game-1", "certificate dns:match.example.org"
  Scopes scopes;
  WorldPatterns worlds;
  Sha256::Digest secret{};  // digest of a token's secret; zeros for a certificate
};

class TokenFile {
 public:
  static constexpr std::size_t kBytesMax = 4u << 20;
  static constexpr std::size_t kLinesMax = 20'000;
  static constexpr std::size_t kNameMax = 512;
  static constexpr std::size_t kIdMax = 64;

  // Reads the file at `path`. Errors begin with "path:line: " and never have a line's text in
  // them, because a secret may stand there by mistake. INVALID_ARGUMENT, reason TOKEN_FILE.
  static absl::StatusOr<TokenFile> read(const std::string& path);
  static absl::StatusOr<TokenFile> parse(std::string_view text, const std::string& path);

  // Returns the principal of the token "id.secret"; null if the id is unknown or the secret is
  // wrong. The time taken does not depend on the secret in the file.
  std::shared_ptr<const Principal> find_token(std::string_view token) const;
  // Returns the principal of the first of a certificate's names ("dns:...", "uri:...") that has a
  // line; null if none has one.
  std::shared_ptr<const Principal> find_certificate(const std::vector<std::string>& names) const;
  // Returns the present principal for one of an earlier file: the same name and the same secret.
  // Null if it was revoked.
  std::shared_ptr<const Principal> find_again(const Principal& earlier) const;

  std::size_t size() const { return principals_.size(); }
  // Returns whether the file has only blanks, not even a comment.
  bool is_blank() const { return is_blank_; }

 private:
  absl::Status add_line(std::string_view line);

  bool is_blank_ = false;

  // By the whole name, "token game-1".
  std::map<std::string, std::shared_ptr<const Principal>, std::less<>> principals_;
};

}  // namespace repath
