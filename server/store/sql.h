// SQLite behind two small classes. Errors are remembered by the connection: a function that fails
// does nothing more, and the caller asks failed() once, before it commits.
//
// Not thread-safe. Source of the rules: sqlite.org/c3ref.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"

namespace repath {

class Sql {
 public:
  Sql() = default;
  ~Sql();
  Sql(const Sql&) = delete;
  Sql& operator=(const Sql&) = delete;

  // Opens or makes a database through the SQLite VFS of that name; empty: the system's.
  absl::Status open(const std::string& path, const std::string& vfs);
  // Opens a database that no one writes, for reading alone. Makes no files beside it.
  absl::Status open_still(const std::string& path);
  // Runs statements without parameters.
  void run(const char* text);

  sqlite3* handle() const { return db_; }
  // The first error since clear(): an extended result code; SQLITE_OK: none.
  int error() const { return error_; }
  bool failed() const { return error_ != SQLITE_OK; }
  // Whether the first error may pass: of the disk, of memory or of rights, and not of the bytes.
  bool may_pass() const;
  // The first error in SQLite's words, and its number.
  const std::string& message() const { return message_; }
  void clear() { error_ = SQLITE_OK; }
  void note(int code);

  // Frames in the write-ahead log after the newest commit.
  int wal_frames() const { return wal_frames_; }
  // Moves the write-ahead log into the database; `truncate` also empties its file.
  void checkpoint(bool truncate);

 private:
  sqlite3* db_ = nullptr;
  int error_ = SQLITE_OK;
  int wal_frames_ = 0;
  std::string message_;
};

// Bytes that are stored as a blob; a string_view is stored as text.
struct Blob {
  std::string_view bytes;
};

class Statement {
 public:
  Statement(Sql& sql, const char* text);
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Binds all parameters. Texts and blobs must live until the last step.
  template <class... T>
  Statement& with(const T&... values) {
    sqlite3_reset(statement_);
    int at = 0;
    (bind(++at, values), ...);
    return *this;
  }
  // Steps to the next row; returns false at the end or after an error.
  bool next();
  // Runs to the end.
  void run();
  // Ends a statement before its last row.
  void reset() { sqlite3_reset(statement_); }

  std::uint64_t number(int column) const {
    return static_cast<std::uint64_t>(sqlite3_column_int64(statement_, column));
  }
  // Valid until the next step.
  std::string_view bytes(int column) const;

 private:
  void bind(int at, std::uint64_t v) {
    sqlite3_bind_int64(statement_, at, static_cast<sqlite3_int64>(v));
  }
  void bind(int at, std::string_view text);
  void bind(int at, Blob blob);

  Sql& sql_;
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace repath
