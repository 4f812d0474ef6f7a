#include "store/sql.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "store/store_errors.h"

namespace repath {
namespace {

int note_frames(void* frames, sqlite3*, const char*, int n) {
  *static_cast<int*>(frames) = n;
  return SQLITE_OK;
}

// Makes the file, if it is missing, as the other files of the store: SQLite would let every user
// read it. Its write-ahead log gets the same rights.
void make_private(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
  if (fd >= 0) ::close(fd);
}

}  // namespace

Sql::~Sql() { sqlite3_close_v2(db_); }

absl::Status Sql::open(const std::string& path, const std::string& vfs) {
  if (vfs.empty()) make_private(path);
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const int code = sqlite3_open_v2(path.c_str(), &db_, flags, vfs.empty() ? nullptr : vfs.c_str());
  if (code != SQLITE_OK) return store_unavailable("open " + path + ": " + sqlite3_errstr(code));
  sqlite3_extended_result_codes(db_, 1);
  // The store decides when the log is moved, so that it sees the errors of it. This hook takes the
  // place of SQLite's own, which moves it; PRAGMA wal_autocheckpoint would take this one away.
  sqlite3_wal_hook(db_, &note_frames, &wal_frames_);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  return absl::OkStatus();
}

absl::Status Sql::open_still(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    constexpr std::string_view kHex = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (std::string_view("?#%").find(c) == std::string_view::npos) {
      uri += c;
    } else {
      uri += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  const int code = sqlite3_open_v2((uri + "?immutable=1").c_str(), &db_, flags, nullptr);
  if (code != SQLITE_OK) return store_unavailable("open " + path + ": " + sqlite3_errstr(code));
  sqlite3_extended_result_codes(db_, 1);
  return absl::OkStatus();
}

bool Sql::may_pass() const {
  constexpr std::array kPassing{SQLITE_IOERR, SQLITE_NOMEM,  SQLITE_FULL, SQLITE_CANTOPEN,
                                SQLITE_BUSY,  SQLITE_LOCKED, SQLITE_PERM, SQLITE_READONLY};
  return std::ranges::find(kPassing, error_ & 0xff) != kPassing.end();
}

void Sql::note(int code) {
  if (failed() || code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
  error_ = code;
  message_ = std::string(sqlite3_errmsg(db_)) + " (SQLite " + std::to_string(code) + ")";
}

void Sql::run(const char* text) {
  if (!failed()) note(sqlite3_exec(db_, text, nullptr, nullptr, nullptr));
}

void Sql::checkpoint(bool truncate) {
  if (failed()) return;
  note(sqlite3_wal_checkpoint_v2(db_, nullptr,
                                 truncate ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE,
                                 nullptr, nullptr));
  wal_frames_ = 0;
}

Statement::Statement(Sql& sql, const char* text) : sql_(sql) {
  if (!sql.failed())
    sql.note(sqlite3_prepare_v3(sql.handle(), text, -1, SQLITE_PREPARE_PERSISTENT, &statement_,
                                nullptr));
}

bool Statement::next() {
  if (sql_.failed()) return false;
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  sql_.note(code);
  sqlite3_reset(statement_);
  return false;
}

void Statement::run() {
  while (next()) {
  }
}

std::string_view Statement::bytes(int column) const {
  const void* data = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return {static_cast<const char*>(data), data == nullptr ? 0 : static_cast<std::size_t>(size)};
}

void Statement::bind(int at, std::string_view text) {
  sql_.note(sqlite3_bind_text64(statement_, at, text.data() == nullptr ? "" : text.data(),
                                text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void Statement::bind(int at, Blob blob) {
  sql_.note(sqlite3_bind_blob64(statement_, at,
                                blob.bytes.data() == nullptr ? "" : blob.bytes.data(),
                                blob.bytes.size(), SQLITE_STATIC));
}

}  // namespace repath
