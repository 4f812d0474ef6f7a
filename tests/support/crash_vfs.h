// An SQLite VFS over the files of a CrashDisk. Source: sqlite.org/vfs.html; without shared memory,
// so that a write-ahead log works in exclusive locking mode only.
#pragma once

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "support/crash_disk.h"

namespace repath::test {

// Registered while it lives. Borrows the disk.
class CrashVfs {
 public:
  explicit CrashVfs(CrashDisk& disk) : disk_(disk) {
    static int made = 0;
    name_ = "crash" + std::to_string(++made);
    vfs_.iVersion = 2;
    vfs_.szOsFile = sizeof(Handle);
    vfs_.mxPathname = 200;
    vfs_.zName = name_.c_str();
    vfs_.pAppData = this;
    vfs_.xOpen = &open;
    vfs_.xDelete = &remove;
    vfs_.xAccess = &access;
    vfs_.xFullPathname = &full_path;
    vfs_.xRandomness = &randomness;
    vfs_.xSleep = [](sqlite3_vfs*, int) { return 0; };
    vfs_.xCurrentTime = [](sqlite3_vfs*, double* out) {
      *out = 2460000.5;
      return SQLITE_OK;
    };
    vfs_.xGetLastError = [](sqlite3_vfs*, int, char*) { return 0; };
    vfs_.xCurrentTimeInt64 = [](sqlite3_vfs*, sqlite3_int64* out) {
      *out = 2460000 * sqlite3_int64{86'400'000};
      return SQLITE_OK;
    };
    sqlite3_vfs_register(&vfs_, 0);
  }
  ~CrashVfs() { sqlite3_vfs_unregister(&vfs_); }
  CrashVfs(const CrashVfs&) = delete;
  CrashVfs& operator=(const CrashVfs&) = delete;

  const std::string& name() const { return name_; }

 private:
  struct Handle {
    sqlite3_file base;
    CrashVfs* vfs;
    CrashDisk::File* file;  // owned
    bool syncs_folder;      // a new log's name goes to the disk with its first sync
  };

  static CrashVfs& self(sqlite3_vfs* vfs) { return *static_cast<CrashVfs*>(vfs->pAppData); }
  static Handle& handle(sqlite3_file* file) { return *reinterpret_cast<Handle*>(file); }
  static CrashDisk& disk(sqlite3_file* file) { return handle(file).vfs->disk_; }
  static int code(CrashDisk::Result result, int broken) {
    if (result == CrashDisk::Result::kOk) return SQLITE_OK;
    return result == CrashDisk::Result::kNoSpace ? SQLITE_FULL : broken;
  }

  static int open(sqlite3_vfs* vfs, const char* path, sqlite3_file* out, int flags,
                  int* out_flags) {
    Handle& opened = handle(out);
    opened.base.pMethods = nullptr;
    CrashDisk& disk = self(vfs).disk_;
    if (disk.is_dead() || path == nullptr) return SQLITE_CANTOPEN;
    const bool is_new = disk.find(path) == nullptr;
    if (is_new && (flags & SQLITE_OPEN_CREATE) == 0) return SQLITE_CANTOPEN;
    CrashDisk::File file = disk.make(path);
    if (file == nullptr) return SQLITE_CANTOPEN;
    opened.vfs = &self(vfs);
    opened.file = new CrashDisk::File(std::move(file));
    opened.syncs_folder = is_new && (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0;
    opened.base.pMethods = &methods();
    if (out_flags != nullptr) *out_flags = flags;
    return SQLITE_OK;
  }
  static int remove(sqlite3_vfs* vfs, const char* path, int syncs) {
    CrashDisk& disk = self(vfs).disk_;
    if (disk.find(path) == nullptr) return SQLITE_IOERR_DELETE_NOENT;
    if (!disk.remove(path)) return SQLITE_IOERR_DELETE;
    if (syncs != 0 && disk.sync_folder(".") != CrashDisk::Result::kOk)
      return SQLITE_IOERR_DIR_FSYNC;
    return SQLITE_OK;
  }
  static int access(sqlite3_vfs* vfs, const char* path, int, int* out) {
    *out = self(vfs).disk_.find(path) != nullptr ? 1 : 0;
    return SQLITE_OK;
  }
  static int full_path(sqlite3_vfs*, const char* path, int size, char* out) {
    sqlite3_snprintf(size, out, "%s", path);
    return SQLITE_OK;
  }
  static int randomness(sqlite3_vfs* vfs, int size, char* out) {
    for (int i = 0; i < size; ++i) out[i] = static_cast<char>(self(vfs).disk_.random().below(256));
    return size;
  }

  static int close(sqlite3_file* file) {
    delete handle(file).file;
    handle(file).file = nullptr;
    return SQLITE_OK;
  }
  static int read(sqlite3_file* file, void* out, int size, sqlite3_int64 offset) {
    if (disk(file).is_dead()) return SQLITE_IOERR_READ;
    const std::string& live = (*handle(file).file)->live;
    const auto begin = std::min(static_cast<std::size_t>(offset), live.size());
    const auto n = std::min(static_cast<std::size_t>(size), live.size() - begin);
    std::memcpy(out, live.data() + begin, n);
    if (n == static_cast<std::size_t>(size)) return SQLITE_OK;
    std::memset(static_cast<char*>(out) + n, 0, static_cast<std::size_t>(size) - n);
    return SQLITE_IOERR_SHORT_READ;
  }
  static int write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
    return code(disk(file).write(**handle(file).file, static_cast<std::uint64_t>(offset),
                                 {static_cast<const char*>(bytes), static_cast<std::size_t>(size)}),
                SQLITE_IOERR_WRITE);
  }
  static int truncate(sqlite3_file* file, sqlite3_int64 size) {
    return code(disk(file).resize(**handle(file).file, static_cast<std::uint64_t>(size)),
                SQLITE_IOERR_TRUNCATE);
  }
  static int sync(sqlite3_file* file, int) {
    Handle& opened = handle(file);
    const int done = code(disk(file).sync(**opened.file), SQLITE_IOERR_FSYNC);
    if (done != SQLITE_OK || !opened.syncs_folder) return done;
    opened.syncs_folder = false;
    return code(disk(file).sync_folder("."), SQLITE_IOERR_DIR_FSYNC);
  }
  static int size(sqlite3_file* file, sqlite3_int64* out) {
    *out = static_cast<sqlite3_int64>((*handle(file).file)->live.size());
    return SQLITE_OK;
  }

  static const sqlite3_io_methods& methods() {
    static const sqlite3_io_methods all = [] {
      sqlite3_io_methods m{};
      m.iVersion = 1;
      m.xClose = &close;
      m.xRead = &read;
      m.xWrite = &write;
      m.xTruncate = &truncate;
      m.xSync = &sync;
      m.xFileSize = &size;
      m.xLock = [](sqlite3_file*, int) { return SQLITE_OK; };
      m.xUnlock = [](sqlite3_file*, int) { return SQLITE_OK; };
      m.xCheckReservedLock = [](sqlite3_file*, int* out) {
        *out = 0;
        return SQLITE_OK;
      };
      m.xFileControl = [](sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; };
      m.xSectorSize = [](sqlite3_file*) { return static_cast<int>(CrashDisk::kSector); };
      m.xDeviceCharacteristics = [](sqlite3_file*) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; };
      return m;
    }();
    return all;
  }

  CrashDisk& disk_;
  std::string name_;
  sqlite3_vfs vfs_{};
};

}  // namespace repath::test
