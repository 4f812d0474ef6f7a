// The readers of the store's own files: positions, the names of bases and snapshots, the manifest
// of a backup, and SQLite's write-ahead log. A form that ends in a checksum is fed twice: as it is,
// and with the right checksum, so that the code behind the check is reached.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "store/backup_manifest.h"
#include "store/checksum.h"
#include "store/position_slots.h"
#include "store/wal_check.h"
#include "store/world_files.h"
#include "support/crash_disk.h"
#include "support/fuzz.h"
#include "support/store_rows.h"

namespace repath {
namespace {

constexpr WorldKey kKey{7};

// A disk with one file in the folder of the world.
class OneFile {
 public:
  OneFile(const std::string& name, const std::string& bytes) {
    EXPECT_TRUE(files_.make_folder("worlds").ok());
    EXPECT_TRUE(files_.make_folder(world_folder(kKey)).ok());
    disk_.make(world_folder(kKey) + "/" + name)->live = bytes;
  }
  test::CrashFiles& files() { return files_; }

 private:
  test::CrashDisk disk_{1};
  test::CrashFiles files_{disk_};
};

std::string with_checksum(std::string bytes) {
  const std::uint64_t sum = Checksum().add(bytes).value();
  char last[sizeof sum];
  std::memcpy(last, &sum, sizeof sum);
  return bytes.append(last, sizeof sum);
}

// A damaged slot counts as missing, so positions are read whole or not at all.
absl::Status read_slot(const std::string& bytes) {
  OneFile disk("positions-1", bytes);
  const auto positions = PositionSlots(kKey).load(disk.files());
  EXPECT_TRUE(positions.ok()) << positions.status();
  constexpr std::size_t kRowBytes = 32;
  if (positions.ok()) {
    EXPECT_LE(positions->rows.size(), bytes.size() / kRowBytes);
  }
  return positions.status();
}

std::string slot() {
  OneFile disk("nothing", "");
  PositionSlots slots(kKey);
  EXPECT_TRUE(
      slots.write(disk.files(), {{{AgentId{1}, {1, 2, 3}}, {AgentId{9}, {4, 5, 6}}}, 5}).ok());
  return *disk.files().read(world_folder(kKey) + "/positions-0");
}

TEST(Fuzz, Positions) { test::feed({slot()}, read_slot); }

TEST(Fuzz, PositionsWithTheirChecksum) {
  const std::string whole = slot();
  const std::string content = whole.substr(0, whole.size() - sizeof(std::uint64_t));
  EXPECT_EQ(with_checksum(content), whole);
  test::feed({content}, [](const std::string& text) { return read_slot(with_checksum(text)); });
}

TEST(Fuzz, NamesOfWorldFiles) {
  test::feed({"base-0123456789abcdef.rpw", "snap-12-0123456789abcdef.rpw", "new", "positions-1"},
             [](const std::string& name) -> absl::Status {
               if (name.empty() || name.find('/') != std::string::npos) return absl::OkStatus();
               OneFile disk(name, "bytes");
               const auto content = read_folder(disk.files(), kKey);
               if (!content.ok()) return content.status();
               std::vector<std::string> whole;
               if (!content->base.empty()) whole.push_back(content->base);
               for (const SnapshotName& one : content->snapshots) whole.push_back(one.file);
               EXPECT_LE(whole.size(), 1u);
               for (const std::string& file : whole)
                 EXPECT_TRUE(absl::IsDataLoss(read_checked(disk.files(), kKey, file).status()));
               return absl::OkStatus();
             });
}

absl::Status read_manifest_text(const std::string& text) {
  const auto manifest = read_manifest(text);
  if (!manifest.ok()) return manifest.status();
  for (const BackupManifest::File& file : manifest->files) {
    const std::filesystem::path path(file.path);
    EXPECT_EQ(*path.begin(), "worlds");
    EXPECT_EQ(path.lexically_normal(), path) << "may lead out of the backup";
  }
  return read_manifest(write_manifest(*manifest)).status();
}

std::string manifest() {
  BackupManifest made;
  made.taken_at = 1234;
  made.database = {4096, std::string(64, 'a')};
  made.files = {{10, "worlds/1/base-0123456789abcdef.rpw"}, {0, "worlds/20/positions-0"}};
  made.damaged = {WorldKey{3}};
  return write_manifest(made);
}

TEST(Fuzz, Manifest) { test::feed({manifest()}, read_manifest_text); }

TEST(Fuzz, ManifestWithItsDigest) {
  const std::string whole = manifest();
  test::feed({whole.substr(0, whole.rfind("end "))},
             [](const std::string& lines) { return read_manifest_text(test::with_end(lines)); });
}

// ---- the write-ahead log ----

void put_big(std::uint32_t v, char* at) {
  for (int i = 4; i-- > 0; v >>= 8) at[i] = static_cast<char>(v & 255);
}
std::uint32_t word(const char* at, bool is_big) {
  std::uint32_t v = 0;
  for (int i = 0; i < 4; ++i) v = v << 8 | static_cast<unsigned char>(at[is_big ? i : 3 - i]);
  return v;
}

constexpr std::size_t kWalHead = 32;
constexpr std::size_t kFrameHead = 24;

// Gives the header and each frame of a log of pages of this size the sums that they should have.
std::string with_sums(std::string log, std::size_t page) {
  if (log.size() < kWalHead) return log;
  const bool is_big = (log[3] & 1) != 0;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  const auto add = [&](std::size_t from, std::size_t size) {
    for (const std::size_t end = from + size; from < end; from += 8) {
      a += word(&log[from], is_big) + b;
      b += word(&log[from + 4], is_big) + a;
    }
  };
  const auto put = [&](std::size_t at) {
    put_big(a, &log[at]);
    put_big(b, &log[at + 4]);
  };
  add(0, 24);
  put(24);
  for (std::size_t at = kWalHead; at + kFrameHead + page <= log.size(); at += kFrameHead + page) {
    add(at, 8);
    add(at + kFrameHead, page);
    log.replace(at + 8, 8, log, 16, 8);  // the salts of this round
    put(at + 16);
  }
  return log;
}

// A log of small pages with three commits.
std::string log_of_commits() {
  constexpr std::size_t kPage = 512;
  std::string log(kWalHead + 5 * (kFrameHead + kPage), '\x11');
  put_big(0x377f0682, &log[0]);
  put_big(3'007'000, &log[4]);
  put_big(kPage, &log[8]);
  put_big(0, &log[12]);
  for (std::size_t i = 0; i < 5; ++i) {
    char* frame = &log[kWalHead + i * (kFrameHead + kPage)];
    put_big(static_cast<std::uint32_t>(i + 1), frame);
    put_big(i % 2 == 0 ? 9 : 0, frame + 4);
  }
  return with_sums(log, kPage);
}

absl::Status check_log(const std::string& bytes) {
  const WalReport report =
      check_wal(bytes, [](std::uint32_t page, std::string_view) { return page % 2 == 0; });
  EXPECT_LE(report.frames, bytes.size() / kFrameHead);
  EXPECT_TRUE(report.damage.empty() || !report.must_be_emptied);
  if (report.damage.empty()) return absl::OkStatus();
  return make_error(absl::StatusCode::kDataLoss, "WAL_DAMAGED", "", report.damage);
}

TEST(Fuzz, WriteAheadLog) { test::feed({log_of_commits()}, check_log); }

TEST(Fuzz, WriteAheadLogWithItsSums) {
  test::feed({log_of_commits()},
             [](const std::string& text) { return check_log(with_sums(text, 512)); });
}

}  // namespace
}  // namespace repath
