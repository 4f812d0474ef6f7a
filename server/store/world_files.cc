#include "store/world_files.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <string_view>

#include "base/error.h"
#include "store/checksum.h"

namespace repath {
namespace {

constexpr std::string_view kBase = "base-";
constexpr std::string_view kSnapshot = "snap-";
constexpr std::string_view kPositions = "positions-";
constexpr std::string_view kEnd = ".rpw";
constexpr const char* kTemporary = "new.tmp";

std::string hex(std::uint64_t v) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; v >>= 4) text[i] = "0123456789abcdef"[v & 15u];
  return text;
}

template <int kRadix>
std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t v = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v, kRadix);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return v;
}

// The checksum that stands before ".rpw".
std::optional<std::uint64_t> checksum_in(std::string_view name) {
  if (name.size() < kEnd.size() + 16 || !name.ends_with(kEnd)) return std::nullopt;
  return parse_number<16>(name.substr(name.size() - kEnd.size() - 16, 16));
}

// The checksum of a whole file, in parts of any size.
class FileChecksum {
 public:
  void add(std::string_view bytes) {
    size_ += bytes.size();
    rest_.append(bytes);
    const std::size_t whole = rest_.size() / 8 * 8;
    sum_.add_part(std::string_view(rest_).substr(0, whole));
    rest_.erase(0, whole);
  }
  std::uint64_t end() { return sum_.add_part(rest_).add(size_).value(); }

 private:
  Checksum sum_;
  std::string rest_;
  std::uint64_t size_ = 0;
};

std::string in_folder(WorldKey key, const std::string& file) {
  return world_folder(key) + "/" + file;
}

// How much of a file is written between two looks at the space. Some files are written at a time.
constexpr std::uint64_t kBytesBetweenLooks = 8u << 20;

// Whether `bytes` and what may be written until the next look leave so much room.
absl::Status check_room(Disk& disk, std::uint64_t bytes, std::uint64_t room) {
  if (room == 0) return absl::OkStatus();
  REPATH_ASSIGN_OR_RETURN(const std::uint64_t free, disk.free_bytes());
  if (free >= room + bytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      std::to_string(free >> 20) + " MiB are free on the disk; a file of a world leaves at least " +
      std::to_string(room >> 20));
}

}  // namespace

std::string world_folder(WorldKey key) { return "worlds/" + std::to_string(value(key)); }

absl::StatusOr<FolderContent> read_folder(Disk& disk, WorldKey key) {
  REPATH_ASSIGN_OR_RETURN(const std::vector<std::string> names, disk.list(world_folder(key)));
  FolderContent content;
  for (const std::string& name : names) {
    if (name.starts_with(kPositions)) continue;
    const bool is_whole = checksum_in(name).has_value();
    if (is_whole && name.starts_with(kBase)) {
      content.base = name;
    } else if (is_whole && name.starts_with(kSnapshot)) {
      const std::string_view middle = std::string_view(name).substr(kSnapshot.size());
      const auto revision = parse_number<10>(middle.substr(0, middle.find('-')));
      if (revision) content.snapshots.push_back({*revision, name});
    } else {
      content.others.push_back(name);
    }
  }
  std::sort(content.snapshots.begin(), content.snapshots.end(),
            [](const SnapshotName& a, const SnapshotName& b) { return a.revision > b.revision; });
  return content;
}

absl::StatusOr<bool> was_served(Disk& disk, WorldKey key) {
  const absl::StatusOr<std::vector<std::string>> names = disk.list(world_folder(key));
  if (absl::IsNotFound(names.status())) return false;
  if (!names.ok()) return names.status();
  return std::ranges::any_of(*names, [](const std::string& name) {
    return name.starts_with(kSnapshot) || name.starts_with(kPositions);
  });
}

absl::Status write_base(Disk& disk, WorldKey key, ByteSource& bytes, std::uint64_t room) {
  const std::string folder = world_folder(key);
  REPATH_RETURN_IF_ERROR(disk.make_folder(folder));
  REPATH_ASSIGN_OR_RETURN(const std::vector<std::string> left, disk.list(folder));
  for (const std::string& name : left) REPATH_RETURN_IF_ERROR(disk.remove(in_folder(key, name)));
  REPATH_ASSIGN_OR_RETURN(const std::uint64_t checksum, write_temporary(disk, key, bytes, room));
  const std::string name = std::string(kBase) + hex(checksum) + std::string(kEnd);
  REPATH_RETURN_IF_ERROR(disk.rename(in_folder(key, kTemporary), in_folder(key, name)));
  REPATH_RETURN_IF_ERROR(disk.sync_folder(folder));
  return disk.sync_folder("worlds");
}

absl::StatusOr<std::uint64_t> write_temporary(Disk& disk, WorldKey key, ByteSource& bytes,
                                              std::uint64_t room) {
  REPATH_ASSIGN_OR_RETURN(const std::unique_ptr<DiskFile> file,
                          disk.open(in_folder(key, kTemporary), Disk::Open::kEmpty));
  FileChecksum checksum;
  std::uint64_t offset = 0;
  std::uint64_t looks_at = 0;
  std::string piece;
  for (bool more = true; more; piece.clear()) {
    more = bytes.next(&piece);
    checksum.add(piece);
    if (offset + piece.size() > looks_at) {
      REPATH_RETURN_IF_ERROR(check_room(disk, piece.size(), room));
      looks_at = offset + kBytesBetweenLooks;
    }
    if (!piece.empty()) REPATH_RETURN_IF_ERROR(file->write(offset, piece));
    offset += piece.size();
  }
  REPATH_RETURN_IF_ERROR(file->sync());
  return checksum.end();
}

void remove_temporary(Disk& disk, WorldKey key) { (void)disk.remove(in_folder(key, kTemporary)); }

absl::StatusOr<SnapshotName> finish_snapshot(Disk& disk, WorldKey key, std::uint64_t revision,
                                             std::uint64_t checksum) {
  SnapshotName name{revision, std::string(kSnapshot) + std::to_string(revision) + "-" +
                                  hex(checksum) + std::string(kEnd)};
  REPATH_RETURN_IF_ERROR(disk.rename(in_folder(key, kTemporary), in_folder(key, name.file)));
  REPATH_RETURN_IF_ERROR(disk.sync_folder(world_folder(key)));
  return name;
}

absl::StatusOr<std::string> read_checked(Disk& disk, WorldKey key, const std::string& file) {
  const std::string path = in_folder(key, file);
  REPATH_ASSIGN_OR_RETURN(std::string bytes, disk.read(path));
  FileChecksum checksum;
  checksum.add(bytes);
  if (checksum_in(file) != checksum.end())
    return absl::DataLossError(path + ": the checksum does not fit its " +
                               std::to_string(bytes.size()) + " bytes");
  return bytes;
}

absl::Status remove_folder(Disk& disk, WorldKey key) {
  const absl::StatusOr<std::vector<std::string>> names = disk.list(world_folder(key));
  if (absl::IsNotFound(names.status())) return absl::OkStatus();
  if (!names.ok()) return names.status();
  for (const std::string& name : *names) REPATH_RETURN_IF_ERROR(disk.remove(in_folder(key, name)));
  return disk.remove_folder(world_folder(key));
}

}  // namespace repath
