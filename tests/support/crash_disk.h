// A disk in memory that a test can crash: files for a store, and an SQLite VFS over the same files.
//
// A write that was not synced may be there after a crash, be gone, or be torn at sectors. Later
// writes may be there without it. Names that were not synced with their folder are there up to some
// point. Writes can run out of space with a part of their bytes written. A sync can fail once, and
// what it should have brought to the disk is never brought there. Everything follows from one seed.
//
// Not thread-safe. crash_vfs.h has the part for SQLite.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "store/disk.h"

namespace repath::test {

class CrashDisk {
 public:
  static constexpr std::size_t kSector = 512;

  // One write, or one change of size, that is not on the disk yet.
  struct Change {
    bool is_write = true;
    std::uint64_t offset = 0;  // or the new size
    std::string bytes;
  };
  struct Inode {
    std::string live;     // what a reader sees
    std::string durable;  // what is on the disk for certain
    std::vector<Change> changes;
  };
  using File = std::shared_ptr<Inode>;
  enum class Result : std::uint8_t { kOk, kNoSpace, kBroken };

  explicit CrashDisk(std::uint64_t seed) : random_(seed) {}

  // The disk dies at its `n`-th step from now, a write, sync or change of a name; 0: never.
  void die_in(std::uint64_t n) { steps_left_ = n; }
  bool is_dead() const { return is_dead_; }
  void fail_writes(std::uint64_t n) { failing_writes_ = n; }
  void fail_next_sync() { fails_sync_ = true; }
  bool has_failed_sync() const { return has_failed_sync_; }
  std::uint64_t steps() const { return steps_; }
  Random& random() { return random_; }

  // The process ends, and with `power` the machine, too. Then the disk is as it would be found.
  void crash(bool power) {
    if (power) lose();
    is_dead_ = false;
    steps_left_ = 0;
    failing_writes_ = 0;
    fails_sync_ = has_failed_sync_ = false;
    is_locked_ = false;
  }

  File find(const std::string& path) const {
    const auto at = names_.find(path);
    return at == names_.end() ? nullptr : at->second;
  }
  File make(const std::string& path) {
    if (File file = find(path)) return file;
    if (!step()) return nullptr;
    auto file = std::make_shared<Inode>();
    set_names({{path, file}});
    return file;
  }
  Result write(Inode& file, std::uint64_t offset, std::string_view bytes) {
    const bool was_alive = !is_dead_;
    const bool goes_on = step();
    if (!was_alive) return Result::kBroken;
    const bool no_space = failing_writes_ > 0;
    if (no_space) --failing_writes_;
    // A write that is interrupted has written a part.
    if (no_space || !goes_on) bytes = bytes.substr(0, random_.below(2) * bytes.size() / 2);
    if (!bytes.empty()) change(file, {true, offset, std::string(bytes)});
    if (!goes_on) return Result::kBroken;
    return no_space ? Result::kNoSpace : Result::kOk;
  }
  Result resize(Inode& file, std::uint64_t size) {
    if (!step()) return Result::kBroken;
    if (size != file.live.size()) change(file, {false, size, ""});
    return Result::kOk;
  }
  Result sync(Inode& file) {
    if (!step()) return Result::kBroken;
    if (fails_sync_) {
      fails_sync_ = false;
      has_failed_sync_ = true;
      file.changes.clear();
      return Result::kBroken;
    }
    for (const Change& done : file.changes) apply(done, &file.durable);
    file.changes.clear();
    return Result::kOk;
  }
  Result sync_folder(const std::string& folder) {
    if (!step()) return Result::kBroken;
    std::erase_if(pending_names_, [&](const Names& names) {
      if (names.folder != folder) return false;
      for (const auto& [path, file] : names.now) durable_names_[path] = file;
      return true;
    });
    return Result::kOk;
  }
  bool rename(const std::string& from, const std::string& to) {
    const File file = find(from);
    if (file == nullptr || !step()) return false;
    set_names({{to, file}, {from, nullptr}});
    return true;
  }
  bool remove(const std::string& path) {
    if (!step()) return false;
    if (find(path) != nullptr) set_names({{path, nullptr}});
    folders_.erase(path);
    return true;
  }
  bool make_folder(const std::string& path) {
    if (folders_.contains(path)) return true;
    if (!step()) return false;
    folders_.insert(path);
    set_names({{path, std::make_shared<Inode>()}});
    return true;
  }
  bool has_folder(const std::string& path) const { return path == "." || find(path) != nullptr; }
  std::vector<std::string> list(const std::string& folder) const {
    std::vector<std::string> found;
    const std::string prefix = folder + "/";
    for (auto at = names_.lower_bound(prefix); at != names_.end() && at->first.starts_with(prefix);
         ++at)
      found.push_back(at->first.substr(prefix.size()));
    return found;
  }
  bool lock() { return !std::exchange(is_locked_, true); }
  void unlock() { is_locked_ = false; }

