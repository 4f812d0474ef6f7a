#include "store/backup_manifest.h"

#include <array>
#include <charconv>
#include <fstream>
#include <optional>

#include "base/error.h"
#include "base/sha256.h"

namespace repath {
namespace {

constexpr std::string_view kFirstLine = "repath-backup 1";
constexpr std::string_view kLastLine = "end ";
constexpr std::size_t kHashedAtOnce = std::size_t{1} << 20;

std::string digits_of(const Sha256::Digest& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest) text += {kDigits[byte >> 4], kDigits[byte & 15]};
  return text;
}

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t v = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return v;
}

// Takes the text before the next `end` off `*text`.
std::string_view cut(std::string_view* text, char end) {
  const std::size_t at = std::min(text->find(end), text->size());
  const std::string_view first = text->substr(0, at);
  text->remove_prefix(std::min(at + 1, text->size()));
  return first;
}

// Returns whether it is worlds/KEY/NAME.
bool is_file_of_world(std::string_view path) {
  if (cut(&path, '/') != "worlds" || !number_in(cut(&path, '/'))) return false;
  return !path.empty() && path.find('/') == std::string_view::npos && path.front() != '.';
}

bool read_line(std::string_view line, BackupManifest* out) {
  const std::string_view word = cut(&line, ' ');
  const std::optional<std::uint64_t> number = number_in(cut(&line, ' '));
  if (!number) return false;
  if (word == "taken_at_us") {
    out->taken_at = *number;
  } else if (word == "database" && line.size() == 64) {
    out->database = {*number, std::string(line)};
  } else if (word == "file" && is_file_of_world(line)) {
    out->files.push_back({*number, std::string(line)});
  } else if (word == "damaged") {
    out->damaged.insert(WorldKey{*number});
  } else {
    return false;
  }
  return true;
}

}  // namespace

absl::Status backup_damaged(const std::string& why) {
  return make_error(absl::StatusCode::kDataLoss, "BACKUP_DAMAGED", "", why);
}

std::string write_manifest(const BackupManifest& manifest) {
  std::string text(kFirstLine);
  text += "\ntaken_at_us " + std::to_string(manifest.taken_at) + "\ndatabase " +
          std::to_string(manifest.database.bytes) + " " + manifest.database.sha256 + "\n";
  for (const BackupManifest::File& file : manifest.files)
    text += "file " + std::to_string(file.bytes) + " " + file.path + "\n";
  for (const WorldKey key : manifest.damaged)
    text += "damaged " + std::to_string(value(key)) + "\n";
  return text + std::string(kLastLine) + digits_of(sha256(text)) + "\n";
}

absl::StatusOr<BackupManifest> read_manifest(std::string_view text) {
  const std::size_t last = text.rfind(kLastLine);
  if (last == std::string_view::npos ||
      text.substr(last) != std::string(kLastLine) + digits_of(sha256(text.substr(0, last))) + "\n")
    return backup_damaged("the manifest is not whole");
  text = text.substr(0, last);
  if (cut(&text, '\n') != kFirstLine)
    return backup_damaged("the manifest is not that of a backup, or of a later version");
  BackupManifest manifest;
  while (!text.empty()) {
    const std::string line(cut(&text, '\n'));
    if (!read_line(line, &manifest)) return backup_damaged("the manifest has the line " + line);
  }
  if (manifest.database.sha256.empty()) return backup_damaged("the manifest names no database");
  return manifest;
}

absl::StatusOr<HashedFile> hash_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(path + " cannot be opened");
  Sha256 sum;
  HashedFile hashed;
  std::string piece(kHashedAtOnce, '\0');
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    const auto n = static_cast<std::size_t>(file.gcount());
    sum.add(std::string_view(piece).substr(0, n));
    hashed.bytes += n;
  }
  if (!file.eof()) return absl::InternalError(path + " cannot be read");
  hashed.sha256 = digits_of(sum.finish());
  return hashed;
}

}  // namespace repath
