#include "store/world_tables.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "base/error.h"
#include "store/checksum.h"
#include "store/store_errors.h"
#include "world/profile.h"

namespace repath {
namespace {

std::string digest_bytes(const CatalogEntry& entry) {
  return {entry.definition.begin(), entry.definition.end()};
}

std::uint64_t entry_checksum(const CatalogEntry& entry) {
  return Checksum()
      .add(value(entry.key))
      .add(entry.name)
      .add(entry.epoch)
      .add(digest_bytes(entry))
      .add(entry.request_id)
      .add(entry.made_at)
      .add(entry.facts)
      .value();
}

std::uint64_t state_checksum(WorldKey key, const WorldState& state) {
  return Checksum()
      .add(value(key))
      .add(state.incarnation)
      .add(state.first)
      .add(state.floor)
      .add(state.head)
      .value();
}

std::uint64_t agent_checksum(WorldKey key, const StoredAgent& row) {
  return Checksum().add(value(key)).add(value(row.id)).add(row.session).add(row.spec).value();
}

std::uint64_t session_checksum(WorldKey key, const SessionRow& row) {
  Checksum sum;
  sum.add(value(key))
      .add(row.name)
      .add(row.ttl_us)
      .add(row.sequence)
      .add(row.left_at)
      .add(row.taken);
  // Sessions of version 2 have none of these, and keep their checksum.
  if (!row.secret.empty() || !row.identity.empty() || row.opened_at != 0)
    sum.add(row.secret).add(row.identity).add(row.opened_at);
  return sum.value();
}

// Takes the row that a statement finds, if there is one, out of the sum.
void take_off(Statement& find, RowSum* sum) {
  if (find.next()) sum->take(find.number(0));
  find.reset();
}

// Tables whose rows belong to one world, apart from the long ones.
constexpr std::array<const char*, 5> kDropRows = {
    "DELETE FROM agents WHERE world = ?1 AND id IN "
    "(SELECT id FROM agents WHERE world = ?1 LIMIT ?2)",
    "DELETE FROM sessions WHERE world = ?1 AND name IN "
    "(SELECT name FROM sessions WHERE world = ?1 LIMIT ?2)",
    "DELETE FROM marks WHERE world = ?1 AND revision IN "
    "(SELECT revision FROM marks WHERE world = ?1 LIMIT ?2)",
    "DELETE FROM tallies WHERE world = ?1 AND ?2 > 0",
    "DELETE FROM world_state WHERE key = ?1 AND ?2 > 0"};

// A row of the table meta may be damaged, so the keys in use count too.
constexpr const char* kNextKey =
    "SELECT max(coalesce((SELECT value FROM meta WHERE name = 'next_key'), 1), "
    "1 + coalesce((SELECT max(key) FROM worlds), 0), "
    "1 + coalesce((SELECT max(key) FROM world_state), 0), "
    "1 + coalesce((SELECT max(key) FROM removed), 0))";

// In the order of the table, so that names are read from its rows.
constexpr const char* kEntries =
    "SELECT key, name, epoch, definition, request_id, made_at, facts, checksum FROM worlds "
    "ORDER BY key";
// Reads the index of names and no row of the table.
constexpr const char* kNamesOfIndex = "SELECT key, name FROM worlds ORDER BY name";
constexpr const char* kEntryByKey =
    "SELECT key, name, epoch, definition, request_id, made_at, facts, checksum FROM worlds "
    "WHERE key = ?";

}  // namespace

WorldTables::WorldTables(Sql& sql)
    : sql_(sql),
      entries_(sql, kEntries),
      names_(sql, kNamesOfIndex),
      by_key_(sql, kEntryByKey),
      find_name_(sql, "SELECT 1 FROM worlds WHERE name = ?"),
      insert_world_(sql, "INSERT INTO worlds VALUES(?, ?, ?, ?, ?, ?, ?, ?)"),
      delete_world_(sql, "DELETE FROM worlds WHERE key = ?"),
      get_state_(sql,
                 "SELECT incarnation, first, floor, head, checksum FROM world_state WHERE key = ?"),
      put_state_(sql, "INSERT OR REPLACE INTO world_state VALUES(?, ?, ?, ?, ?, ?)"),
      delete_state_(sql, "DELETE FROM world_state WHERE key = ?"),
      states_(sql, "SELECT key, incarnation, first, floor, head, checksum FROM world_state"),
      keys_(sql, "SELECT key FROM worlds"),
      next_key_(sql, kNextKey),
      set_next_key_(sql, "INSERT OR REPLACE INTO meta VALUES('next_key', ?)"),
      insert_removed_(sql, "INSERT OR REPLACE INTO removed VALUES(?)"),
      get_removed_(sql, "SELECT key FROM removed WHERE key > ? ORDER BY key LIMIT 1"),
      delete_removed_(sql, "DELETE FROM removed WHERE key = ?"),
      find_agent_(sql, "SELECT checksum FROM agents WHERE world = ? AND id = ?"),
      insert_agent_(sql, "INSERT OR REPLACE INTO agents VALUES(?, ?, ?, ?, ?)"),
      delete_agent_(sql, "DELETE FROM agents WHERE world = ? AND id = ?"),
      agents_from_(sql,
                   "SELECT id, session, checksum, spec FROM agents WHERE world = ? AND id >= ? "
                   "ORDER BY id LIMIT ?"),
      find_session_(sql, "SELECT checksum FROM sessions WHERE world = ? AND name = ?"),
      insert_session_(sql,
                      "INSERT OR REPLACE INTO sessions VALUES(?, ?, ?, ?, "
                      "?, ?, ?, ?, ?, ?)"),
      delete_session_(sql, "DELETE FROM sessions WHERE world = ? AND name = ?"),
      sessions_(sql,
                "SELECT name, ttl_us, sequence, left_at, checksum, taken, secret, identity, "
                "opened_at FROM sessions WHERE world = ? ORDER BY name") {}

std::optional<CatalogEntry> WorldTables::read_entry(const Statement& row) {
  CatalogEntry entry;
  entry.key = WorldKey{row.number(0)};
  entry.name = row.bytes(1);
  entry.epoch = row.bytes(2);
  const std::string_view digest = row.bytes(3);
  std::copy_n(digest.begin(), std::min(digest.size(), entry.definition.size()),
              entry.definition.begin());
  entry.request_id = row.bytes(4);
  entry.made_at = row.number(5);
  entry.facts = row.bytes(6);
  if (entry_checksum(entry) != row.number(7)) return std::nullopt;
  return entry;
}

std::vector<CatalogEntry> WorldTables::worlds() {
  std::vector<CatalogEntry> found;
  std::vector<CatalogEntry> damaged;
  entries_.with();
  while (entries_.next()) {
    if (auto whole = read_entry(entries_)) {
      found.push_back(*std::move(whole));
    } else {
      CatalogEntry& entry = damaged.emplace_back();
      entry.key = WorldKey{entries_.number(0)};
      entry.name = entries_.bytes(1);
      entry.is_damaged = true;
    }
  }
  add_missing(found.size() + damaged.size(), &damaged);
  std::ranges::sort(found, {}, &CatalogEntry::name);
  name_damaged(found, damaged);
  std::ranges::move(damaged, std::back_inserter(found));
  return found;
}

void WorldTables::add_missing(std::size_t entries, std::vector<CatalogEntry>* damaged) {
  // Each entry has a state, so the numbers tell quickly that none is missing.
  Statement states(sql_, "SELECT count(*) FROM world_state");
  if (!states.next() || states.number(0) <= entries) return;
  Statement missing(sql_,
                    "SELECT key FROM world_state WHERE key NOT IN (SELECT key FROM worlds) "
                    "AND key NOT IN (SELECT key FROM removed)");
  while (missing.next()) {
    CatalogEntry& entry = damaged->emplace_back();
    entry.key = WorldKey{missing.number(0)};
    entry.is_damaged = true;
  }
}

void WorldTables::name_damaged(std::span<const CatalogEntry> whole,
                               std::span<CatalogEntry> damaged) {
  if (damaged.empty()) return;
  names_.with();
  while (names_.next())
    for (CatalogEntry& entry : damaged)
      if (value(entry.key) == names_.number(0) && is_name(names_.bytes(1)))
        entry.name = names_.bytes(1);
  for (CatalogEntry& entry : damaged)
    if (!is_name(entry.name) ||
        std::ranges::binary_search(whole, entry.name, {}, &CatalogEntry::name))
      entry.name = "damaged-" + std::to_string(value(entry.key));
}

bool WorldTables::has_name(const std::string& name) {
  find_name_.with(std::string_view(name));
  const bool found = find_name_.next();
  find_name_.reset();
  return found;
}

void WorldTables::replace(const CatalogEntry& entry) {
  delete_world_.with(value(entry.key)).run();
  insert(entry);
}

void WorldTables::add(const CatalogEntry& entry, const WorldState& state) {
  insert(entry);
  put_state(entry.key, state);
}

void WorldTables::insert(const CatalogEntry& entry) {
  const std::string definition = digest_bytes(entry);
  insert_world_
      .with(value(entry.key), std::string_view(entry.name), std::string_view(entry.epoch),
            Blob{definition}, std::string_view(entry.request_id), entry.made_at, Blob{entry.facts},
            entry_checksum(entry))
      .run();
}

void WorldTables::put_state(WorldKey key, const WorldState& state) {
  put_state_
      .with(value(key), state.incarnation, state.first, state.floor, state.head,
            state_checksum(key, state))
      .run();
}

absl::StatusOr<CatalogEntry> WorldTables::entry(WorldKey key) {
  by_key_.with(value(key));
  std::optional<CatalogEntry> entry;
  const bool found = by_key_.next();
  if (found) entry = read_entry(by_key_);
  by_key_.reset();
  if (sql_.failed()) return rows_unreadable(key, "repath.db, table worlds", sql_);
  if (!found && has_state(key))
    return world_damaged(key, "repath.db, table worlds: the row is missing");
  if (!found) return key_unknown(key);
  if (!entry) return world_damaged(key, "repath.db, table worlds: the checksum does not fit");
  return *std::move(entry);
}

bool WorldTables::has_state(WorldKey key) {
  get_state_.with(value(key));
  const bool found = get_state_.next();
  get_state_.reset();
  return found;
}

absl::StatusOr<WorldState> WorldTables::state(WorldKey key) {
  get_state_.with(value(key));
  WorldState state;
  std::uint64_t checksum = 0;
  const bool found = get_state_.next();
  if (found) {
    state = {get_state_.number(0), get_state_.number(1), get_state_.number(2),
             get_state_.number(3)};
    checksum = get_state_.number(4);
  }
  get_state_.reset();
  if (sql_.failed()) return rows_unreadable(key, "repath.db, table world_state", sql_);
  if (!found) return world_damaged(key, "repath.db, table world_state: the row is missing");
  if (state_checksum(key, state) != checksum)
    return world_damaged(key, "repath.db, table world_state: the checksum does not fit");
  return state;
}

std::optional<std::map<std::uint64_t, std::uint64_t>> WorldTables::floors() {
  std::map<std::uint64_t, std::uint64_t> found;
  bool is_whole = true;
  states_.with();
  while (states_.next()) {
    const WorldState state{states_.number(1), states_.number(2), states_.number(3),
                           states_.number(4)};
    const WorldKey key{states_.number(0)};
    is_whole = is_whole && state_checksum(key, state) == states_.number(5);
    found.emplace_hint(found.end(), value(key), state.floor);
  }
  keys_.with();
  while (keys_.next()) is_whole = is_whole && found.contains(keys_.number(0));
  if (!is_whole) return std::nullopt;
  return found;
}

std::uint64_t WorldTables::next_key() {
  next_key_.with();
  const std::uint64_t key = next_key_.next() ? next_key_.number(0) : 1;
  next_key_.reset();
  return key;
}

void WorldTables::set_next_key(std::uint64_t key) { set_next_key_.with(key).run(); }

void WorldTables::remove(WorldKey key) {
  delete_world_.with(value(key)).run();
  delete_state_.with(value(key)).run();
  insert_removed_.with(value(key)).run();
}

std::optional<WorldKey> WorldTables::removed_after(WorldKey after) {
  get_removed_.with(value(after));
  std::optional<WorldKey> key;
  if (get_removed_.next()) key = WorldKey{get_removed_.number(0)};
  get_removed_.reset();
  return key;
}

bool WorldTables::drop_rows(WorldKey key, std::size_t rows_max) {
  for (const char* text : kDropRows) {
    Statement statement(sql_, text);
    statement.with(value(key), std::uint64_t{rows_max}).run();
    if (!sql_.failed() && sqlite3_changes64(sql_.handle()) > 0) return true;
  }
  return false;
}

void WorldTables::forget_removed(WorldKey key) { delete_removed_.with(value(key)).run(); }

void WorldTables::write(WorldKey key, const StoredAgent& row, RowSum* sum) {
  const std::uint64_t checksum = agent_checksum(key, row);
  take_off(find_agent_.with(value(key), value(row.id)), sum);
  insert_agent_
      .with(value(key), value(row.id), std::string_view(row.session), checksum, Blob{row.spec})
      .run();
  sum->add(checksum);
}

void WorldTables::write(WorldKey key, const SessionRow& row, RowSum* sum) {
  const std::uint64_t checksum = session_checksum(key, row);
  take_off(find_session_.with(value(key), std::string_view(row.name)), sum);
  insert_session_
      .with(value(key), std::string_view(row.name), row.ttl_us, row.sequence, row.left_at, checksum,
            Blob{row.taken}, Blob{row.secret}, std::string_view(row.identity), row.opened_at)
      .run();
  sum->add(checksum);
}

void WorldTables::drop_agent(WorldKey key, AgentId id, RowSum* sum) {
  take_off(find_agent_.with(value(key), value(id)), sum);
  delete_agent_.with(value(key), value(id)).run();
}

void WorldTables::drop_session(WorldKey key, const std::string& name, RowSum* sum) {
  take_off(find_session_.with(value(key), std::string_view(name)), sum);
  delete_session_.with(value(key), std::string_view(name)).run();
}

absl::Status WorldTables::read_agents(WorldKey key, std::size_t rows_max,
                                      std::optional<std::uint64_t>* after, bool* more,
                                      std::vector<StoredAgent>* out) {
  *more = false;
  // Ids are stored as signed numbers, so the table begins with the greatest ones.
  constexpr auto kFirst = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::min());
  constexpr auto kLast = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (*after == kLast) return absl::OkStatus();
  agents_from_.with(value(key), *after ? **after + 1 : kFirst, std::uint64_t{rows_max});
  std::size_t rows = 0;
  while (agents_from_.next()) {
    StoredAgent row{AgentId{agents_from_.number(0)}, std::string(agents_from_.bytes(1)),
                    std::string(agents_from_.bytes(3))};
    if (agent_checksum(key, row) != agents_from_.number(2)) {
      agents_from_.reset();
      return world_damaged(key, "repath.db, table agents, agent " + std::to_string(value(row.id)) +
                                    ": the checksum does not fit");
    }
    *after = value(row.id);
    out->push_back(std::move(row));
    ++rows;
  }
  *more = rows == rows_max;
  if (sql_.failed()) return rows_unreadable(key, "repath.db, table agents", sql_);
  return absl::OkStatus();
}