 private:
  // A change of names in one folder; null: the name is gone.
  struct Names {
    std::string folder;
    std::vector<std::pair<std::string, File>> now;
  };

  bool step() {
    ++steps_;
    if (steps_left_ > 0 && --steps_left_ == 0) is_dead_ = true;
    return !is_dead_;
  }
  static void apply(const Change& change, std::string* bytes) {
    if (!change.is_write) return bytes->resize(change.offset, '\0');
    if (bytes->size() < change.offset + change.bytes.size())
      bytes->resize(change.offset + change.bytes.size(), '\0');
    bytes->replace(change.offset, change.bytes.size(), change.bytes);
  }
  static void change(Inode& file, Change what) {
    apply(what, &file.live);
    file.changes.push_back(std::move(what));
  }
  static void put(std::map<std::string, File>* names, const std::string& path, const File& file) {
    if (file == nullptr) {
      names->erase(path);
    } else {
      (*names)[path] = file;
    }
  }
  void set_names(std::vector<std::pair<std::string, File>> now) {
    const std::string& path = now.front().first;
    const std::size_t slash = path.rfind('/');
    for (const auto& [name, file] : now) put(&names_, name, file);
    pending_names_.push_back(
        {slash == std::string::npos ? "." : path.substr(0, slash), std::move(now)});
  }

  // Decides what is left of everything that was not synced.
  void lose() {
    std::map<std::string, File> names = std::exchange(durable_names_, {});
    std::erase_if(names, [](const auto& name) { return name.second == nullptr; });
    std::map<std::string, bool> stopped;
    const std::uint32_t stop = random_.below(4);
    for (const Names& change : pending_names_) {
      bool& is_stopped = stopped[change.folder];
      is_stopped = is_stopped || stop == 0 || (stop == 1 && random_.below(3) == 0);
      if (is_stopped) continue;
      for (const auto& [path, file] : change.now) put(&names, path, file);
    }
    pending_names_.clear();
    std::erase_if(names, [&](const auto& name) { return !has_parent(names, name.first); });
    names_ = durable_names_ = names;
    std::erase_if(folders_, [&](const std::string& path) { return !names.contains(path); });
    std::set<Inode*> seen;
    for (const auto& [path, file] : names_)
      if (seen.insert(file.get()).second) tear(*file);
  }
  static bool has_parent(const std::map<std::string, File>& names, const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ||
           (names.contains(path.substr(0, slash)) && has_parent(names, path.substr(0, slash)));
  }
  void tear(Inode& file) {
    const std::uint32_t how = random_.below(4);  // 0: all is lost; 1: all is kept
    for (const Change& done : file.changes) {
      if (how == 0) break;
      if (how == 1) {
        apply(done, &file.durable);
        continue;
      }
      if (!done.is_write) {
        if (random_.below(2) == 0) apply(done, &file.durable);
        continue;
      }
      for (std::size_t at = 0; at < done.bytes.size();) {
        const std::size_t n =
            std::min(done.bytes.size() - at, kSector - (done.offset + at) % kSector);
        if (random_.below(how) != 0)
          apply({true, done.offset + at, done.bytes.substr(at, n)}, &file.durable);
        at += n;
      }
    }
    file.changes.clear();
    file.live = file.durable;
  }

