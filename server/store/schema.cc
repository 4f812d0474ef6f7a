#include "store/schema.h"

#include <string>

#include "base/error.h"
#include "store/store_errors.h"
#include "store/tally_table.h"

namespace repath {
namespace {

// Records and requests are written at the end of their tables, whatever their worlds are: a commit
// of many worlds then writes few pages. Each row names the row before it of its world, and `marks`
// and `tallies` name rows from which one can walk back.
constexpr const char* kTables = R"(
  CREATE TABLE meta(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE worlds(key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, epoch TEXT NOT NULL,
    definition BLOB NOT NULL, request_id TEXT NOT NULL, made_at INTEGER NOT NULL, facts BLOB NOT NULL,
    checksum INTEGER NOT NULL);
  CREATE TABLE world_state(key INTEGER PRIMARY KEY, incarnation INTEGER NOT NULL,
    first INTEGER NOT NULL, floor INTEGER NOT NULL, head INTEGER NOT NULL, checksum INTEGER NOT NULL);
  CREATE TABLE removed(key INTEGER PRIMARY KEY);
  CREATE TABLE log(seq INTEGER PRIMARY KEY, world INTEGER NOT NULL, revision INTEGER NOT NULL,
    before INTEGER NOT NULL, state_hash INTEGER NOT NULL, game_tick INTEGER NOT NULL,
    checksum INTEGER NOT NULL, batch BLOB NOT NULL, applied_at INTEGER NOT NULL DEFAULT 0,
    request_id TEXT NOT NULL DEFAULT '');
  CREATE TABLE marks(world INTEGER NOT NULL, revision INTEGER NOT NULL, seq INTEGER NOT NULL,
    bytes INTEGER NOT NULL, PRIMARY KEY(world, revision)) WITHOUT ROWID;
  CREATE TABLE agents(world INTEGER NOT NULL, id INTEGER NOT NULL, session TEXT NOT NULL,
    checksum INTEGER NOT NULL, spec BLOB NOT NULL, PRIMARY KEY(world, id)) WITHOUT ROWID;
  CREATE TABLE sessions(world INTEGER NOT NULL, name TEXT NOT NULL, ttl_us INTEGER NOT NULL,
    sequence INTEGER NOT NULL, left_at INTEGER NOT NULL, checksum INTEGER NOT NULL,
    taken BLOB NOT NULL, secret BLOB NOT NULL DEFAULT x'', identity TEXT NOT NULL DEFAULT '',
    opened_at INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(world, name)) WITHOUT ROWID;
  CREATE TABLE requests(seq INTEGER PRIMARY KEY, world INTEGER NOT NULL, before INTEGER NOT NULL,
    at INTEGER NOT NULL, checksum INTEGER NOT NULL, request_id TEXT NOT NULL, content BLOB NOT NULL,
    answer BLOB NOT NULL);
  PRAGMA application_id = 1380995924;
  PRAGMA user_version = 4;
)";
// Version 4 says of each world what its rows add up to, and where its requests end.
constexpr const char* kTallies = R"(
  CREATE TABLE tallies(world INTEGER PRIMARY KEY, revision INTEGER NOT NULL,
    request INTEGER NOT NULL, counted INTEGER NOT NULL, agents INTEGER NOT NULL,
    agents_sum INTEGER NOT NULL, sessions INTEGER NOT NULL, sessions_sum INTEGER NOT NULL,
    checksum INTEGER NOT NULL);
)";
static_assert(kApplicationId == 1380995924 && kSchemaVersion == 4, "as kTables says");

// Version 2 says of each record when it was applied, and by which request. SQLite adds columns
// without writing the rows.
constexpr const char* kFromVersion1 = R"(
  ALTER TABLE log ADD COLUMN applied_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE log ADD COLUMN request_id TEXT NOT NULL DEFAULT '';
)";

// Version 3 says of each session who may resume it, and when it began.
constexpr const char* kFromVersion2 = R"(
  ALTER TABLE sessions ADD COLUMN secret BLOB NOT NULL DEFAULT x'';
  ALTER TABLE sessions ADD COLUMN identity TEXT NOT NULL DEFAULT '';
  ALTER TABLE sessions ADD COLUMN opened_at INTEGER NOT NULL DEFAULT 0;
)";

// Tallies hold where requests end.
constexpr const char* kFromVersion3 = R"(
  DROP TABLE request_heads;
  PRAGMA user_version = 4;
)";

std::uint64_t pragma(Sql& sql, const char* text) {
  Statement statement(sql, text);
  return statement.next() ? statement.number(0) : 0;
}

// Gives each world a tally that counts nothing yet. O(worlds).
void tally_worlds(Sql& sql) {
  TallyTable tallies(sql);
  Statement worlds(sql,
                   "SELECT key, (SELECT seq FROM request_heads WHERE world = key) FROM worlds");
  while (worlds.next()) {
    Tally tally;
    tally.request_seq = worlds.number(1);
    tally.is_counted = false;
    tallies.put(WorldKey{worlds.number(0)}, tally);
  }
}

absl::Status bring_to_version_4(Sql& sql, std::uint64_t version) {
  sql.run("BEGIN IMMEDIATE");
  if (version <= 1) sql.run(kFromVersion1);
  if (version <= 2) sql.run(kFromVersion2);
  sql.run(kTallies);
  tally_worlds(sql);
  sql.run(kFromVersion3);
  sql.run("COMMIT");
  if (sql.failed())
    return store_unavailable("the database cannot be brought to a new version: " + sql.message());
  return absl::OkStatus();
}

absl::Status unusable(const std::string& why) {
  return make_error(absl::StatusCode::kFailedPrecondition, "STORE_VERSION", "data", why);
}

}  // namespace

absl::Status open_schema(Sql& sql, bool sync_commits, const std::function<bool()>& may_be_new) {
  sql.run("PRAGMA locking_mode = EXCLUSIVE");
  sql.run("PRAGMA journal_mode = WAL");
  sql.run(sync_commits ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = OFF");
  sql.run("PRAGMA temp_store = MEMORY");
  sql.run("PRAGMA cache_size = -16384");
  const std::uint64_t version = pragma(sql, "PRAGMA user_version");
  const std::uint64_t owner = pragma(sql, "PRAGMA application_id");
  const std::uint64_t tables = pragma(sql, "SELECT count(*) FROM sqlite_schema");
  if (sql.failed()) return store_unavailable("the database cannot be opened: " + sql.message());
  if (tables == 0 && version == 0 && !may_be_new())
    return database_missing("the folder `worlds` has files");
  if (tables == 0 && version == 0) {
    sql.run("BEGIN IMMEDIATE");
    sql.run(kTables);
    sql.run(kTallies);
    sql.run("COMMIT");
    if (sql.failed()) return store_unavailable("the database cannot be made: " + sql.message());
    return absl::OkStatus();
  }
  if (owner != kApplicationId) return unusable("repath.db is a database of another program");
  if (version >= 1 && version < kSchemaVersion) return bring_to_version_4(sql, version);
  if (version != kSchemaVersion) {
    return unusable("repath.db has the version " + std::to_string(version) +
                    "; this server reads " + std::to_string(kSchemaVersion));
  }
  return absl::OkStatus();
}

}  // namespace repath
