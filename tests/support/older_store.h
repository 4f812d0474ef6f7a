// Brings the database of a data folder back to what an earlier version of the store wrote. Each
// step undoes one version: it drops what that version added, and writes checksums without it.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "store/checksum.h"

namespace repath::test {

// The SQL function row_sum(...): the checksum of its arguments in their order.
inline void row_sum(sqlite3_context* context, int count, sqlite3_value** values) {
  Checksum sum;
  for (int i = 0; i < count; ++i) {
    if (sqlite3_value_type(values[i]) == SQLITE_INTEGER) {
      sum.add(static_cast<std::uint64_t>(sqlite3_value_int64(values[i])));
    } else {
      const auto* bytes = static_cast<const char*>(sqlite3_value_blob(values[i]));
      sum.add(std::string_view(bytes, static_cast<std::size_t>(sqlite3_value_bytes(values[i]))));
    }
  }
  sqlite3_result_int64(context, static_cast<std::int64_t>(sum.value()));
}

inline void run_sql(const std::string& database, const std::string& text) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(database.c_str(), &db), SQLITE_OK) << database;
  sqlite3_create_function(db, "row_sum", -1, SQLITE_UTF8, nullptr, &row_sum, nullptr, nullptr);
  EXPECT_EQ(sqlite3_exec(db, text.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(db);
  sqlite3_close(db);
}

// Makes answers to requests as old as if they had been given now: a server forgets them after ten
// minutes. REQUIRES: as bring_back().
inline void renew_answers(const std::string& database) {
  run_sql(database, R"(
    UPDATE worlds SET made_at = 1000000 * CAST(strftime('%s', 'now') AS INTEGER);
    UPDATE worlds SET
      checksum = row_sum(key, name, epoch, definition, request_id, made_at, facts);
    UPDATE requests SET at = 1000000 * CAST(strftime('%s', 'now') AS INTEGER);
    UPDATE requests SET checksum = row_sum(world, before, at, request_id, content, answer);)");
}

// REQUIRES: the database is of version 4, and no server uses it.
inline void bring_back(const std::string& database, int version) {
  // Version 4 added the tallies, which also hold where the requests of a world end.
  if (version < 4)
    run_sql(database, R"(
      CREATE TABLE request_heads(world INTEGER PRIMARY KEY, seq INTEGER NOT NULL);
      INSERT INTO request_heads SELECT world, request FROM tallies WHERE request <> 0;
      DROP TABLE tallies;
      PRAGMA user_version = 3;)");
  // Version 3 added secret, owner and beginning of a session.
  if (version < 3)
    run_sql(database, R"(
      UPDATE sessions SET checksum = row_sum(world, name, ttl_us, sequence, left_at, taken);
      ALTER TABLE sessions DROP COLUMN secret;
      ALTER TABLE sessions DROP COLUMN identity;
      ALTER TABLE sessions DROP COLUMN opened_at;
      PRAGMA user_version = 2;)");
  // Version 2 added time and request id of a record.
  if (version < 2)
    run_sql(database, R"(
      UPDATE log SET checksum = row_sum(world, revision, before, state_hash, game_tick, batch);
      ALTER TABLE log DROP COLUMN applied_at;
      ALTER TABLE log DROP COLUMN request_id;
      PRAGMA user_version = 1;)");
}

}  // namespace repath::test
