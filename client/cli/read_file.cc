#include "cli/read_file.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>

namespace repath::cli {
namespace {

constexpr std::size_t kReadAtOnce = 64 * 1024;

std::error_code last_error() { return {errno, std::generic_category()}; }

std::optional<std::string> rest_of(std::FILE* file, std::error_code& error) {
  std::string text;
  std::array<char, kReadAtOnce> piece{};
  while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), file))
    text.append(piece.data(), size);
  if (std::ferror(file) == 0) return text;
  error = last_error();
  return std::nullopt;
}

}  // namespace

std::optional<std::string> read_file(const std::string& path, std::error_code& error) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (file != nullptr) return rest_of(file.get(), error);
  error = last_error();
  return std::nullopt;
}

std::optional<std::string> read_stdin(std::error_code& error) { return rest_of(stdin, error); }

std::string unreadable(const std::string& path, const std::error_code& error) {
  return path + ": cannot be read: " + error.message();
}

}  // namespace repath::cli