  Random random_;
  std::map<std::string, File> names_;
  std::map<std::string, File> durable_names_;  // null: known to be gone
  std::set<std::string> folders_;
  std::vector<Names> pending_names_;
  std::uint64_t steps_ = 0;
  std::uint64_t steps_left_ = 0;
  std::uint64_t failing_writes_ = 0;
  bool fails_sync_ = false;
  bool has_failed_sync_ = false;
  bool is_dead_ = false;
  bool is_locked_ = false;
};

// The files of a store on such a disk, which it borrows.
class CrashFiles final : public Disk {
 public:
  explicit CrashFiles(CrashDisk& disk) : disk_(disk) {}

  absl::StatusOr<std::unique_ptr<DiskFile>> open(const std::string& path, Open how) override {
    if (!disk_.has_folder(parent(path))) return absl::NotFoundError(path);
    const CrashDisk::File file = disk_.make(path);
    if (file == nullptr) return absl::InternalError(path);
    if (how == Open::kEmpty) REPATH_RETURN_IF_ERROR(status(disk_.resize(*file, 0)));
    return std::make_unique<OpenFile>(disk_, file);
  }
  absl::StatusOr<std::string> read(const std::string& path) override {
    if (disk_.is_dead()) return absl::InternalError(path);
    const CrashDisk::File file = disk_.find(path);
    if (file == nullptr) return absl::NotFoundError(path);
    return file->live;
  }
  absl::StatusOr<std::string> read_part(const std::string& path, std::uint64_t offset,
                                        std::size_t size) override {
    REPATH_ASSIGN_OR_RETURN(const std::string bytes, read(path));
    return offset < bytes.size() ? bytes.substr(offset, size) : "";
  }
  absl::Status rename(const std::string& from, const std::string& to) override {
    return done(disk_.rename(from, to));
  }
  absl::Status make_folder(const std::string& path) override {
    return done(disk_.make_folder(path));
  }
  absl::Status sync_folder(const std::string& path) override {
    return synced(disk_.sync_folder(path));
  }
  absl::Status remove(const std::string& path) override { return done(disk_.remove(path)); }
  absl::Status remove_folder(const std::string& path) override { return done(disk_.remove(path)); }
  absl::StatusOr<std::vector<std::string>> list(const std::string& path) override {
    if (disk_.is_dead()) return absl::InternalError(path);
    if (!disk_.has_folder(path)) return absl::NotFoundError(path);
    return disk_.list(path);
  }
  absl::StatusOr<std::uint64_t> free_bytes() override { return std::uint64_t{1} << 40; }
  absl::StatusOr<std::unique_ptr<DiskLock>> lock(const std::string&) override {
    if (!disk_.lock())
      return make_error(absl::StatusCode::kFailedPrecondition, "STORE_LOCKED", "", "");
    return std::make_unique<Lock>(disk_);
  }

 private:
  class OpenFile final : public DiskFile {
   public:
    OpenFile(CrashDisk& disk, CrashDisk::File file) : disk_(disk), file_(std::move(file)) {}
    absl::Status write(std::uint64_t offset, std::string_view bytes) override {
      return status(disk_.write(*file_, offset, bytes));
    }
    absl::Status sync() override { return synced(disk_.sync(*file_)); }

   private:
    CrashDisk& disk_;
    CrashDisk::File file_;
  };
  class Lock final : public DiskLock {
   public:
    explicit Lock(CrashDisk& disk) : disk_(disk) {}
    ~Lock() override { disk_.unlock(); }

   private:
    CrashDisk& disk_;
  };

  static std::string parent(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash);
  }
  static absl::Status status(CrashDisk::Result result) {
    if (result == CrashDisk::Result::kOk) return absl::OkStatus();
    if (result == CrashDisk::Result::kNoSpace) return absl::ResourceExhaustedError("no space");
    return absl::InternalError("the disk failed");
  }
  static absl::Status synced(CrashDisk::Result result) {
    if (result == CrashDisk::Result::kOk) return absl::OkStatus();
    return absl::DataLossError("a sync failed");
  }
  static absl::Status done(bool is_done) {
    return is_done ? absl::OkStatus() : absl::InternalError("the disk failed");
  }

  CrashDisk& disk_;
};

}  // namespace repath::test
