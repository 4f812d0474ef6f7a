#include "store/tally_table.h"

#include <string>

#include "store/checksum.h"
#include "store/store_errors.h"

namespace repath {
namespace {

std::uint64_t tally_checksum(WorldKey key, const Tally& tally) {
  return Checksum()
      .add(value(key))
      .add(tally.revision)
      .add(tally.request_seq)
      .add(std::uint64_t{tally.is_counted})
      .add(tally.rows.agents.rows)
      .add(tally.rows.agents.sum)
      .add(tally.rows.sessions.rows)
      .add(tally.rows.sessions.sum)
      .value();
}

}  // namespace

TallyTable::TallyTable(Sql& sql)
    : sql_(sql),
      put_(sql, "INSERT OR REPLACE INTO tallies VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      get_(sql,
           "SELECT revision, request, counted, agents, agents_sum, "
           "sessions, sessions_sum, "
           "checksum FROM tallies WHERE world = ?") {}

void TallyTable::put(WorldKey key, const Tally& tally) {
  const RowSums& rows = tally.rows;
  put_.with(value(key), tally.revision, tally.request_seq, std::uint64_t{tally.is_counted},
            rows.agents.rows, rows.agents.sum, rows.sessions.rows, rows.sessions.sum,
            tally_checksum(key, tally))
      .run();
}

absl::StatusOr<Tally> TallyTable::get(WorldKey key) {
  const std::string place = "repath.db, table tallies";
  get_.with(value(key));
  Tally tally;
  std::uint64_t checksum = 0;
  const bool found = get_.next();
  if (found) {
    tally.revision = get_.number(0);
    tally.request_seq = get_.number(1);
    tally.is_counted = get_.number(2) != 0;
    tally.rows.agents = {get_.number(3), get_.number(4)};
    tally.rows.sessions = {get_.number(5), get_.number(6)};
    checksum = get_.number(7);
  }
  get_.reset();
  if (sql_.failed()) return rows_unreadable(key, place, sql_);
  if (!found) return world_damaged(key, place + ": the row is missing");
  if (tally_checksum(key, tally) != checksum)
    return world_damaged(key, place + ": the checksum does not fit");
  return tally;
}

absl::Status check_rows(WorldKey key, const char* table, const RowSum& kept, const RowSum& found) {
  if (found == kept) return absl::OkStatus();
  const std::string place = std::string("repath.db, table ") + table + ": ";
  const std::string rows = std::to_string(found.rows);
  if (found.rows == kept.rows)
    return world_damaged(key, place + "the " + rows + " rows are not those that were written last");
  return world_damaged(
      key, place + "it has " + rows + " rows of the world instead of " + std::to_string(kept.rows));
}

}  // namespace repath