absl::Status WorldTables::read_sessions(WorldKey key, std::vector<SessionRow>* out) {
  sessions_.with(value(key));
  while (sessions_.next()) {
    SessionRow row;
    row.name = sessions_.bytes(0);
    row.ttl_us = sessions_.number(1);
    row.sequence = sessions_.number(2);
    row.left_at = sessions_.number(3);
    row.taken = sessions_.bytes(5);
    row.secret = sessions_.bytes(6);
    row.identity = sessions_.bytes(7);
    row.opened_at = sessions_.number(8);
    if (session_checksum(key, row) != sessions_.number(4)) {
      sessions_.reset();
      return world_damaged(
          key, "repath.db, table sessions, session '" + row.name + "': the checksum does not fit");
    }
    out->push_back(std::move(row));
  }
  if (sql_.failed()) return rows_unreadable(key, "repath.db, table sessions", sql_);
  return absl::OkStatus();
}

RowSums WorldTables::sums(WorldKey key, std::span<const StoredAgent> agents,
                          std::span<const SessionRow> sessions) {
  RowSums sums;
  for (const StoredAgent& row : agents) sums.agents.add(agent_checksum(key, row));
  for (const SessionRow& row : sessions) sums.sessions.add(session_checksum(key, row));
  return sums;
}

}  // namespace repath
