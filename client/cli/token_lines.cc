#include "cli/token_lines.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>

#include "cli/read_file.h"
#include "cli/token_file_check.h"

namespace repath::cli {
namespace {

constexpr std::size_t kSecretBytes = 32;
constexpr std::size_t kPatternMax = 64;
constexpr std::size_t kPatternsMax = 64;

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string base64url(const std::array<unsigned char, kSecretBytes>& bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string text;
  unsigned bits = 0;
  int count = 0;
  for (const unsigned char byte : bytes) {
    bits = bits << 8 | byte;
    count += 8;
    for (; count >= 6; count -= 6) text += kDigits[bits >> (count - 6) & 63];
  }
  if (count > 0) text += kDigits[bits << (6 - count) & 63];
  return text;
}

std::string sha256_hex(const std::string& text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (unsigned i = 0; i < size; ++i) {
    hex += kDigits[digest[i] >> 4];
    hex += kDigits[digest[i] & 15];
  }
  return hex;
}

client::Error file_error(const std::string& what) {
  return {client::Code::kFailedPrecondition, kTokenFile, "", what};
}

template <class Wanted>
std::size_t remove_if(std::vector<std::string>& lines, const Wanted& wanted) {
  const std::size_t removed = std::erase_if(lines, wanted);
  if (lines.empty()) lines.emplace_back("# The tokens of repathd --tokens.");
  return removed;
}

// Follows the symbolic links that `path` names, so that a link stays one when its file is replaced.
// The file need not be there.
std::string target_of(const std::string& path) {
  constexpr int kLinksMax = 40;  // as the kernel follows
  std::filesystem::path target = path;
  std::error_code error;
  for (int i = 0; i < kLinksMax && std::filesystem::is_symlink(target, error); ++i)
    target = target.parent_path() / std::filesystem::read_symlink(target, error);
  return target;
}

// The file that takes a token file's place. While it is there, no other command changes the token
// file.
class NextFile {
 public:
  static client::Result<NextFile> make(const std::string& path) {
    NextFile next;
    next.path_ = path + ".new";
    next.file_ = ::open(next.path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
    if (next.file_ >= 0) return next;
    if (errno == EEXIST)
      return client::Error{
          client::Code::kUnavailable, "TOKEN_FILE_BUSY", "",
          next.path_ + ": is there: another command changes the file, or was killed"};
    return file_error(next.path_ + ": cannot be made: " + std::strerror(errno));
  }
  NextFile(NextFile&& other) noexcept
      : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}
  ~NextFile() {
    if (file_ < 0) return;
    ::close(file_);
    ::unlink(path_.c_str());
  }

  // Replaces the file at `path`, which keeps its mode and owner.
  client::Result<bool> replace(const std::string& path, const std::string& text) {
    struct stat old {};
    if (::stat(path.c_str(), &old) == 0) {
      ::fchmod(file_, old.st_mode & 0777);
      // Only root may give a file away; for others it stays their own.
      if (::fchown(file_, old.st_uid, old.st_gid) != 0) errno = 0;
    }
    const bool is_done =
        write_all(text) && ::fsync(file_) == 0 && ::rename(path_.c_str(), path.c_str()) == 0;
    if (!is_done) return file_error(path + ": cannot be written: " + std::strerror(errno));
    ::close(std::exchange(file_, -1));
    sync_folder(path);
    return true;
  }

 private:
  NextFile() = default;
  bool write_all(std::string_view text) {
    while (!text.empty()) {
      const ssize_t wrote = ::write(file_, text.data(), text.size());
      if (wrote < 0) return false;
      text.remove_prefix(static_cast<std::size_t>(wrote));
    }
    return true;
  }
  // A revoked line must not come back with the old file after a power failure.
  static void sync_folder(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) return;
    ::fsync(opened);
    ::close(opened);
  }

  std::string path_;
  int file_ = -1;
};

}  // namespace

TokenLine read_token_line(std::string_view line) {
  const std::vector<std::string_view> words = words_of_line(line);
  const bool is_line = words.size() >= 4 && (words[0] == "token" || words[0] == "certificate");
  if (!is_line) return {};
  return {std::string(words[0]), std::string(words[1]), std::string(words[2]),
          std::string(words[3])};
}

std::size_t remove_lines(std::vector<std::string>& lines, std::string_view name) {
  return remove_if(lines, [name](const std::string& line) {
    const TokenLine known = read_token_line(line);
    return !known.kind.empty() && known.name == name;
  });
}

void remove_token(std::vector<std::string>& lines, const std::string& sha256) {
  remove_if(lines, [&](const std::string& line) { return line.ends_with(" " + sha256); });
}

std::string wrong_scopes(std::string_view text) {
  constexpr std::array<std::string_view, 4> kScopes{"read", "write", "agents", "admin"};
  std::vector<std::string> scopes = split(text, ',');
  std::sort(scopes.begin(), scopes.end());
  const bool is_repeated = std::adjacent_find(scopes.begin(), scopes.end()) != scopes.end();
  const bool is_known = std::all_of(scopes.begin(), scopes.end(), [&](const std::string& scope) {
    return std::find(kScopes.begin(), kScopes.end(), scope) != kScopes.end();
  });
  if (is_known && !is_repeated) return "";
  return "expected some of read,write,agents,admin, each once, separated by commas";
}

std::string wrong_worlds(std::string_view text) {
  const std::vector<std::string> patterns = split(text, ',');
  const bool is_right =
      patterns.size() <= kPatternsMax &&
      std::all_of(patterns.begin(), patterns.end(), [](const std::string& pattern) {
        return !pattern.empty() && pattern.size() <= kPatternMax &&
               std::all_of(pattern.begin(), pattern.end(), [](char c) {
                 return is_letter_or_digit(c) || c == '_' || c == '.' || c == '-' || c == '*';
               });
      });
  if (is_right) return "";
  return "expected at most 64 patterns, separated by commas, of 1 to 64 characters of "
         "[A-Za-z0-9_.-*]; * stands for any characters";
}

std::string wrong_token_id(std::string_view text) {
  const bool is_right =
      !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
        return is_letter_or_digit(c) || c == '-' || c == '_';
      });
  return is_right ? "" : "expected 1 to 64 characters of [A-Za-z0-9_-]";
}

NewToken make_token() {
  std::array<unsigned char, kSecretBytes> bytes{};
  // Without randomness there is no token.
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) return {};
  NewToken made;
  made.secret = base64url(bytes);
  made.sha256 = sha256_hex(made.secret);
  return made;
}

client::Result<std::vector<std::string>> read_lines(const std::string& path, bool may_be_missing) {
  std::error_code error;
  const auto text = read_file(path, error);
  std::vector<std::string> lines;
  if (!text) {
    if (error == std::errc::no_such_file_or_directory && may_be_missing) return lines;
    return file_error(unreadable(path, error));
  }
  if (const std::string wrong = wrong_token_file(*text, path); !wrong.empty())
    return file_error(wrong);
  std::istringstream all(*text);
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  return lines;
}

client::Result<bool> change_lines(const std::string& path, bool may_be_missing,
                                  const ChangeLines& change) {
  const std::string target = target_of(path);
  auto next = NextFile::make(target);
  if (!next.ok()) return next.error();
  auto lines = read_lines(path, may_be_missing);
  if (!lines.ok()) return lines.error();
  if (auto done = change(*lines); !done.ok()) return done;
  std::string text;
  for (const std::string& line : *lines) text += line + "\n";
  if (const std::string wrong = wrong_token_file(text, path); !wrong.empty())
    return file_error("with this change " + wrong);
  return next->replace(target, text);
}

}  // namespace repath::cli
